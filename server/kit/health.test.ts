import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createWorld } from '../../test/world.ts';
import { CUT } from './health.ts';

const { ms } = CUT;
afterEach(() => {
  CUT.ms = ms;
});

test('a connection accepted before the close is served, and an idle connection is soon closed', async () => {
  const world = await createWorld();
  const { port } = new URL(await world.app.listen({ port: 0, host: '127.0.0.1' }));
  let taken = 0;
  world.app.server.on('connection', () => (taken += 1));
  const [asking, silent] = [connect(Number(port), '127.0.0.1'), connect(Number(port), '127.0.0.1')];
  await expect.poll(() => taken).toBe(2);
  await world.app.drain(true);
  // Beyond the time of the test, so that only a connection that is closed in time lets it end.
  CUT.ms = 3_600_000;
  const closed = world.app.close();
  asking.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  let answer = '';
  asking.on('data', (chunk) => (answer += chunk));
  await Promise.all([once(asking, 'close'), once(silent.resume(), 'close')]);
  await closed;
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n(.*\r\n)*connection: close\r\n/i);
  await world.close();
});

test('closing cuts requests that do not end, without logging an error', async () => {
  CUT.ms = 100;
  const world = await createWorld({ LOG_LEVEL: 'info' });
  let fail = (_: Error) => {};
  world.app.addHook('onRequest', async ({ url }) => {
    if (url === '/healthz?slow') await new Promise((_, reject) => (fail = reject));
  });
  const { port } = new URL(await world.app.listen({ port: 0, host: '127.0.0.1' }));
  const open = async (bytes: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    return once(socket.resume(), 'close');
  };
  const cut = [
    open('POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"email": "'),
    open('GET /healthz?slow HTTP/1.1\r\nHost: x\r\n\r\n'),
  ];
  await expect.poll(() => world.logged.filter((line) => line.includes('incoming request')).length).toBe(2);
  const closed = world.close();
  await Promise.all(cut);
  fail(new Error('driver has already been destroyed'));
  await closed;
  await expect.poll(() => world.logged.filter((line) => line.includes('"level":40')).length).toBe(1);
  expect(world.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
});
