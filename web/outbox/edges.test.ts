import { describe, expect, test } from 'vitest';
import type { Operation, Outcome } from './operation.ts';
import {
  AT_DOOR_MS,
  afterReport,
  isSendable,
  isUnreported,
  type Lane,
  type Link,
  linkAfter,
  nextTask,
  QUIET,
  taskAfterOutcome,
  waitAfter,
  wakeLink,
} from './states.ts';

/* Each decision of a carrier's outbox alone, at both sides of its bounds; states.test.ts plays whole days at random. */

const NOW = 1_700_000_000_000;
const at = (ms: number) => new Date(NOW + ms).toISOString();
const op = (more: Partial<Operation> = {}): Operation => ({
  ...{ id: '1', seq: 1, person: 'nuria', pedido: 'a', numero: '', label: '', method: 'POST', path: '/estado', body: {}, at: at(0) },
  ...{ version: '1', state: 'pendiente', reason: null, refusedAt: null, reported: false, tries: 0, next: 0 },
  ...more,
});
const file = (more: Partial<Operation> = {}) => op({ id: 'f', seq: 2, file: 'image/webp', after: '1', ...more });
const REFUSED = { state: 'rechazado', reported: true, hidden: true } as const;
const task = (operations: Operation[], { lane = 'steps' as Lane, link = {} as Partial<Link>, now = NOW } = {}) => {
  const next = nextTask(operations, now, lane, { ...QUIET, ...link }, '1');
  if (next.do === 'wait') return `wait ${next.ms}`;
  if (next.do === 'rest') return 'rest';
  return `${next.do} ${next.do === 'remove' ? next.operations.map(({ id }) => id).join(' ') : next.operation.id}`;
};

test('a pause doubles from two seconds to two minutes', () => {
  expect([0, 1, 2, 6, 7, 1000].map(waitAfter)).toEqual([2000, 2000, 4000, 64_000, 120_000, 120_000]);
});

test('a refusal, and two faults, are reported once', () => {
  const state = 'rechazado' as const;
  expect(
    [op(), op({ faults: 1 }), op({ faults: 2 }), op({ faults: 2, faultReported: true }), op({ faults: 2, state: 'aceptado' })].map(
      isUnreported,
    ),
  ).toEqual([false, false, true, false, false]);
  expect([op({ state }), op({ state, reported: true })].map(isUnreported)).toEqual([true, false]);
});

test('the files of a refused step are sent only if the office wants them', () => {
  const sent = (wanted?: boolean) =>
    isSendable([
      op({ ...REFUSED, ...(wanted !== undefined && { wanted }) }),
      file(),
      file({ id: 'g', after: '9' }),
      op({ id: '3', state: 'aceptado' }),
    ]).map(({ id }) => id);
  expect([sent(), sent(false), sent(true)]).toEqual([['g'], ['g'], ['f', 'g']]);
});

describe('what a lane does now', () => {
  test.each<[string, Operation[], Parameters<typeof task>[1], string]>([
    ['nothing to do', [], {}, 'rest'],
    ['a step', [op()], {}, 'send 1'],
    ['a step, by the lane of files', [op()], { lane: 'files' }, 'rest'],
    ['a file, by the lane of steps', [file()], {}, 'rest'],
    ['the first step of an order', [op(), op({ id: '2', seq: 2 })], {}, 'send 1'],
    ['a step behind an accepted one', [op({ state: 'aceptado' }), op({ id: '2', seq: 2 })], {}, 'send 2'],
    ['a step behind a refused one', [op({ ...REFUSED, hidden: false }), op({ id: '2', seq: 2 })], {}, 'rest'],
    ['a step of another order', [op({ ...REFUSED, hidden: false }), op({ id: '2', seq: 2, pedido: 'b' })], {}, 'send 2'],
    ['a step that is due', [op({ next: NOW })], {}, 'send 1'],
    ['a step that is due in a moment', [op({ next: NOW + 1 })], {}, 'wait 1'],
    ['the earliest of two', [op({ next: NOW + 9 }), op({ id: '2', pedido: 'b', next: NOW + 5 })], {}, 'wait 5'],
    ['a step of a clock that was set back', [op({ next: NOW + 300_001 })], {}, 'send 1'],
    ['a step as late as can be', [op({ next: NOW + 300_000 })], {}, 'wait 300000'],
    ['a wake since the last try', [op({ next: NOW + 9 })], { link: { wakes: 2, tried: { 1: 1 } } }, 'send 1'],
    ['no wake since the last try', [op({ next: NOW + 9 })], { link: { wakes: 1, tried: { 1: 1 } } }, 'wait 9'],
    ['a wake before any try', [op({ next: NOW + 9 })], { link: { wakes: 1 } }, 'send 1'],
    ['a fault despite a wake', [op({ next: NOW + 9, faults: 1 })], { link: { wakes: 1 } }, 'wait 9'],
    ['a fault of another version', [op({ next: NOW + 9, faults: 1, version: '0' })], {}, 'send 1'],
    ['a signed-out person', [op()], { link: { signedOut: true } }, 'rest'],
    ['a report before a step', [op({ id: '2', pedido: 'b' }), op({ state: 'rechazado' })], {}, 'report 1'],
    ['a report that waits for the form', [op({ state: 'rechazado', reportNext: NOW + 3 })], {}, 'wait 3'],
    ['a report of a clock that was set back', [op({ state: 'rechazado', reportNext: NOW + 300_001 })], {}, 'report 1'],
    ['a report of a file', [file({ state: 'rechazado' })], {}, 'rest'],
    ['a report of a file, by its lane', [file({ state: 'rechazado' })], { lane: 'files' }, 'report f'],
    ['a refused step that was read', [op(REFUSED), file()], {}, 'remove f 1'],
    ['a refused step that was read, signed out', [op(REFUSED)], { link: { signedOut: true } }, 'remove 1'],
    ['a refused step that was read, by the lane of files', [op(REFUSED)], { lane: 'files' }, 'rest'],
    ['a refused step that was not read', [op({ ...REFUSED, hidden: false })], {}, 'rest'],
    ['a refused step of which the office does not know', [op({ ...REFUSED, reported: false })], {}, 'report 1'],
    ['a refused step whose files are wanted', [op({ ...REFUSED, wanted: true }), file()], {}, 'rest'],
    ['a refused step whose wanted files are sent', [op({ ...REFUSED, wanted: true })], {}, 'remove 1'],
    ['wanted files', [op({ ...REFUSED, wanted: true }), file()], { lane: 'files' }, 'send f'],
    [
      'wanted files behind an open step',
      [op(), op({ ...REFUSED, id: '2', seq: 2, wanted: true }), file({ seq: 3, after: '2' })],
      { lane: 'files' },
      'send f',
    ],
    ['a file behind its step', [op(), file()], { lane: 'files' }, 'rest'],
    ['a file behind an accepted step', [op({ state: 'aceptado' }), file()], { lane: 'files' }, 'send f'],
    ['a file before a later step', [op({ seq: 3 }), file()], { lane: 'files' }, 'send f'],
    ['a file beside a step of its number', [op({ seq: 2 }), file()], { lane: 'files' }, 'send f'],
    ['a file beside another order’s step', [op({ pedido: 'b' }), file()], { lane: 'files' }, 'send f'],
    ['the file with fewer tries', [file({ tries: 2 }), file({ id: 'g', tries: 1 })], { lane: 'files' }, 'send g'],
  ])('%s', (_, operations, how, done) => expect(task(operations, how)).toBe(done));

  const silent = (silences: number, link: Partial<Link> = {}) => ({ link: { silences, silentAt: NOW - 1000, ...link } });
  test.each<[string, Parameters<typeof task>[1], string]>([
    ['a silence', silent(1), 'wait 1000'],
    ['the end of its pause', { ...silent(1), now: NOW + 1000 }, 'send 1'],
    ['three silences', silent(3), 'wait 7000'],
    ['a wake after one silence', silent(1, { wakes: 1 }), 'send 1'],
    ['a wake after two', silent(2, { wakes: 1 }), 'wait 4000'],
    ['a wake after many', silent(20, { wakes: 1 }), 'wait 4000'],
    ['no silence', silent(0), 'send 1'],
  ])('after %s', (_, how, done) => expect(task([op()], how)).toBe(done));

  test('a pause and a later operation: the later of both', () => {
    expect(task([op({ next: NOW + 500 })], silent(1))).toBe('wait 1000');
    expect(task([op({ next: NOW + 1500 })], silent(1))).toBe('wait 1500');
  });
});

describe('after an outcome', () => {
  const changes = (outcome: object, more: Partial<Operation> = {}, isAwaited = false) =>
    taskAfterOutcome(op({ tries: 2, ...more }), outcome as Outcome, NOW, isAwaited, '7');
  const refusal = { kind: 'refused', reason: 'No', fields: { cobrado: 'Falta' } };
  const refused = { state: 'rechazado', reason: 'No', refusedAt: at(0), tries: 3 };
  test.each<[string, unknown, object]>([
    ['accepted', changes({ kind: 'accepted' }), { state: 'aceptado', acceptedAt: NOW }],
    ['refused', changes({ kind: 'refused', reason: 'No' }), { ...refused, seen: false, reportNext: 0 }],
    ['refused in the form', changes({ kind: 'refused', reason: 'No' }, {}, true), { ...refused, seen: true, reportNext: NOW + 3000 }],
    [
      'refused, and the form can correct it',
      changes(refusal, { form: {} }),
      { ...refused, fields: refusal.fields, seen: false, reportNext: NOW + AT_DOOR_MS },
    ],
    ['silent', changes({ kind: 'silent' }), { tries: 3, next: NOW + 8000 }],
    ['busy', changes({ kind: 'busy' }), { tries: 3, next: NOW + 8000 }],
    ['busy for long', changes({ kind: 'busy', limited: true }), { tries: 3, next: NOW + 300_000 }],
    ['busy, perhaps done', changes({ kind: 'busy', unknown: true }), { tries: 3, next: NOW + 8000, unknowns: 1 }],
    ['busy, perhaps done, again', changes({ kind: 'busy', unknown: true }, { unknowns: 1 }), { tries: 3, next: NOW + 8000, unknowns: 2 }],
    ['faulty', changes({ kind: 'faulty', reason: 'Mal' }), { tries: 3, faults: 1, reason: 'Mal', version: '7', next: NOW + 5000 }],
    [
      'faulty again',
      changes({ kind: 'faulty', reason: 'Mal' }, { faults: 1 }),
      { tries: 3, faults: 2, reason: 'Mal', version: '7', next: NOW + 10_000 },
    ],
    ['signed out', changes({ kind: 'signedOut' }), {}],
  ])('%s', (_, made, wanted) => expect(made).toEqual(wanted));

  test('a form opens again within a minute of its step, by a clock that goes wrong either way', () => {
    const opens = (ms: number, more: Partial<Operation> = { form: {} }) => changes(refusal, { at: at(ms), ...more }).reportNext !== 0;
    expect([-59_999, 59_999, -60_000, 60_000].map((ms) => opens(ms))).toEqual([true, true, false, false]);
    expect(opens(0, {})).toBe(false);
  });
});

test('after a report', () => {
  const refused = op({ state: 'rechazado', reports: 1 });
  expect([afterReport(refused, 'failed', NOW), afterReport(op(), 'failed', NOW)]).toEqual([
    { reports: 2, reportNext: NOW + 10_000 },
    { reports: 1, reportNext: NOW + 5000 },
  ]);
  expect([afterReport(refused, 'reported', NOW), afterReport(refused, 'files', NOW), afterReport(op(), 'reported', NOW)]).toEqual([
    { reported: true, wanted: false },
    { reported: true, wanted: true },
    { faultReported: true },
  ]);
});

describe('the network after an outcome', () => {
  const LINK: Link = { ...QUIET, silences: 2, wakes: 5, tried: { 2: 1 } };
  const linked = (kind: Outcome['kind'], lane: Lane = 'steps', wakes?: number) => linkAfter(LINK, '1', { kind }, lane, NOW, wakes);
  const tried = { 1: 5, 2: 1 };
  const silent = { ...LINK, tried, silences: 3, silentAt: NOW, silentAtWake: 5 };
  test.each<[string, Link, Link]>([
    ['silent', linked('silent'), silent],
    ['busy with steps', linked('busy'), silent],
    ['busy with a file', linked('busy', 'files'), { ...LINK, tried, silences: 0 }],
    ['silent with a file', linked('silent', 'files'), silent],
    ['accepted', linked('accepted'), { ...LINK, tried, silences: 0 }],
    ['refused', linked('refused'), { ...LINK, tried, silences: 0 }],
    ['signed out', linked('signedOut'), { ...LINK, tried, signedOut: true }],
    ['woken meanwhile', linked('silent', 'steps', 4), { ...silent, tried: { 1: 4, 2: 1 }, silentAtWake: 4 }],
  ])('%s', (_, link, wanted) => expect(link).toEqual(wanted));

  test('a wake is counted and signs in again', () => {
    expect(wakeLink({ ...LINK, signedOut: true })).toEqual({ ...LINK, wakes: 6, signedOut: false });
  });
});
