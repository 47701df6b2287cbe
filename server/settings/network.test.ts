import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { getUser } from '../../contract/session/session.ts';
import { comprobarDireccion, getRed, setRed } from '../../contract/settings/settings.ts';
import { createWorld, type World } from '../../test/world.ts';
import { extraListeners, localAddresses } from './network.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const at = (address: string, more = {}) => ({
  address,
  family: 'IPv4' as const,
  internal: false,
  netmask: '',
  mac: '',
  cidr: null,
  ...more,
});

it('only addresses of local networks are opened, a shop’s wifi first', () => {
  const found = {
    lo: [at('127.0.0.1', { internal: true })],
    docker: [at('172.17.0.1')],
    wan: [at('203.0.113.7'), at('8.8.8.8')],
    office: [at('10.1.2.3'), at('192.168.1.20')],
  };
  expect(localAddresses(found)).toEqual(['192.168.1.20', '10.1.2.3', '172.17.0.1']);
  expect(localAddresses({ wan: found.wan })).toEqual([]);
});

it('a further address is answered by the same server, until it is closed', async () => {
  const http = createServer((request, response) => response.end(request.socket.localAddress));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const { port } = http.address() as AddressInfo;
  const listeners = extraListeners(http);
  // A connection of its own each time, because open ones live a moment longer.
  const ask = async (host: string) => {
    const answer = get({ host, port, agent: false });
    const [response] = (await once(answer, 'response')) as [IncomingMessage];
    return text(response);
  };
  await expect(ask('127.0.0.2')).rejects.toThrow();
  await listeners.open(port, ['127.0.0.2']);
  expect([listeners.isOpen(), await ask('127.0.0.2'), await ask('127.0.0.1')]).toEqual([true, '127.0.0.2', '127.0.0.1']);
  // An address that is taken opens nothing at all.
  const second = extraListeners(http);
  await expect(second.open(port, ['127.0.0.3', '127.0.0.2'])).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(second.isOpen()).toBe(false);
  await listeners.close();
  await expect(ask('127.0.0.2')).rejects.toThrow();
  expect(await ask('127.0.0.1')).toBe('127.0.0.1');
  http.close();
});

it('opening asks a superadmin for the password, and is written into the log', async () => {
  const admin = await world.as('superadmin');
  const eva = await world.as(await world.user({ role: 'superadmin' }));
  const state = async () => (await admin.call(getRed)).body.data;
  expect(await state()).toMatchObject({ abierta: false, siempre: false, puede: true, publica: null });
  expect(await (await world.as('revendedor')).call(getRed)).toMatchObject({ status: 403 });
  const unproven = await world.as('superadmin', { proven: false });
  expect(await unproven.call(setRed, { body: { abierta: true } })).toMatchObject({ status: 403, body: { code: 'step_up' } });
  const opened = await admin.call(setRed, { body: { abierta: true, siempre: true } });
  // A machine in no network says so.
  if (localAddresses().length === 0) return expect(opened.status).toBe(409);
  expect(opened.body.data).toMatchObject({ abierta: true, siempre: true });
  const sharedAddress = async () => (await (await world.as('revendedor')).call(getUser)).body.negocio.direccion;
  expect(await sharedAddress()).toBe(opened.body.data.direcciones[0]);
  // Pressed twice, or only «también al arrancar» changed: nobody is notified again.
  await admin.call(setRed, { body: { abierta: true, siempre: true } });
  const closed = await admin.call(setRed, { body: { abierta: false } });
  expect(closed.body.data).toMatchObject({ abierta: false, siempre: false });
  expect(await sharedAddress()).toBeUndefined();
  const notices = (await eva.call(listNotifications)).body.data.map(({ texto, enlace }) => [texto, enlace]);
  expect(notices).toEqual(
    ['cerrado Enruta a los teléfonos de la wifi', 'abierto Enruta a los teléfonos de la misma wifi'].map((done) => [
      expect.stringMatching(new RegExp(`^.+ ha ${done}$`)),
      '/telefono',
    ]),
  );
  expect((await admin.call(listNotifications)).body.data).toEqual([]);
  const logged = await world.db
    .selectFrom('audit_logs')
    .select('description')
    .where('entity_type', '=', 'settings')
    .orderBy('created_at')
    .execute();
  expect(logged.map(({ description }) => description)).toEqual([
    'Abierto a los aparatos de la misma red, también al arrancar',
    'Abierto a los aparatos de la misma red, también al arrancar',
    'Cerrado a los aparatos de la red',
  ]);
});

it.each([
  ['http://pedidos.tienda.es', 422],
  ['localhost', 422],
  ['https://nadie.invalid', 'nombre'],
])('the address «%s» is refused, or what it lacks is named', async (direccion, expected) => {
  const admin = await world.as('superadmin');
  const { status, body } = await admin.call(comprobarDireccion, { body: { direccion } });
  expect(status === 200 ? body.data.fallo : status).toBe(expected);
});
