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

/** Captures timers of exactly these `ms`, single and repeating; the returned function fires them at once. Other timers run normally. */
export function holdWaits(...ms: readonly number[]): () => void {
  const held = new Map<number, { work: () => void; again: boolean }>();
  // Browsers use positive ids, and Mantine clears -1 where it has no timer yet.
  let last = -1000;
  const { setTimeout, setInterval, clearTimeout, clearInterval } = window;
  const holding =
    (real: typeof setTimeout, again: boolean) =>
    (work: TimerHandler, wait?: number, ...args: unknown[]): number => {
      if (!ms.includes(wait ?? 0) || typeof work !== 'function') return real(work, wait, ...args);
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

/** Captures the pauses before a lost request is sent again (`retryDelay` in web/api.ts). */
export const holdRetries = () => holdWaits(500, 1000);

/** Passes held waits until `locator` is on the screen, or gone (`n` is 0): an answer on its way can start another wait. */
export const expectAfter = (pass: () => void, locator: Locator, n = 1) =>
  expect
    .poll(() => {
      pass();
      return locator.elements();
    })
    .toHaveLength(n);
