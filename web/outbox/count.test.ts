import { beforeEach, expect, test, vi } from 'vitest';
import { guardarRuta } from '../../contract/ruta/ruta.ts';
import { UNSENT } from '../../contract/session/fields.ts';
import { NURIA, operation } from '../../test/web/operations.ts';
import { countWaiting, createCount } from './count.ts';

/* The header that reports a phone's unsent operations. */

const AT = '2026-11-20T10:00:00.000Z';
const delivery = operation('1', 'a', { at: AT });
const photo = operation('2', 'a', { file: 'image/jpeg', after: '1' });
const route = operation('3', '', { path: guardarRuta.path, at: '2026-11-20T09:00:00.000Z' });
const another = operation('4', 'b', { at: '2026-11-20T11:00:00.000Z' });
const theirs = operation('5', 'c', { person: 'pepe', personName: 'Pepe Ríos', at: AT });

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key), setItem: stored.set.bind(stored) });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(AT) });
});

test('each request reports how many orders are unsent and since when, without files and routes', () => {
  const count = createCount(NURIA);
  count.set([]);
  expect(count.headers()).toEqual({});
  count.set([route, delivery, photo, another]);
  expect(count.headers()).toEqual({ [UNSENT]: `2;${AT}` });
});

test('once everything is sent, requests report none for two minutes, even after a reload', () => {
  createCount(NURIA).set([delivery]);
  const count = createCount(NURIA);
  count.set([]);
  vi.advanceTimersByTime(120_000);
  expect(count.headers()).toEqual({ [UNSENT]: '0' });
  vi.advanceTimersByTime(1);
  // The request after two minutes is the last to report.
  expect([count.headers(), count.headers()]).toEqual([{ [UNSENT]: '0' }, {}]);
  const reloaded = createCount(NURIA);
  reloaded.set([]);
  expect(reloaded.headers()).toEqual({});
});

test('the operations of other people on the phone are reported beside the own', () => {
  const others = countWaiting([theirs, { ...theirs, id: '6', pedido: 'd' }]);
  expect(others).toEqual([{ person: 'pepe', name: 'Pepe Ríos', orders: 2, since: AT }]);
  const count = createCount(NURIA);
  count.set([], others);
  expect(count.headers()).toEqual({ [UNSENT]: `0|pepe=2;${AT}` });
  count.set([delivery], others);
  expect(count.headers()).toEqual({ [UNSENT]: `1;${AT}|pepe=2;${AT}` });
});

test('of other people each has the own orders, the oldest first, and none for a route alone', () => {
  const later = { ...theirs, id: '6', pedido: 'd', at: '2026-11-20T11:00:00.000Z' };
  const ana = operation('7', 'e', { person: 'ana', at: AT });
  expect(countWaiting([theirs, later, ana])).toEqual([
    { person: 'pepe', name: 'Pepe Ríos', orders: 2, since: AT },
    { person: 'ana', name: undefined, orders: 1, since: AT },
  ]);
  expect(countWaiting([{ ...route, person: 'pepe' }])).toEqual([]);
  expect(countWaiting([])).toEqual([]);
});
