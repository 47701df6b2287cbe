/** Converts euros, as in the API, to integer cents, which add up without rounding errors. */
export const toCents = (euros: number): number => Math.round(euros * 100);

/** Converts integer cents, as in the database, to euros. */
export const toEuros = (cents: number): number => cents / 100;

const words = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', useGrouping: 'always' });
/** Formats cents as euros, for example «1.234,50 €». */
export const inEuros = (cents: number): string => words.format(toEuros(cents));
