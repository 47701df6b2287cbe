import { describe, expect, test } from 'vitest';
import { happenedEarlier } from '../../../contract/pedidos/happened.ts';
import { isLate, withinBounds } from './happened.ts';

const NOW = Date.parse('2026-11-25T18:40:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const at = (ms: number) => new Date(ms).toISOString();

describe('the time of a step', () => {
  test.each<[string, number, number, number, number | null, boolean]>([
    ['is the telephone’s', NOW - 215 * MINUTE, 0, NOW - 215 * MINUTE, NOW - 215 * MINUTE, false],
    ['is the server’s if the request took less than a minute', NOW - 20_000, 0, NOW, null, false],
    ['is the server’s, without a note, if the telephone’s clock is a little ahead', NOW + 4 * MINUTE, 0, NOW, null, false],
    ['is the server’s, with a note, if the telephone’s clock is far ahead', NOW + 6 * MINUTE, 0, NOW, null, true],
    ['is at most seven days old, with a note of an older time', NOW - 9 * DAY, 0, NOW - 7 * DAY, NOW - 7 * DAY, true],
    ['is not before the last step, with a note of an earlier time', NOW - 3 * DAY, NOW - DAY, NOW - DAY, NOW - DAY, true],
    ['is the last step’s, without a note, if the clocks differ by seconds', NOW - DAY - 5000, NOW - DAY, NOW - DAY, NOW - DAY, false],
    ['is the server’s, with a note, if the last step has just been made', NOW - DAY, NOW - 1000, NOW, null, true],
    ['is the telephone’s from a minute on', NOW - MINUTE, 0, NOW - MINUTE, NOW - MINUTE, false],
    ['is the server’s a moment before the minute', NOW - MINUTE + 1, 0, NOW, null, false],
    ['is the server’s, without a note, at five minutes ahead', NOW + 5 * MINUTE, 0, NOW, null, false],
    ['is the server’s, with a note, beyond five minutes ahead', NOW + 5 * MINUTE + 1, 0, NOW, null, true],
    ['is the last step’s, with a note, from a minute on', NOW - DAY - MINUTE, NOW - DAY, NOW - DAY, NOW - DAY, true],
    ['is the last step’s, without a note, below a minute', NOW - DAY - MINUTE + 1, NOW - DAY, NOW - DAY, NOW - DAY, false],
  ])('the time of a step %s', (_, claimed, earliest, when, kept, noted) => {
    expect(withinBounds(claimed, NOW, earliest)).toEqual({
      at: at(when),
      ocurrido_at: kept && at(kept),
      ocurrido_dicho: noted ? at(claimed) : null,
    });
  });

  test('the time of a step is shown beside the server’s time if they differ by more than an hour', () => {
    const entry = (ago: number | null) => ({ created_at: at(NOW), ocurrido_at: ago === null ? null : at(NOW - ago) });
    expect([null, 59 * MINUTE, 61 * MINUTE].map((ago) => happenedEarlier(entry(ago)))).toEqual([false, false, true]);
  });

  test('a step is late once a minute has passed by the telephone’s clock', () => {
    const late = (ms: number) => isLate(at(ms), NOW);
    expect([late(NOW - MINUTE), late(NOW - MINUTE + 1), late(NOW + DAY), isLate(undefined, NOW)]).toEqual([true, false, false, false]);
  });
});
