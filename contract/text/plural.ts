const whole = new Intl.NumberFormat('es-ES', { useGrouping: 'always' });

/** Returns a whole number as Spanish writes it: «1.200». */
export const wholeNumber = (n: number): string => whole.format(n);

/** Returns a number with its noun: «1 pedido», «1.200 pedidos». `many`: the plural where it is not the singular with an s. */
export const plural = (n: number, one: string, many = `${one}s`): string => `${wholeNumber(n)} ${n === 1 ? one : many}`;
