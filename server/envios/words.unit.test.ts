import { expect, it, test } from 'vitest';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import { fittingOrders } from './envios.ts';
import { stayingSentence } from './undo-answer.ts';

const SHOP = { companyName: 'La Olivera', companyPhone: '600' };
const row = (numero_orden: string, more: object = {}) =>
  ({
    numero_orden,
    cliente_nombre: 'Ana',
    instrucciones: null,
    por_cobrar_cents: 0,
    unidades_retenidas: 1,
    ...more,
  }) as unknown as PedidoRow;
const column = (name: string, max = 0) => ({ titulo: name.toUpperCase(), expresion: `{${name}}`, max });
const fitted = (columnas: ReturnType<typeof column>[], rows: PedidoRow[]) => {
  const { orders, avisos } = fittingOrders(columnas, rows, SHOP);
  return [orders.map(({ numero_orden }) => numero_orden), avisos];
};
const NUMBER = column('numero_orden');
const wide = (n: number) => Array.from({ length: n }, (_, i) => row(`A-${i + 1}`, { cliente_nombre: '123456' }));

test.each<[string, ReturnType<typeof column>[], PedidoRow[], string[], string[]]>([
  ['fits', [NUMBER, column('cliente_nombre', 3)], [row('A-1')], ['A-1'], []],
  [
    'does not fit into a column',
    [NUMBER, column('cliente_nombre', 5)],
    [row('A-1'), ...wide(2).map((each, i) => ({ ...each, numero_orden: `B-${i}` }))],
    ['A-1'],
    ['Fuera del fichero, porque no cabe en «CLIENTE_NOMBRE»: B-0, B-1'],
  ],
  [
    'has a note that is cut',
    [NUMBER, column('instrucciones', 12)],
    [row('A-1', { instrucciones: 'Clave 77. Llamar al vecino del segundo' })],
    ['A-1'],
    ['No cabe entero en «INSTRUCCIONES»: A-1'],
  ],
  [
    'has the reference of another',
    [NUMBER],
    [row('A-1'), row('A 1'), row('A-2')],
    ['A-1', 'A-2'],
    ['Fuera del fichero, porque su número se confunde con otro: A 1'],
  ],
])('an order that %s', (_, columnas, rows, orders, avisos) => expect(fitted(columnas, rows)).toEqual([orders, avisos]));

it('a notice names five orders, and counts the rest', () => {
  const named = (n: number) => fitted([NUMBER, column('cliente_nombre', 5)], wide(n))[1];
  const words = 'Fuera del fichero, porque no cabe en «CLIENTE_NOMBRE»: A-1, A-2, A-3, A-4, A-5';
  expect([named(5), named(6)]).toEqual([[words], [`${words} y 1 más`]]);
});

it('a refusal to take an answer back gives the reasons of five orders, and counts the rest', () => {
  const refused = (n: number) =>
    stayingSentence(Array.from({ length: n }, (_, i) => ({ id: `${i}`, numero_orden: `A-${i}`, motivo: 'Salió' })));
  expect([refused(1), refused(6)]).toEqual([
    'No se ha deshecho nada. A-0: Salió.',
    'No se ha deshecho nada. A-0: Salió. A-1: Salió. A-2: Salió. A-3: Salió. A-4: Salió. Y 1 más.',
  ]);
  expect(refused(5)).toMatch(/A-4: Salió\.$/);
});
