import { expect, it } from 'vitest';
import { operation } from '../../test/web/operations.ts';
import { unsentCash } from './unsent-cash.ts';

const CASH = { estado: 'completado', paso: 'completar', cobrado: 25, cobrado_metodo: 'efectivo' };

it('unsent cash is cash in pending and refused steps, not in accepted steps or card payments', () => {
  const operations = [
    operation('1', 'a', { body: CASH }),
    operation('2', 'b', { body: { ...CASH, cobrado: 10.5 }, state: 'rechazado' }),
    operation('3', 'c', { body: CASH, state: 'aceptado' }),
    operation('4', 'd', { body: { ...CASH, cobrado_metodo: 'tarjeta' } }),
    operation('6', 'f', { body: { ...CASH, cobrado: 0 } }),
    operation('7', 'g', { body: { ...CASH, cobrado: '25' } }),
    operation('5', 'e', { body: { estado: 'en_ruta', paso: 'salir' } }),
  ];
  expect(unsentCash(operations).map(({ pedido, importe, rechazado }) => [pedido, importe, rechazado])).toEqual([
    ['a', 25, false],
    ['b', 10.5, true],
  ]);
});
