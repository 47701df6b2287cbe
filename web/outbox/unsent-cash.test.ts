import { expect, it } from 'vitest';
import { act } from '../../test/web/acts.ts';
import { unsentCash } from './unsent-cash.ts';

const CASH = { estado: 'completado', paso: 'completar', cobrado: 25, cobrado_metodo: 'efectivo' };

it('cash that waits or was refused is unsent; what the server took, cards and steps without money are not', () => {
  const acts = [
    act('1', 'a', { body: CASH }),
    act('2', 'b', { body: { ...CASH, cobrado: 10.5 }, state: 'rechazado' }),
    act('3', 'c', { body: CASH, state: 'aceptado' }),
    act('4', 'd', { body: { ...CASH, cobrado_metodo: 'tarjeta' } }),
    act('5', 'e', { body: { estado: 'en_ruta', paso: 'salir' } }),
  ];
  expect(unsentCash(acts).map(({ pedido, importe }) => [pedido, importe])).toEqual([
    ['a', 25],
    ['b', 10.5],
  ]);
});
