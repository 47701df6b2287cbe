import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadPatiently, registerProbe } from './lazy.ts';

const UNREACHABLE = new Error('no connection');
let reachable: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  reachable = true;
  registerProbe(async () => (reachable ? undefined : UNREACHABLE));
});
afterEach(() => void vi.useRealTimers());

test('a chunk that loads for minutes is awaited while the server answers, and requested only once', async () => {
  const chunk = Promise.withResolvers<string>();
  const load = vi.fn(() => chunk.promise);
  const got = loadPatiently(load);
  await vi.advanceTimersByTimeAsync(180_000);
  chunk.resolve('part');
  expect(await got).toBe('part');
  expect(load).toHaveBeenCalledTimes(1);
});

test('a chunk that fails once is requested again', async () => {
  const load = vi.fn(async () => 'part').mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const got = loadPatiently(load);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await got).toBe('part');
});

test('a chunk replaced by a newer version fails after the second try', async () => {
  const load = vi.fn(() => Promise.reject(new TypeError('gone')));
  const got = loadPatiently(load).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await got).toBe('gone');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a chunk that fails offline is requested again once the network is back', async () => {
  reachable = false;
  const load = vi.fn(async () => 'part').mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const got = loadPatiently(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await got).toBe('part');
});
