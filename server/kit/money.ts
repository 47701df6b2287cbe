/** Converts euros (wire, at most two decimals) to integer cents, in which all sums are made to avoid rounding. */
export const toCents = (euros: number): number => Math.round(euros * 100);

/** Converts integer cents (database) to euros (wire). */
export const toEuros = (cents: number): number => cents / 100;

const words = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', useGrouping: 'always' });
/** Cents as people read them: 1.234,50 €. */
export const inEuros = (cents: number): string => words.format(toEuros(cents));
