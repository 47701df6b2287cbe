import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { logout } from '../../contract/session/session.ts';
import { createUser, deleteUser, updateUser } from '../../contract/users/users.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { ARRIVAL_LIMITS, buildApp } from '../app.ts';

/* A client can hold back the body of a request, so the session must still be valid when the body ends. */

let world: World;
let port: number;
beforeAll(async () => {
  world = await createWorld();
  await world.app.listen({ port: 0 });
  ({ port } = world.app.server.address() as { port: number });
  return world.close;
});
beforeEach(() => world.reset());

const BODY = JSON.stringify({ full_name: 'Intruso', email: 'intruso@x.es', password: 'una clave larga', role: 'superadmin' });

/** Sends all but the last byte of a request; `finish` sends the last byte and returns the status. */
async function holdBack(person: Person, path: string, body: string, method = 'POST') {
  await person.request('GET', '/api/csrf-token');
  const arrived = once(world.app.server, 'request');
  const socket = connect(port, '127.0.0.1');
  socket.write(
    [
      `${method} ${path} HTTP/1.1`,
      'host: enruta',
      'connection: close',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      `cookie: ${[...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
      `x-xsrf-token: ${person.cookies.get('XSRF-TOKEN')}`,
      '',
      body.slice(0, -1),
    ].join('\r\n'),
  );
  await arrived;
  return {
    finish: async () => {
      socket.write(body.slice(-1));
      return statusOf(await answerOf(socket));
    },
  };
}

async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe('a request with a delayed body', () => {
  it('a request with a delayed body succeeds if its session is still valid', async () => {
    const { finish } = await holdBack(await world.as('superadmin'), createUser.path, BODY);
    expect(await finish()).toBe(201);
  });

  it.each([
    ['has been deleted', (admin: Person, { user: { id } }: Person) => admin.call(deleteUser, { params: { id } })],
    [
      'has been deactivated',
      (admin: Person, { user: { id, full_name, email } }: Person) =>
        admin.call(updateUser, { params: { id }, body: { full_name, email, is_active: false } }),
    ],
    ['has signed out', (_: Person, { call }: Person) => call(logout)],
  ])('a request with a delayed body does nothing if the person meanwhile %s', async (_, shutOut) => {
    const [admin, intruder] = [await world.as('superadmin'), await world.as(await world.user({ role: 'superadmin' }))];
    const { finish } = await holdBack(intruder, createUser.path, BODY);
    expect((await shutOut(admin, intruder)).status).toBe(200);
    expect(await finish()).toBe(401);
    expect(await world.db.selectFrom('users').select('id').where('email', '=', 'intruso@x.es').execute()).toEqual([]);
  });

  it('a delayed body deletes nothing after the person has been deleted, even if the endpoint expects no body', async () => {
    const [admin, intruder] = [await world.as('superadmin'), await world.as(await world.user({ role: 'superadmin' }))];
    const victim = await world.user({ role: 'revendedor' });
    const { finish } = await holdBack(intruder, `/api/users/${victim.id}`, '{}', 'DELETE');
    await admin.call(deleteUser, { params: { id: intruder.user.id } });
    expect(await finish()).toBe(401);
    const { deleted_at } = await world.db.selectFrom('users').select('deleted_at').where('id', '=', victim.id).executeTakeFirstOrThrow();
    expect(deleted_at).toBeNull();
  });

  it('a request with a delayed body does nothing if the person has meanwhile lost the role', async () => {
    const intruder = await world.as(await world.user({ role: 'superadmin' }));
    const { finish } = await holdBack(intruder, createUser.path, BODY);
    await world.db.updateTable('users').set({ role: 'revendedor' }).where('id', '=', intruder.user.id).execute();
    world.app.guard.forgetSessions();
    expect(await finish()).toBe(403);
  });
});

it('requests with slow headers or bodies are cut off, even if bytes keep arriving', async () => {
  expect(ARRIVAL_LIMITS).toEqual({ requestTimeout: 30_000, connectionsCheckingInterval: 5_000 });
  const patient = { ...ARRIVAL_LIMITS };
  Object.assign(ARRIVAL_LIMITS, { requestTimeout: 300, connectionsCheckingInterval: 50 });
  const app = await buildApp({ ...world.process });
  Object.assign(ARRIVAL_LIMITS, patient);
  const { hostname, port: own } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const beginnings = [
    'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{',
    'GET / HT',
  ];
  const sockets = beginnings.map((beginning) => {
    const socket = connect(Number(own), hostname);
    socket.write(beginning);
    const drip = setInterval(() => socket.write(' '), 20);
    socket.on('error', () => {}).on('close', () => clearInterval(drip));
    return socket.resume();
  });
  await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true, true]);
  await app.close();
});
