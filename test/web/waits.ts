import { expect, onTestFinished, vi } from 'vitest';
import type { Locator } from 'vitest/browser';

let passed = 0;
const { timeOrigin } = performance;

/** Moves `Date.now` forward by `ms`. Wakes nothing by itself: an event of the browser makes the program look at its clock. */
export function passTime(ms: number): void {
  if (passed === 0) onTestFinished(() => void (passed = 0));
  passed += ms;
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(timeOrigin + performance.now() + passed));
}

/** Captures timers of exactly `ms`, single and repeating; the returned function fires them at once. Other timers run normally. */
export function holdWaits(ms: number): () => void {
  const held = new Map<number, { work: () => void; again: boolean }>();
  let last = 0;
  const { setTimeout, setInterval, clearTimeout, clearInterval } = window;
  const holding =
    (real: typeof setTimeout, again: boolean) =>
    (work: TimerHandler, wait?: number, ...args: unknown[]): number => {
      if (wait !== ms || typeof work !== 'function') return real(work, wait, ...args);
      // Negative ids cannot clash, because browsers use positive ids.
      held.set(--last, { work: () => work(...args), again });
      return last;
    };
  const dropping = (real: typeof clearTimeout) => (id?: number) => {
    if (!held.delete(id ?? 0)) real(id);
  };
  vi.spyOn(window, 'setTimeout').mockImplementation(holding(setTimeout, false) as never);
  vi.spyOn(window, 'setInterval').mockImplementation(holding(setInterval as typeof setTimeout, true) as never);
  vi.spyOn(window, 'clearTimeout').mockImplementation(dropping(clearTimeout) as never);
  vi.spyOn(window, 'clearInterval').mockImplementation(dropping(clearInterval) as never);
  return () => {
    for (const [id, { work, again }] of [...held]) {
      if (!again) held.delete(id);
      work();
    }
  };
}

/** Passes held waits until `locator` is on the screen: an answer on its way can start another wait. */
export const expectAfter = (pass: () => void, locator: Locator) =>
  expect
    .poll(() => {
      pass();
      return locator.elements();
    })
    .toHaveLength(1);
