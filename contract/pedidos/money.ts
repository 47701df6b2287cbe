export type Portion = { cantidad: number; precio_unitario_cents: number; precio_total_cents: number };

/**
 * Prices a line after a change of quantity, in cents: the agreed price up to the agreed quantity, today's price beyond. Added units are a
 * second portion unless `alike` and both prices are equal. Returns undefined if `today` is needed but unknown.
 */
export function keptPortions(
  { cantidad: agreed, precio_unitario_cents, precio_total_cents }: Portion,
  cantidad: number,
  today: number | undefined,
  alike = true,
): readonly [Portion] | readonly [Portion, Portion] | undefined {
  // The total of a superadmin's line can differ from quantity times price.
  if (cantidad === agreed) return [{ cantidad, precio_unitario_cents, precio_total_cents }];
  if (cantidad < agreed) return [{ cantidad, precio_unitario_cents, precio_total_cents: precio_unitario_cents * cantidad }];
  if (today === undefined) return undefined;
  const more = (cantidad - agreed) * today;
  if (alike && today === precio_unitario_cents) return [{ cantidad, precio_unitario_cents, precio_total_cents: precio_total_cents + more }];
  return [
    { cantidad: agreed, precio_unitario_cents, precio_total_cents },
    { cantidad: cantidad - agreed, precio_unitario_cents: today, precio_total_cents: more },
  ];
}

type Refundable = { due: number; paid: number; total: number; deleted: boolean };

/** Returns the part of a due refund that is for no returned or undelivered goods: paid beyond the total, or all of a deleted order. Same unit. */
export const overpaidPart = ({ due, paid, total, deleted }: Refundable): number =>
  deleted ? due : Math.min(due, Math.max(0, paid - total));

/**
 * Returns the value of `cents` of an order's goods after their share of its discount, never below 0: a discount beyond all the goods
 * (`goods_cents`) takes the shipping off. In fractions of a cent, so that callers round sums. Same as the SQL function `tras_descuento`.
 */
export const afterDiscount = (cents: number, { goods_cents, descuento_cents }: { goods_cents: number; descuento_cents: number }): number =>
  goods_cents > 0 ? (cents * Math.max(0, goods_cents - descuento_cents)) / goods_cents : 0;
