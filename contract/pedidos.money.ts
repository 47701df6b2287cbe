/* What an order costs and what is owed for it: plain arithmetic, in cents, for the server and the forms alike. */

/** How many packs, at what price each and in all. */
export type Portion = { cantidad: number; precio_unitario_cents: number; precio_total_cents: number };

/**
 * What `cantidad` packs of a line that an order has already cost: the agreed price for at most the agreed quantity, and
 * `today`, the price of a pack, for the rest; in one portion where price and pack (`alike`) are what they were. Undefined when
 * there is a rest and `today` is not known: it is not sold any more.
 */
export function keptPortions(
  { cantidad: agreed, precio_unitario_cents, precio_total_cents }: Portion,
  cantidad: number,
  today: number | undefined,
  alike = true,
): readonly [Portion] | readonly [Portion, Portion] | undefined {
  // A superadmin's total may not be the quantity times the price.
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
