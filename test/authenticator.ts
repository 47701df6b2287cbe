import { TOTP } from 'otpauth';
import { afterEach, beforeEach, vi } from 'vitest';

/** Code that the authenticator shows now, or after `later` steps of thirty seconds. */
export const codeOf = (secret: string, later = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + later * 30_000 });

/** Stops the clock of the program during each test, so that no new code begins in the middle of one. */
export function stopClockForEachTest(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
}
