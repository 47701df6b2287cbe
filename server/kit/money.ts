/** Converts euros (wire, two decimals) to integer cents, which sum without rounding errors. */
export const toCents = (euros: number): number => Math.round(euros * 100);

/** Converts integer cents (database) to euros (wire). */
export const toEuros = (cents: number): number => cents / 100;

const words = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', useGrouping: 'always' });
/** Formats cents: 1.234,50 €. */
export const inEuros = (cents: number): string => words.format(toEuros(cents));
