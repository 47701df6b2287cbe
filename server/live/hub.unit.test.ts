import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Role } from '../../contract/policy/policy.ts';
import { createHub } from './hub.ts';

/* A screen requests its data before its stream opens, so a new stream is told what changed lately. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** Opens a stream; returns what it is told. */
function open(hub: ReturnType<typeof createHub>, role: Role, id = 'someone') {
  const told: [string, unknown][] = [];
  hub.add({ user: { id, role }, send: (event, data) => told.push([event, data && JSON.parse(data)]), close: () => {} });
  return told;
}
/** Creates a hub that has run for more than a minute. */
function running() {
  const hub = createHub();
  later(60_000);
  return hub;
}

it('a new stream is told the last change of each topic in the minute before, with its age in milliseconds', () => {
  const hub = running();
  hub.publish({ topic: 'settings', roles: ['superadmin'] });
  later(40_000);
  hub.publish({ topic: 'pedidos', roles: ['superadmin'] });
  later(20_000);
  hub.publish({ topic: 'pedidos', roles: ['superadmin'] });
  hub.publish({ topic: 'users', roles: ['superadmin'] });
  later(500);
  expect(open(hub, 'superadmin')).toEqual([
    ['recent', { topic: 'pedidos', hace: 500 }],
    ['recent', { topic: 'users', hace: 500 }],
  ]);
});

it('a new stream is not told of changes for other people', () => {
  const hub = running();
  hub.publish({ topic: 'pedidos', roles: ['superadmin'], users: ['rita'] });
  expect(open(hub, 'revendedor', 'rita')).toEqual([['recent', { topic: 'pedidos', hace: 0 }]]);
  expect(open(hub, 'revendedor', 'eva')).toEqual([]);
});

it('in the minute after a start or a lost connection a new stream is told that anything may have changed', () => {
  const hub = createHub();
  later(59_999);
  expect(open(hub, 'revendedor')).toEqual([['recent', { hace: 59_999 }]]);
  later(1);
  expect(open(hub, 'revendedor')).toEqual([]);
  hub.resync();
  later(300);
  expect(open(hub, 'revendedor')).toEqual([['recent', { hace: 300 }]]);
});
