import { beforeEach, expect, test, vi } from 'vitest';
import { operation } from '../../test/web/operations.ts';
import { ApiError } from '../api.ts';
import { holdsOperations, setHeld } from './held.ts';
import { installWords } from './installed.ts';
import { isCorrectable, type Operation, readOperation } from './operation.ts';
import { classifyError, idempotencyKey } from './send.ts';

/* What an answer means, which key a try has, and what earlier versions have stored. */

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key), setItem: stored.set.bind(stored) });
});

test.each<[number, string | undefined, object]>([
  [0, undefined, { kind: 'silent' }],
  [429, undefined, { kind: 'busy', limited: true }],
  ...[502, 503, 504].map((status): [number, undefined, object] => [status, undefined, { kind: 'busy', limited: false }]),
  [401, undefined, { kind: 'signedOut' }],
  [419, undefined, { kind: 'signedOut' }],
  [403, 'step_up', { kind: 'signedOut' }],
  [403, 'pending_totp', { kind: 'signedOut' }],
  [500, undefined, { kind: 'faulty', reason: 'No' }],
  [501, undefined, { kind: 'faulty', reason: 'No' }],
  [505, undefined, { kind: 'faulty', reason: 'No' }],
  [1, undefined, { kind: 'refused' }],
  [400, undefined, { kind: 'refused' }],
  [402, 'another', { kind: 'refused' }],
  [409, 'idempotency_unknown', { kind: 'busy', unknown: true }],
  [418, undefined, { kind: 'refused' }],
  [420, undefined, { kind: 'refused' }],
  [499, undefined, { kind: 'refused' }],
])('the answer %i %s is read as %j', (status, code, outcome) =>
  expect(classifyError(new ApiError(status, { message: 'No', ...(code && { code }) }), 4)).toMatchObject(outcome),
);

test('an error that is no answer is one of the program', () =>
  expect(classifyError(new TypeError('x'), 0)).toEqual({ kind: 'faulty', reason: 'Error del programa: no se ha podido enviar' }));

test('only a refusal of what was typed names fields', () => {
  const refusal = (status: number) => {
    const error = new ApiError(status, { message: 'No', errors: { pin: ['Falta'] } });
    expect(classifyError(error, 0)).toMatchObject({ kind: 'refused', reason: 'No', error });
    return Object.hasOwn(classifyError(error, 0), 'fields');
  };
  expect([421, 422, 423].map(refusal)).toEqual([false, true, false]);
});

test('a step whose first answer the server has forgotten is tried five times', () => {
  const error = new ApiError(409, { message: 'No', code: 'idempotency_unknown' });
  expect([4, 5].map((unknowns) => classifyError(error, unknowns).kind)).toEqual(['busy', 'refused']);
});

test('a step has one key, a file one for each try', () => {
  const keys = (more: Partial<Operation>) => [0, 1, 2].map((tries) => idempotencyKey(operation('7', 'a', { tries, ...more })));
  expect([keys({}), keys({ file: 'image/png' })]).toEqual([
    ['7', '7', '7'],
    ['7', '7-1', '7-2'],
  ]);
});

test('a form opens again for a refusal with fields that was not read', () => {
  const refused = { state: 'rechazado', form: {}, fields: {} } as const;
  const of = (more: Partial<Operation>) => isCorrectable(operation('1', 'a', { ...refused, ...more }));
  expect([of({}), of({ hidden: true }), of({ state: 'pendiente' })]).toEqual([true, false, false]);
  const { form, fields, ...bare } = operation('1', 'a', refused);
  expect([isCorrectable({ ...bare, form: {} }), isCorrectable({ ...bare, fields: {} })]).toEqual([false, false]);
});

test('a row of an earlier version is read; what that version gave up after two faults is tried again', () => {
  const { reported, ...row } = operation('1', 'a', { state: 'rechazado', refusedAt: '2026-11-20T10:00:00Z', next: 9 });
  const pending = { state: 'pendiente', refusedAt: null, reported: false, next: 0 };
  expect(readOperation(row)).toStrictEqual({ ...row, reported: false });
  expect(readOperation({ ...row, told: true })).toStrictEqual({ ...row, reported: true });
  expect(readOperation({ ...row, told: true, reported: false })).toStrictEqual({ ...row, reported: false });
  expect(readOperation({ ...row, faults: 3, bugs: 1 })).toStrictEqual({ ...row, faults: 3, reported: false });
  expect(readOperation({ ...row, bugs: 1 })).toStrictEqual({ ...row, faults: 1, reported: false });
  expect(readOperation({ ...row, bugs: 2 })).toStrictEqual({ ...row, ...pending, faults: 2 });
  expect(readOperation({ ...row, bugs: 3, told: true })).toStrictEqual({ ...row, ...pending, faults: 3 });
  expect(readOperation({ ...row, bugs: 2, reported: true })).toStrictEqual({ ...row, faults: 2, reported: true });
  expect(readOperation({ ...row, state: 'aceptado', bugs: 2 })).toStrictEqual({ ...row, state: 'aceptado', faults: 2, reported: false });
});

test('a phone remembers whose operations it holds', () => {
  const held = () => ['nuria', 'pepe', ''].filter(holdsOperations);
  expect(held()).toEqual([]);
  setHeld('nuria', false);
  expect(localStorage.getItem('enruta-bandeja-de')).toBeUndefined();
  setHeld('nuria', true);
  setHeld('nuria', true);
  setHeld('pepe', true);
  expect([held(), localStorage.getItem('enruta-bandeja-de')]).toEqual([['nuria', 'pepe'], 'nuria pepe']);
  setHeld('nuria', false);
  expect([held(), localStorage.getItem('enruta-bandeja-de')]).toEqual([['pepe'], 'pepe']);
});

test.each([
  ['iPhone; CPU', /^En Safari/],
  ['iPad; CPU', /^En Safari/],
  ['Linux; Android 15', /^En Chrome/],
  ['Windows', /^Android: En Chrome.* iPhone: En Safari/],
])('on «%s» the program is installed as %s', (agent, words) => expect(installWords(agent)).toMatch(words));
