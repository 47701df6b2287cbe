import type { MouseEvent } from 'react';

/** True if two lists hold the same values in the same order. */
export const areSame = (a: readonly unknown[] = [], b: readonly unknown[] = []): boolean =>
  a.length === b.length && a.every((value, i) => Object.is(value, b[i]));

/** True if a click hit the row itself, not a control in the row or a menu or dialog opened from it. */
export function onTheRow({ target, currentTarget }: MouseEvent): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const control = target.closest('a, button, input, label, select, textarea, [role="menuitem"]');
  return !control || !currentTarget.contains(control);
}
