import { expect, test, vi } from 'vitest';

/** Loads the module afresh, because another file may have loaded it; `send` tells it what a browser would. */
async function load() {
  const listeners: [type: string, listener: (event: object) => void][] = [];
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', (...listening: (typeof listeners)[number]) => listeners.push(listening));
  vi.resetModules();
  const { isAttended } = await import('./attended.ts');
  const { notifyManager } = await import('@tanstack/react-query');
  const send = (type: string, event = {}) => {
    for (const [heard, listener] of listeners) if (heard === type) listener(event);
  };
  return { isAttended, notifyManager, send };
}

test('a person counts as absent after ninety seconds without input, until the next input', async () => {
  const { isAttended, send } = await load();
  expect(isAttended()).toBe(true);
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    vi.advanceTimersByTime(89_000);
    expect(isAttended()).toBe(true);
    vi.advanceTimersByTime(2_000);
    expect(isAttended()).toBe(false);
    send(type);
    expect(isAttended(), type).toBe(true);
  }
});

test.each([
  ['ends', 'pointerup'],
  ['becomes a scroll', 'pointercancel'],
  ['ended outside the window, as the next movement without a button shows', 'pointermove'],
])('new data waits during a press, and is drawn after the click when the press %s', async (_, end) => {
  const { notifyManager, send } = await load();
  const draw = vi.fn();
  send('pointerdown', { button: 0, buttons: 1 });
  notifyManager.schedule(draw);
  send('pointermove', { button: -1, buttons: 1 });
  vi.advanceTimersByTime(10_000);
  expect(draw).not.toHaveBeenCalled();
  send(end, { button: -1, buttons: 0 });
  expect(draw).not.toHaveBeenCalled();
  vi.advanceTimersByTime(50);
  expect(draw).toHaveBeenCalledOnce();
  notifyManager.schedule(draw);
  vi.advanceTimersByTime(0);
  expect(draw).toHaveBeenCalledTimes(2);
});

test('a press of the right button, whose end a menu may swallow, does not delay the data', async () => {
  const { notifyManager, send } = await load();
  const draw = vi.fn();
  send('pointerdown', { button: 2, buttons: 2 });
  notifyManager.schedule(draw);
  vi.advanceTimersByTime(0);
  expect(draw).toHaveBeenCalledOnce();
});
