import { expect, it } from 'vitest';
import type { PedidoRow } from '../lectura/row.ts';
import type { ValuedReturn } from '../lineas/devuelto.ts';
import { overpaidCents, owedByReturn } from './overpaid.ts';

/* Cents due for refund, by return: what of a return is kept or refunded is not owed again. */

type Row = Pick<PedidoRow, 'por_reembolsar_cents' | 'pagado_cents' | 'precio_total_cents' | 'deleted_at'>;
const row = (fields: Partial<Row>) =>
  ({ por_reembolsar_cents: 0, pagado_cents: 10_000, precio_total_cents: 10_000, deleted_at: null, ...fields }) as PedidoRow;
const back = (id: string, valor_cents: number, fields: Partial<ValuedReturn> = {}) =>
  ({ id, valor_cents, de_mas_cents: 0, reembolso_cents: 0, retenido_cents: 0, anulada_at: null, ...fields }) as ValuedReturn;
const owed = (order: PedidoRow, ...returns: ValuedReturn[]) => Object.fromEntries(owedByReturn(order, returns));

it('each return is owed its value, without what was kept or refunded of it', () => {
  const order = row({ por_reembolsar_cents: 4000 });
  expect(owed(order, back('b', 1500, { retenido_cents: 500 }), back('a', 3000))).toEqual({ b: 1000, a: 3000 });
  expect(owed(order, back('b', 2500, { reembolso_cents: 1500 }), back('a', 3000))).toEqual({ b: 1000, a: 3000 });
  expect(owed(order, back('b', 1000, { de_mas_cents: 300 }), back('a', 2700))).toEqual({ b: 1300, a: 2700 });
  expect(owed(order, back('b', 2000, { retenido_cents: 1500, reembolso_cents: 500 }), back('a', 4000))).toEqual({ b: 0, a: 4000 });
});

it('a return refunded beyond its value takes nothing from the others', () => {
  expect(owed(row({ por_reembolsar_cents: 2000 }), back('b', 1000, { reembolso_cents: 1500 }), back('a', 2000))).toEqual({ b: 0, a: 2000 });
});

it('no more is owed than is due, the newest return first; what is due beyond all returns is the newest’s', () => {
  expect(owed(row({ por_reembolsar_cents: 1200 }), back('b', 1000), back('a', 2000))).toEqual({ b: 1000, a: 200 });
  expect(owed(row({ por_reembolsar_cents: 1000 }), back('b', 1000), back('a', 2000))).toEqual({ b: 1000, a: 0 });
  expect(owed(row({ por_reembolsar_cents: 3400 }), back('b', 1000), back('a', 2000))).toEqual({ b: 1400, a: 2000 });
});

it('annulled returns, deleted orders and money paid beyond the total leave returns nothing owed', () => {
  expect(owed(row({ por_reembolsar_cents: 1000 }), back('b', 500, { anulada_at: '2026-11-28' }), back('a', 1000))).toEqual({ a: 1000 });
  expect(owed(row({ por_reembolsar_cents: 1000, deleted_at: '2026-11-28' }), back('a', 1000))).toEqual({ a: 0 });
  expect(owed(row({ por_reembolsar_cents: 1500, pagado_cents: 10_500 }), back('a', 1000))).toEqual({ a: 1000 });
  expect(owed(row({ por_reembolsar_cents: 1000 }))).toEqual({});
});

it('paid beyond the total is the part of a refund that is for no goods, and all of a deleted order', () => {
  expect(overpaidCents(row({ por_reembolsar_cents: 1500, pagado_cents: 10_500 }))).toBe(500);
  expect(overpaidCents(row({ por_reembolsar_cents: 300, pagado_cents: 10_500 }))).toBe(300);
  expect(overpaidCents(row({ por_reembolsar_cents: 1500, pagado_cents: 9000 }))).toBe(0);
  expect(overpaidCents(row({ por_reembolsar_cents: 1500, deleted_at: '2026-11-28' }))).toBe(1500);
});
