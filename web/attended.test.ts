import { expect, test, vi } from 'vitest';

test('a person counts as absent after ninety seconds without input, until the next input', async () => {
  vi.useFakeTimers();
  const heard: [event: string, listener: (event: object) => void][] = [];
  vi.stubGlobal('addEventListener', (...given: (typeof heard)[number]) => heard.push(given));
  // Listens when it is loaded, which another file may have caused.
  vi.resetModules();
  const { isAttended } = await import('./attended.ts');
  expect(isAttended()).toBe(true);
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    vi.advanceTimersByTime(89_000);
    expect(isAttended()).toBe(true);
    vi.advanceTimersByTime(2_000);
    expect(isAttended()).toBe(false);
    for (const [name, listener] of heard) if (name === event) listener({});
    expect(isAttended(), event).toBe(true);
  }
});
