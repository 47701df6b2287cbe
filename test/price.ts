/* An unlikely price in every notation, which must not reach people without permission to see prices. */

/** Price of a pack in cents, and number of packs in an order. */
export const UNIT = 739_146;
export const CANTIDAD = 3;
/** Amount paid of each order, in cents. */
export const PART = 518_273;

/** Matches an amount in any usual notation: 739146, 7391.46, 7391,46, 7.391,46, 7 391,46. */
function spelled(cents: number): string {
  const [units, rest] = [String(cents).slice(0, -2), String(cents).slice(-2)];
  return `(?<![0-9a-f])${units.replace(/\B(?=(\d{3})+$)/g, "[.,'\\s\u00a0\u202f]?")}[.,]?${rest}(?![0-9a-f])`;
}
/** Matches the unlikely price, of a pack or an order, and the field names of prices. */
export const FORBIDDEN = new RegExp(
  `${spelled(UNIT)}|${spelled(UNIT * CANTIDAD)}|${spelled(PART)}|"pagado"|precio|_cents|payment_link|pago_token|/pagar/`,
  'i',
);
