import type { ClienteField } from '../pedidos/fields.ts';
import { zonaOf } from '../zonas/zonas.ts';
import { FILAS_IVA, type FilaIva, NO_SUJETO, percentOf, SIN_TIPO } from './fields.ts';

export type IvaRow = { tipo: FilaIva; base_cents: number; cuota_cents: number; total_cents: number };

type Order = {
  lines: readonly { iva: string | null; precio_total_cents: number }[];
  envio_cents: number;
  descuento_cents: number;
  address: Partial<Record<ClienteField, string | null>>;
};

/**
 * Returns an order's base and VAT by rate, in cents; prices include VAT. Spreads shipping and discount in proportion to the goods. The rows
 * add up to the order's total; rows of 0 € are omitted.
 */
export function breakdown({ lines, envio_cents, descuento_cents, address }: Order): IvaRow[] {
  const goods = new Map<FilaIva, number>();
  for (const { iva, precio_total_cents } of lines) {
    const tipo = rowOf(iva);
    goods.set(tipo, (goods.get(tipo) ?? 0) + precio_total_cents);
  }
  const total = [...goods.values()].reduce((sum, cents) => sum + cents, 0) + envio_cents - descuento_cents;
  if (isWithoutIva(address)) return total === 0 ? [] : [split(NO_SUJETO, total)];
  const tipos = FILAS_IVA.filter((tipo) => goods.has(tipo));
  const parts = distribute(
    total,
    tipos.map((tipo) => goods.get(tipo) ?? 0),
  );
  return tipos.map((tipo, i) => split(tipo, parts[i] ?? 0)).filter(({ total_cents }) => total_cents !== 0);
}

/** True for an address in Spain outside the territory of VAT (Ley 37/1992, art. 3). */
export function isWithoutIva(address: Order['address']): boolean {
  const zona = zonaOf(address);
  return zona === 'canarias' || zona === 'ceuta_melilla';
}

const rowOf = (iva: string | null): FilaIva => FILAS_IVA.find((tipo) => tipo === iva) ?? SIN_TIPO;

/** Splits an amount that includes VAT; the tax is the remainder, so that both parts add up. */
function split(tipo: FilaIva, total_cents: number): IvaRow {
  const base_cents = Math.round((total_cents * 100) / (100 + percentOf(tipo)));
  return { tipo, base_cents, cuota_cents: total_cents - base_cents, total_cents };
}

/**
 * Distributes `total` cents in proportion to `weights` by largest remainder; if all weights are 0, the first part gets everything. Uses
 * BigInt, because the products exceed the exact range of a number.
 */
export function distribute(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (all === 0n) return weights.map((_, i) => (i === 0 ? total : 0));
  const sign = total < 0 ? -1 : 1;
  const cents = BigInt(Math.abs(total));
  const shares = weights.map((weight, i) => ({ i, whole: (cents * BigInt(weight)) / all, rest: (cents * BigInt(weight)) % all }));
  const left = Number(cents - shares.reduce((sum, { whole }) => sum + whole, 0n));
  const raised = new Set(
    shares
      .toSorted((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1))
      .slice(0, left)
      .map(({ i }) => i),
  );
  return shares.map(({ i, whole }) => sign * (Number(whole) + (raised.has(i) ? 1 : 0)));
}
