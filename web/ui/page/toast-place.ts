/** Vertical extent of something that a toast must not cover, in pixels from the top of the window. */
export type Extent = { top: number; bottom: number };

/** Pixels between a toast and the element below. */
const GAP = 8;
/** Maximum height of a bar at the bottom, as a share of the window; taller layers are dialogs and menus. */
const TALLEST_BAR = 0.6;

const over = (first: Extent, second: Extent) => first.top < second.bottom && first.bottom > second.top;

/** Lowest free bottom edge for a toast of `height` at or above `floor`; `undefined` if it would leave the window. */
export function freeBottom(height: number, floor: number, taken: readonly Extent[]): number | undefined {
  let bottom = floor;
  for (const extent of taken.toSorted((a, b) => b.bottom - a.bottom))
    if (over(extent, { top: bottom - height - GAP, bottom: bottom + GAP })) bottom = Math.min(bottom, extent.top - GAP);
  return bottom - height >= 0 ? bottom : undefined;
}

/** Bars that stick to the bottom of the window. */
function bars(toasts: Element): Extent[] {
  const found = [0.1, 0.5, 0.9].flatMap((part) => document.elementsFromPoint(innerWidth * part, innerHeight - 2 * GAP));
  return [...new Set(found)]
    .filter((element) => !toasts.contains(element) && ['fixed', 'sticky'].includes(getComputedStyle(element).position))
    .map((element) => element.getBoundingClientRect())
    .filter(({ height }) => height < innerHeight * TALLEST_BAR);
}

/** Visible fields in error; titles, buttons, links and surfaces to sign on of the dialog with the focus, or else of the last dialog; without one, of notes. */
function inUse(toasts: Element): Extent[] {
  const dialog = document.activeElement?.closest('[role=dialog]') ?? [...document.querySelectorAll('[role=dialog]')].at(-1);
  const of = dialog ? 'h2, button, a[href], canvas' : '[role=note] button, [role=alert] button';
  return [...(dialog ?? document).querySelectorAll(`${of}, [aria-invalid=true]`)]
    .filter((element) => !toasts.contains(element))
    .map((element) => element.getBoundingClientRect())
    .filter(({ height, top, bottom }) => height > 0 && bottom > 0 && top < innerHeight);
}

/** Width of the area at the right edge with the toasts of a wide window. */
const BESIDE = 416 + 2 * GAP;

/** Controls, and the bar of chosen rows. */
const PRESSED = '[data-choice-bar], button, a[class*=Button], input, textarea, select, [role=checkbox]';

/** Extents of the visible elements of `selector` between two x positions of the window. */
const between = (selector: string, left: number, right: number, toasts: Element | null): Extent[] =>
  [...document.querySelectorAll(selector)]
    .filter((element) => !toasts?.contains(element))
    .map((element) => element.getBoundingClientRect())
    .filter((extent) => extent.height > 0 && extent.right > left && extent.left < right && extent.bottom > 0 && extent.top < innerHeight);

/** Distances of the toasts from the foot and the right edge of a wide window, in pixels. */
export type Place = { bottom: number; right: number };

/** Place at the right edge in the lower half, or left of row buttons; if nothing is free, above the bar of chosen rows. */
export function toastPlaceBeside(toasts: Element, height: number): Place {
  const floor = innerHeight - 2 * GAP;
  for (let right = 0; right + BESIDE <= innerWidth; right += BESIDE / 4) {
    const edge = innerWidth - right;
    const free = freeBottom(height, floor, between(PRESSED, edge - BESIDE, edge, toasts));
    if (free !== undefined && free - height > innerHeight / 2) return { bottom: innerHeight - free, right: right + 2 * GAP };
  }
  const taken = between('[data-choice-bar], button[type=submit]', innerWidth - BESIDE, innerWidth, toasts);
  return { bottom: innerHeight - (freeBottom(height, floor, taken) ?? floor), right: 2 * GAP };
}

/** Bottom edge of toasts on a phone, px from the top: above keyboard and bars, clear of a dialog's title and buttons. */
export function toastBottom(toasts: Element, height: number): number {
  const { offsetTop = 0, height: seen = innerHeight } = window.visualViewport ?? {};
  const floor = Math.min(innerHeight, offsetTop + seen) - 2 * GAP;
  const fixed = bars(toasts);
  const taken = [...fixed, ...inUse(toasts)];
  const at = toasts.getBoundingClientRect();
  const stays = at.height >= height && at.bottom <= floor && at.top >= 0 && !taken.some((extent) => over(extent, at));
  if (stays) return at.bottom;
  // Clear of every button, if the lower part of the screen has room.
  const free = freeBottom(height, floor, [...taken, ...between(PRESSED, 0, innerWidth, toasts)]);
  if (free !== undefined && free - height > innerHeight / 3) return free;
  // Never over what is pressed next, even if that puts the toast above the middle.
  const next = between('button[type=submit], button[data-variant=filled], a[data-variant=filled]', 0, innerWidth, toasts);
  return freeBottom(height, floor, [...taken, ...next]) ?? freeBottom(height, floor, taken) ?? freeBottom(height, floor, fixed) ?? floor;
}
