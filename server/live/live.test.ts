import { get, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { live } from '../../contract/live/live.ts';
import { readNotifications } from '../../contract/notifications/notifications.ts';
import { importPedidos } from '../../contract/pedidos/import.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateProduct } from '../../contract/products/products.ts';
import { logout } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { deleteUser, updateUser } from '../../contract/users/users.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';
import { buildApp } from '../app.ts';
import { transact } from '../db/open.ts';
import { emit } from './emit.ts';

/* A change made on one instance reaches the browsers of every instance, but only those of the people concerned. */

let world: World;
let other: FastifyInstance;
beforeAll(async () => {
  world = await createWorld();
  other = await buildApp({ ...world.process });
  return async () => {
    await other.close();
    await world.close();
  };
});
beforeEach(() => world.reset());

// Shorter than the heartbeat (20 s), which would also end the stream of a closed session.
const SOON = { timeout: 10_000, interval: 20 };

/** Opens a person's stream on an instance and collects its topics. */
async function listen({ cookies }: Person, app = other) {
  const response = await app.inject({ url: live.path, headers: { cookie: `enruta=${cookies.get('enruta')}` }, payloadAsStream: true });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
  let text = '';
  const stream = response.stream().on('data', (chunk) => (text += chunk));
  return {
    text: () => text,
    topics: () => [...new Set([...text.matchAll(/^event: change\ndata: (.*)$/gm)].map(([, topic]) => topic))].sort(),
    ended: () => stream.readableEnded,
    stop: () => void stream.destroy(),
  };
}

it('an order created on one instance reaches the people concerned on a second instance', async () => {
  const { superadmin, revendedor, transportista } = await everyRole(world);
  const foreign = await world.as(await world.user({ role: 'revendedor' }));
  const pack = await world.pack();
  const [admins, resellers, carriers, strangers] = [
    await listen(superadmin),
    await listen(revendedor),
    await listen(transportista),
    await listen(foreign),
  ];
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id };
  const { id } = (await revendedor.call(createPedido, { body })).body.data;
  await expect.poll(admins.topics, SOON).toEqual(['audit', 'notifications', 'pedidos', 'products']);
  await expect.poll(resellers.topics, SOON).toEqual(['pedidos', 'products']);

  await superadmin.call(setEstado, { params: { id }, body: { estado: 'pendiente', referencia: 'TRF' } });
  await expect.poll(carriers.topics, SOON).toEqual(['notifications', 'pedidos']);
  await expect.poll(resellers.topics, SOON).toEqual(['notifications', 'pedidos', 'products']);
  // All resellers share the stock, but an unrelated reseller hears nothing of the order.
  expect(strangers.topics()).toEqual(['products']);
  // Events have no data of the order.
  for (const heard of [admins, resellers, carriers, strangers]) {
    expect(heard.text()).not.toMatch(/Ana|ORD-|[0-9a-f]{8}-/);
    heard.stop();
  }
});

it('a change on one instance reaches the streams of both instances', async () => {
  const superadmin = await world.as('superadmin');
  const [here, there] = [await listen(superadmin, world.app), await listen(superadmin)];
  const { id, name, min_stock } = await world.product();
  await superadmin.call(updateProduct, { params: { id }, body: { name, min_stock, stock: 5, is_active: true } });
  await expect.poll(() => [here.topics(), there.topics()].map((topics) => topics.includes('products')), SOON).toEqual([true, true]);
  here.stop();
  there.stop();
});

it('progress of an import reaches only its author, on any instance', async () => {
  const [reseller, admin] = [await world.as('revendedor'), await world.as('superadmin')];
  const [mine, others] = [await listen(reseller), await listen(admin)];
  const { id: pack_id } = await world.pack({ pack_quantity: 1 });
  const filas = Array.from({ length: 700 }, (_, i) => ({ cliente_nombre: `Cliente ${i}`, cliente_direccion: 'Calle 1', pack_id }));
  const progress = () => [...mine.text().matchAll(/^event: progress\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
  const headers = { 'idempotency-key': 'hoja-0001' };
  let answered = false;
  const answer = reseller.call(importPedidos, { body: { filas }, headers }).finally(() => (answered = true));
  await expect.poll(() => answered || progress().length > 0, { interval: 20 }).toBe(true);
  expect(answered).toBe(false);
  expect((await answer).status).toBe(201);
  await expect.poll(progress, SOON).toEqual([1, 2, 3, 4, 5, 6].map((hechos) => ({ clave: 'hoja-0001', hechos, de: 6 })));
  await expect.poll(others.topics, SOON).toContain('pedidos');
  expect(others.text()).not.toContain('progress');
  for (const heard of [mine, others]) heard.stop();
});

it('reading notifications on one screen updates only the same person’s screens', async () => {
  const { superadmin, revendedor, transportista } = await everyRole(world);
  const [mine, others] = [await listen(revendedor), await listen(transportista)];
  await revendedor.call(readNotifications, { body: {} });
  await expect.poll(mine.topics, SOON).toEqual(['notifications']);
  // A settings change reaches everyone, so an event about the read would have arrived before the settings change.
  await superadmin.call(updateSettings, { body: { companyName: 'Almazara' } });
  await expect.poll(others.topics, SOON).toEqual(['settings']);
  mine.stop();
  others.stop();
});

it.each([
  [
    'deactivated',
    (admin: Person, { user: { id, full_name, email } }: Person) =>
      admin.call(updateUser, { params: { id }, body: { full_name, email, is_active: false } }),
  ],
  ['deleted', (admin: Person, { user: { id } }: Person) => admin.call(deleteUser, { params: { id } })],
  ['signed out', (_: Person, gone: Person) => gone.call(logout)],
])('only the streams of the person who is %s end, at once and on every instance', async (_, shutOut) => {
  const [admin, gone, here] = [await world.as('superadmin'), await world.as('revendedor'), await world.as('transportista')];
  const [first, second, others] = [await listen(gone, world.app), await listen(gone), await listen(here)];
  expect((await shutOut(admin, gone)).status).toBe(200);
  await expect.poll(() => [first.ended(), second.ended()], SOON).toEqual([true, true]);
  expect(others.ended()).toBe(false);
  others.stop();
});

it('a stream of an ended session gets nothing more, even if the browser keeps the connection open', async () => {
  const [gone, here] = [await world.as('revendedor'), await world.as(await world.user({ role: 'revendedor' }))];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const app = await buildApp({ ...world.process });
  const address = new URL(live.path, await app.listen({ port: 0 }));
  const response = new Promise<ServerResponse>((resolve) => app.server.prependOnceListener('request', (_, raw) => resolve(raw)));
  const browser = get(address, { headers: { cookie: `enruta=${gone.cookies.get('enruta')}` } }).on('error', () => {});
  const raw = await response;
  const end = vi.spyOn(raw, 'end').mockReturnValue(raw);
  await expect.poll(() => raw.headersSent, SOON).toBe(true);

  await world.db.deleteFrom('sessions').where('user_id', '=', gone.user.id).execute();
  app.guard.forgetSessions();
  vi.advanceTimersByTime(20_000);
  await expect.poll(() => end.mock.calls.length, SOON).toBe(1);
  const write = vi.spyOn(raw, 'write');
  const heard = await listen(here, app);
  await transact(world.db, async (tx) => emit(tx, { topic: 'settings', roles: ['revendedor'] }));
  await expect.poll(heard.topics, SOON).toEqual(['settings']);
  vi.advanceTimersByTime(20_000);
  expect(write).not.toHaveBeenCalled();
  expect(end).toHaveBeenCalledTimes(1);
  heard.stop();
  vi.useRealTimers();
  browser.destroy();
  raw.destroy();
  await app.close();
});

it('a stream needs a session, and a person can have twelve streams at most', async () => {
  expect((await other.inject({ url: live.path })).statusCode).toBe(401);
  const person = await world.as('revendedor');
  const streams = [];
  for (let i = 0; i < 12; i += 1) streams.push(await listen(person));
  const headers = { cookie: `enruta=${person.cookies.get('enruta')}` };
  const [status, retry] = await other.inject({ url: live.path, headers }).then((r) => [r.statusCode, r.headers['retry-after']]);
  expect([status, retry]).toEqual([429, '60']);
  for (const stream of streams) stream.stop();
});
