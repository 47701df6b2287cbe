import { expect, test, vi } from 'vitest';

test('a person counts as absent after ninety seconds without input, until the next input', async () => {
  vi.useFakeTimers();
  const heard = new Map<string, () => void>();
  vi.stubGlobal('addEventListener', (event: string, listener: () => void) => heard.set(event, listener));
  // Listens when it is loaded, which another file may have caused.
  vi.resetModules();
  const { isAttended } = await import('./attended.ts');
  expect(isAttended()).toBe(true);
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    vi.advanceTimersByTime(89_000);
    expect(isAttended()).toBe(true);
    vi.advanceTimersByTime(2_000);
    expect(isAttended()).toBe(false);
    heard.get(event)?.();
    expect(isAttended(), event).toBe(true);
  }
});
