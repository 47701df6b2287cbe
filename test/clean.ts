import { afterAll, vi } from 'vitest';

/* Unit tests share a process, so each file leaves the clock and the globals as it found them, even if a test fails. */

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
