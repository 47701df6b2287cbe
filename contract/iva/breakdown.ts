import { FILAS_IVA, FILAS_SIN_IVA, type FilaIva, SIN_TIPO, vatPercent } from './fields.ts';
import { type Territorio, taxRegimen } from './territory.ts';

export type IvaRow = { tipo: FilaIva; base_cents: number; cuota_cents: number; total_cents: number };
/** VAT that a web shop charged, by rate (contract/iva/charged.ts). */
export type Charged = Partial<Record<FilaIva, Pick<IvaRow, 'base_cents' | 'cuota_cents'>>>;

type Order = {
  lines: readonly { iva: string | null; precio_total_cents: number }[];
  envio_cents: number;
  descuento_cents: number;
  address: Territorio & { iva_cobrado?: Charged | null | undefined };
};

/**
 * Returns an order's base and VAT by rate, in cents; prices include VAT. Spreads shipping and discount in proportion to the goods. The rows
 * add up to the order's total; rows of 0 € are omitted. A web shop's order has the VAT that the shop charged, until its total changes.
 */
export function vatBreakdown({ lines, envio_cents, descuento_cents, address }: Order): IvaRow[] {
  const total = lines.reduce((sum, { precio_total_cents }) => sum + precio_total_cents, 0) + envio_cents - descuento_cents;
  const charged = chargedVatRows(address.iva_cobrado ?? {});
  if (charged.length && charged.reduce((sum, { total_cents }) => sum + total_cents, 0) === total) return charged;
  const rowFor = vatRowByRate(address);
  const goods = new Map<FilaIva, number>();
  for (const { iva, precio_total_cents } of lines) {
    const tipo = rowFor(iva);
    goods.set(tipo, (goods.get(tipo) ?? 0) + precio_total_cents);
  }
  const tipos = FILAS_IVA.filter((tipo) => goods.has(tipo));
  const parts = distributeCents(
    total,
    tipos.map((tipo) => goods.get(tipo) ?? 0),
  );
  return inOrder(tipos.map((tipo, i) => splitVat(tipo, parts[i] ?? 0)));
}

/** Returns a function from a line's rate to the row that counts its goods. */
export function vatRowByRate(address: Territorio): (iva: string | null) => FilaIva {
  const regimen = taxRegimen(address);
  const exempt = FILAS_SIN_IVA.find((fila) => fila === regimen);
  return (iva) => exempt ?? FILAS_IVA.find((tipo) => tipo === iva) ?? SIN_TIPO;
}

/** Returns the VAT that a shop charged as rows. */
export const chargedVatRows = (charged: Charged): IvaRow[] =>
  FILAS_IVA.flatMap((tipo) => {
    const { base_cents = 0, cuota_cents = 0 } = charged[tipo] ?? {};
    return base_cents || cuota_cents ? [{ tipo, base_cents, cuota_cents, total_cents: base_cents + cuota_cents }] : [];
  });

const inOrder = (rows: readonly IvaRow[]): IvaRow[] =>
  FILAS_IVA.flatMap((tipo) => rows.filter((row) => row.tipo === tipo && row.total_cents !== 0));

/** Splits an amount that includes VAT; the tax is the remainder, so that both parts add up. */
export function splitVat(tipo: FilaIva, total_cents: number): IvaRow {
  const base_cents = Math.round((total_cents * 100) / (100 + vatPercent(tipo)));
  return { tipo, base_cents, cuota_cents: total_cents - base_cents, total_cents };
}

/**
 * Distributes `total` cents in proportion to `weights` by largest remainder; if all weights are 0, the first part gets everything. Uses
 * BigInt, because the products exceed the exact range of a number.
 */
export function distributeCents(total: number, weights: readonly number[]): number[] {
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
