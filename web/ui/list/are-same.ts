/** True if two lists hold the same values in the same order. */
export const areSame = (a: readonly unknown[] = [], b: readonly unknown[] = []): boolean =>
  a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
