/** Euros of the wire (two decimals at most) as integer cents. 0.1 + 0.2 never happens: sums are made in cents. */
export const toCents = (euros: number): number => Math.round(euros * 100);

/** Integer cents of the database as euros of the wire. */
export const toEuros = (cents: number): number => cents / 100;
