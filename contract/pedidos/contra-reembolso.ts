import { MAX_EFECTIVO } from '../payments/fields.ts';

/** Refusal at or above the legal cash limit: Ley 11/2021, artículo 18, which lowered the limit of Ley 7/2012, artículo 7. */
export const EFECTIVO_LIMITE = `Desde ${MAX_EFECTIVO.toLocaleString('es-ES', { useGrouping: 'always' })} € no se puede pagar contra reembolso: la Ley 11/2021 (art. 18) prohíbe cobrarlo en efectivo`;

/** Refusal of cash for part of a sale over the limit: the law considers the whole sale. */
export const EFECTIVO_VENTA = `De una venta de ${MAX_EFECTIVO.toLocaleString('es-ES', { useGrouping: 'always' })} € o más no se puede cobrar nada en efectivo (Ley 11/2021, art. 18)`;

/** Refusal of cash: the customer's orders of one day together reach the legal limit. */
export const mismoDia = (otros: string, suma: string): string =>
  `Con ${otros}, del mismo cliente y el mismo día, suma ${suma}: desde ${MAX_EFECTIVO.toLocaleString('es-ES', { useGrouping: 'always' })} € no se puede cobrar nada en efectivo (Ley 11/2021, art. 18). Si son dos ventas, un administrador lo dice en ${otros} con «Es otra venta»`;

type Sale = {
  /** The setting «Contra reembolso». */
  active: boolean;
  /** True if the actor may decide freely, or the reseller may sell on delivery. */
  permitted: boolean;
  total_cents: number;
};

/** Returns the reason why an order may not be paid on delivery, in Spanish; undefined if allowed (decision 051). */
export function contraReembolsoRefusal({ active, permitted, total_cents }: Sale): string | undefined {
  if (!active) return 'El pago contra reembolso no está activado en Configuración';
  if (!permitted) return 'No puedes vender contra reembolso: pídelo a un administrador';
  return overCash(total_cents) ? EFECTIVO_LIMITE : undefined;
}

/** True if a sale of `total_cents` may not be paid in cash. */
export const overCash = (total_cents: number): boolean => total_cents >= MAX_EFECTIVO * 100;
