export type Portion = { cantidad: number; precio_unitario_cents: number; precio_total_cents: number };

/** Agreed price up to the agreed quantity, `today`'s beyond it, in one portion if `alike`; undefined if `today` is needed but unknown. */
export function keptPortions(
  { cantidad: agreed, precio_unitario_cents, precio_total_cents }: Portion,
  cantidad: number,
  today: number | undefined,
  alike = true,
): readonly [Portion] | readonly [Portion, Portion] | undefined {
  // The total of a superadmin's line may differ from quantity times price.
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

/** Part of what is due back that was paid beyond the total; in one unit, cents or euros. The rest is for undelivered goods. */
export const overpaid = ({ due, paid, total }: { due: number; paid: number; total: number }): number =>
  Math.min(due, Math.max(0, paid - total));
