import type { MouseEvent } from 'react';

/** Whether a click is on the row itself, not on a button in it nor in a menu or dialog opened from it. */
export function onTheRow({ target, currentTarget }: MouseEvent): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const control = target.closest('a, button, input, label, select, textarea, [role="menuitem"]');
  return !control || !currentTarget.contains(control);
}
