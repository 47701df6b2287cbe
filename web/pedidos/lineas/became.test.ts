import { expect, test } from 'vitest';
import type { Devolucion } from '../../../contract/devoluciones/devoluciones.ts';
import { becameWords } from './became.ts';

const returned = (motivo: Devolucion['motivo'], cantidad: number, more: Partial<Devolucion> = {}) =>
  ({
    motivo,
    anulada_at: null,
    resto_pedido_id: null,
    lineas: [
      { numero: 1, cantidad },
      { numero: 2, cantidad: 9 },
    ],
    ...more,
  }) as Devolucion;
const DONE = { estado: 'completado', deleted_at: null } as const;
const LINE = { numero: 1, cantidad: 3 };

test.each([
  ['an order on its way', { estado: 'en_ruta', deleted_at: null } as const, [], 'Por entregar'],
  ['a cancelled order', { estado: 'cancelado', deleted_at: null } as const, [], ''],
  ['a deleted order', { ...DONE, deleted_at: '2026-11-20T10:00:00.000Z' }, [], ''],
  ['a delivered order', DONE, [], 'Entregado'],
  ['one pack returned', DONE, [returned('danado', 1)], 'Entregado · 1 devuelto'],
  ['two returns', DONE, [returned('danado', 1), returned('otro', 1)], 'Entregado · 2 devueltos'],
  ['all returned', DONE, [returned('danado', 3)], 'Devuelto'],
  ['a part not delivered', DONE, [returned('entrega_parcial', 1)], '2 de 3 entregados'],
  ['nothing of the line delivered', DONE, [returned('entrega_parcial', 3)], 'No entregado'],
  [
    'the rest in another order, and one returned',
    DONE,
    [returned('entrega_parcial', 1, { resto_pedido_id: 'x' }), returned('danado', 1)],
    '2 de 3 entregados · el resto va en otro pedido · 1 devuelto',
  ],
  ['a return that was annulled', DONE, [returned('danado', 1, { anulada_at: '2026-11-20T10:00:00.000Z' })], 'Entregado'],
])('%s: «%s»', (_, order, returns, expected) => {
  expect(becameWords(order, LINE, returns)).toBe(expected);
});
