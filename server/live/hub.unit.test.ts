import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Role } from '../../contract/policy/policy.ts';
import { createHub } from './hub.ts';

/* A screen requests its data before its stream opens, so a new stream is sent what changed meanwhile. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** Opens a stream for a page of `age` milliseconds; returns what it is sent. */
function open(hub: ReturnType<typeof createHub>, role: Role, age: number, id = 'someone') {
  const sent: string[] = [];
  hub.add({ user: { id, role }, send: (event, data) => sent.push(`${event} ${data}`.trim()), close: () => {} }, age);
  return sent;
}
/** Creates a hub that has run for more than a minute. */
function running() {
  const hub = createHub();
  later(60_000);
  return hub;
}

it('a new stream is sent each topic that changed since its page began, once', () => {
  const hub = running();
  hub.publish({ topic: 'settings', roles: ['superadmin'] });
  later(1_000);
  hub.publish({ topic: 'pedidos', roles: ['superadmin'] });
  hub.publish({ topic: 'pedidos', roles: ['superadmin'] });
  hub.publish({ topic: 'users', roles: ['superadmin'] });
  later(500);
  expect(open(hub, 'superadmin', 1_000)).toEqual(['change pedidos', 'change users']);
  expect(open(hub, 'superadmin', 500)).toEqual([]);
});

it('a new stream is not sent changes for other people', () => {
  const hub = running();
  hub.publish({ topic: 'pedidos', roles: ['superadmin'], users: ['rita'] });
  later(1);
  expect(open(hub, 'revendedor', 100, 'rita')).toEqual(['change pedidos']);
  expect(open(hub, 'revendedor', 100, 'eva')).toEqual([]);
});

it('a page older than a start, a lost connection or the minute that is remembered refetches everything', () => {
  const hub = createHub();
  later(300);
  expect(open(hub, 'revendedor', 301)).toEqual(['resync']);
  expect(open(hub, 'revendedor', 299)).toEqual([]);
  later(60_000);
  hub.resync();
  later(300);
  expect(open(hub, 'revendedor', 301)).toEqual(['resync']);
  expect(open(hub, 'revendedor', 60_001)).toEqual(['resync']);
});
