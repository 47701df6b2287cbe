import { type Charged, chargedVatRows, type IvaRow } from './breakdown.ts';
import { FILAS_SIN_IVA, IVA, type TipoIva } from './fields.ts';
import { type Territorio, taxRegimen } from './territory.ts';

/* VAT of a web shop's order: the VAT charged in the shop counts (decision 102). */

/** Tax of one rate in the shop, shipping and charges included, in cents: base without tax, and the tax. */
export type ShopTax = { percent: number; base_cents: number; cuota_cents: number };

/** Returns the rate of a tax by its amounts, within two cents; `'0'` for no tax, undefined if no Spanish rate explains the tax. */
export const rateByAmounts = (base_cents: number, cuota_cents: number): TipoIva | undefined =>
  IVA.find(({ percent }) => Math.abs((base_cents * percent) / 100 - cuota_cents) <= 2 && (percent !== 0) === cuota_cents > 0)?.tipo;

/**
 * Returns the VAT that a shop charged as rows of the order, which add up to `total_cents`: the largest base gets the rounding difference, at
 * most a cent per tax and one more. Amounts without tax count as exempt by the order's destination, or as 0 %. Undefined if the sums differ by
 * more, without taxes, or if a rate is not Spanish, such as one of the OSS.
 */
export function chargedRows(taxes: readonly ShopTax[], total_cents: number, order: Territorio): Charged | undefined {
  const regimen = taxRegimen(order);
  const free = FILAS_SIN_IVA.find((fila) => fila === regimen) ?? '0';
  const rows: Charged = {};
  for (const { percent, base_cents, cuota_cents } of taxes) {
    const tipo = percent === 0 || cuota_cents === 0 ? free : IVA.find((rate) => rate.percent === percent)?.tipo;
    if (!tipo) return undefined;
    const row = rows[tipo];
    rows[tipo] = { base_cents: base_cents + (row?.base_cents ?? 0), cuota_cents: cuota_cents + (row?.cuota_cents ?? 0) };
  }
  const all = Object.values(rows);
  const [first] = all.toSorted((a, b) => b.base_cents - a.base_cents);
  const rest = total_cents - all.reduce((sum, row) => sum + row.base_cents + row.cuota_cents, 0);
  if (!first || Math.abs(rest) > taxes.length + 1) return undefined;
  first.base_cents += rest;
  return rows;
}

/**
 * Compares our VAT of an order with the shop's, both in cents. Returns a Spanish sentence, or undefined within a cent per row.
 * `euros` formats an amount in cents.
 */
export function vatDifference(ours: readonly IvaRow[], charged: Charged, euros: (cents: number) => string): string | undefined {
  const [own, charged_cents] = [ours, chargedVatRows(charged)].map((rows) =>
    rows.reduce((sum, { cuota_cents }) => sum + cuota_cents, 0),
  ) as [number, number];
  if (Math.abs(own - charged_cents) <= Math.max(1, ours.length)) return undefined;
  return charged_cents === 0
    ? `La tienda no cobró IVA y aquí serían ${euros(own)}: revisa el tipo de sus productos, su destino y su NIF`
    : `La tienda cobró ${euros(charged_cents)} de IVA y aquí ${own === 0 ? 'no lleva' : `serían ${euros(own)}`}: queda lo que cobró la tienda`;
}
