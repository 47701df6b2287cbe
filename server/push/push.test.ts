import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { readNotifications } from '../../contract/notifications/notifications.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { isPushService, MAX_SUBSCRIPTIONS } from '../../contract/push/fields.ts';
import { getPush, subscribePush, unsubscribePush } from '../../contract/push/push.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { openPushService, type PushService } from '../../test/push-service.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { allJobs } from '../features.ts';
import { JOBS_CHANNEL } from '../jobs/wake.ts';
import { isPrivate } from '../kit/post.ts';
import { sendDuePushes, sendPush } from './push.job.ts';
import { vapidKeys } from './push.ts';

let world: World;
let service: PushService;
let admin: Person;
let reseller: Person;
let carrier: Person;
beforeAll(async () => {
  [world, service] = [await createWorld(), await openPushService()];
  return async () => {
    await world.close();
    await service.close();
  };
});
beforeEach(async () => {
  await world.reset();
  service.arrived.length = 0;
  [admin, reseller, carrier] = [await world.as('superadmin'), await world.as('revendedor'), await world.as('transportista')];
  await turn(true);
});

const turn = (pushNotifications: boolean) =>
  admin.call(updateSettings, { body: { pushNotifications, companyName: 'Almazara', companyEmail: 'hola@almazara.es' } });
const run = () => sendDuePushes(world.db, world.config, service.send);
const waiting = () =>
  world.db
    .selectFrom('outbox')
    .selectAll()
    .where('channel', '=', 'push')
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .execute();
const dueNow = () => world.db.updateTable('outbox').set({ due_at: '2020-01-01T00:00:00.000Z' }).execute();
const endpointsOf = async (person: Person) => (await person.call(getPush)).body.data.devices.map(({ endpoint }) => endpoint);
async function subscribed(person: Person) {
  const browser = service.subscribe();
  const { status, text } = await person.call(subscribePush, { body: browser });
  expect(status, text).toBe(200);
  return browser;
}
/** Lets the carrier take an order, which notifies the reseller. */
async function take(fields: object = {}) {
  const pedido = await world.pedido({ revendedor_id: reseller.user.id, ...fields });
  expect((await carrier.call(autoAsignar, { params: { id: pedido.id } })).status).toBe(200);
  return pedido;
}

describe('a subscribed browser', () => {
  it('a subscribed browser gets the text of the bell, encrypted and signed by this installation', async () => {
    const browser = await subscribed(reseller);
    const pedido = await take();
    expect(await run()).toBe(1);
    const [push] = service.arrived;
    expect(push?.payload).toEqual({
      title: 'Almazara',
      body: `${carrier.user.full_name} lleva el pedido ${pedido.numero_orden} (${pedido.cliente_nombre})`,
      url: `/mis-pedidos?search=${pedido.numero_orden}`,
      tag: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(push?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      topic: push?.payload.tag?.replaceAll('-', ''),
      authorization: expect.stringContaining(`k=${vapidKeys(world.config.secretKey).publicKey}`),
    });
    expect([await run(), await waiting()]).toEqual([0, []]);
    expect(service.shownBy(browser)).toHaveLength(1);
  });

  it('a push reaches each browser of the recipient once, and nobody else', async () => {
    const [phone, desk] = [await subscribed(reseller), await subscribed(reseller)];
    const other = await subscribed(await world.as(await world.user({ role: 'revendedor' })));
    await take();
    await Promise.all([run(), run()]);
    expect([phone, desk, other].map((browser) => service.shownBy(browser).length)).toEqual([1, 1, 0]);
  });

  it('a push to a carrier contains no price', async () => {
    const browser = await subscribed(carrier);
    const pack = await world.pack({ pack_price_cents: 739_146 });
    const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id };
    const { id } = (await reseller.call(createPedido, { body })).body.data;
    await admin.call(setEstado, { params: { id }, body: { estado: 'pendiente', referencia: 'TRF' } });
    await run();
    expect(service.shownBy(browser)).toEqual([expect.stringContaining('Pedido disponible')]);
    expect(JSON.stringify(service.arrived)).not.toMatch(/7\.?391|739146|precio|€|pagar/);
  });

  it('a request sends no push itself, but wakes the job', async () => {
    const woken: string[] = [];
    const stop = await world.open.listen(
      JOBS_CHANNEL,
      (name) => woken.push(name),
      () => {},
    );
    await subscribed(reseller);
    await take();
    expect([service.arrived, (await waiting()).length]).toEqual([[], 1]);
    await expect.poll(() => woken).toContain('push');
    expect(allJobs(world.process).map(({ name }) => name)).toContain('push');
    await stop();
  });
});

describe('a failure', () => {
  it('a failed push is retried, later each time, until it succeeds', async () => {
    const browser = await subscribed(reseller);
    service.answer(browser, 503);
    await take();
    expect(await run()).toBe(0);
    expect(await waiting()).toEqual([expect.objectContaining({ attempts: 1, error: 'El servicio respondió 503' })]);
    expect(await run()).toBe(0);
    await dueNow();
    expect(await sendDuePushes(world.db, world.config, () => Promise.reject(new Error('ECONNREFUSED')))).toBe(0);
    const [row] = await waiting();
    expect([row?.attempts, row?.error]).toEqual([2, 'No acepta la conexión']);
    expect(Date.parse(row?.due_at ?? '') - Date.now()).toBeGreaterThan(50_000);
    service.answer(browser, 201);
    await dueNow();
    expect([await run(), service.shownBy(browser).length]).toEqual([1, 1]);
  });

  it.each([404, 410])('the status %s of a push deletes the subscription and its pending pushes', async (status) => {
    const [gone, kept] = [await subscribed(reseller), await subscribed(reseller)];
    service.answer(gone, status);
    await take();
    await run();
    expect(await waiting()).toEqual([]);
    expect(await endpointsOf(reseller)).toEqual([kept.endpoint]);
    expect(service.shownBy(kept)).toHaveLength(1);
  });

  it('a failed push keeps a subscription renewed meanwhile, with its pending pushes', async () => {
    const browser = await subscribed(reseller);
    await take();
    await sendDuePushes(world.db, world.config, async () => {
      await world.db.updateTable('push_subscriptions').set({ auth: 'other' }).execute();
      return 410;
    });
    expect(await endpointsOf(reseller)).toEqual([browser.endpoint]);
    expect(await waiting()).toHaveLength(1);
  });

  it('a crash between sending and recording repeats the push with the same tag', async () => {
    const browser = await subscribed(reseller);
    await take();
    void sendDuePushes(world.db, world.config, async (push) => {
      await service.send(push);
      return new Promise<never>(() => {});
    });
    await expect.poll(() => service.shownBy(browser).length).toBe(1);
    expect([await run(), service.arrived.length]).toEqual([0, 1]);
    await dueNow();
    expect(await run()).toBe(1);
    expect(new Set(service.arrived.map(({ payload }) => payload.tag)).size).toBe(1);
  });

  it.each([
    ['that was read meanwhile', () => reseller.call(readNotifications, { body: {} })],
    [
      'to a person who was deactivated',
      () => world.db.updateTable('users').set({ is_active: false }).where('id', '=', reseller.user.id).execute(),
    ],
    ['that is a day old', () => world.db.updateTable('notifications').set({ created_at: '2020-01-01T00:00:00.000Z' }).execute()],
  ])('a push %s is not sent', async (_, happens) => {
    await subscribed(reseller);
    await take();
    await happens();
    expect([await run(), service.arrived, await waiting()]).toEqual([0, [], []]);
  });
});

it('push reports whether the shop has a contact that Apple accepts', async () => {
  const apple = async () => (await reseller.call(getPush)).body.data.apple;
  const admin = await world.as('superadmin');
  await admin.call(updateSettings, { body: { companyName: 'Peña', companyEmail: 'hola@aceites-peña.es' } });
  expect(await apple()).toBe(true);
  await sql`UPDATE settings SET data = data || '{"companyEmail": ""}'`.execute(world.db);
  expect(await apple()).toBe(false);
});

describe('while push is off in the settings', () => {
  it('no browser is notified or subscribed while push is off', async () => {
    const browser = await subscribed(reseller);
    await take();
    await turn(false);
    await take();
    expect(await waiting()).toHaveLength(1);
    expect(await run()).toBe(0);
    const { status, body } = await reseller.call(subscribePush, { body: service.subscribe() });
    expect([status, body.message]).toEqual([409, 'Los avisos en el navegador están desactivados en la configuración']);
    expect((await reseller.call(getPush)).body.data).toMatchObject({ enabled: false, devices: [{ endpoint: browser.endpoint }] });

    await turn(true);
    expect(await run()).toBe(0);
    await take();
    expect([await run(), service.shownBy(browser).length]).toEqual([1, 1]);
  });
});

describe('another person’s subscription', () => {
  it('another person’s subscription cannot be seen, ended or overwritten', async () => {
    const browser = await subscribed(reseller);
    const stranger = await world.as(await world.user({ role: 'revendedor' }));
    expect(await endpointsOf(stranger)).toEqual([]);
    const { endpoint } = browser;
    const [foreign, missing] = [
      await stranger.call(unsubscribePush, { body: { endpoint } }),
      await stranger.call(unsubscribePush, { body: { endpoint: 'https://push.example.com/send/nada' } }),
    ];
    expect([foreign.status, foreign.text]).toEqual([200, missing.text]);
    expect((await stranger.call(subscribePush, { body: { ...service.subscribe(), endpoint } })).status).toBe(422);
    await take();
    await run();
    expect(service.shownBy(browser)).toHaveLength(1);
  });

  it('the next person in a browser takes over its subscription without the previous person’s pushes', async () => {
    const browser = await subscribed(reseller);
    await take();
    expect((await carrier.call(subscribePush, { body: browser })).status).toBe(200);
    await run();
    expect(service.arrived).toEqual([]);
    expect(await endpointsOf(reseller)).toEqual([]);
    expect(await endpointsOf(carrier)).toEqual([browser.endpoint]);
  });
});

describe('subscribing', () => {
  it('subscribing again changes nothing, and a subscription beyond the limit replaces the oldest subscription', async () => {
    const browsers = [];
    for (let i = 0; i < MAX_SUBSCRIPTIONS + 1; i += 1) browsers.push(await subscribed(reseller));
    const last = browsers.at(-1) ?? service.subscribe();
    expect((await reseller.call(subscribePush, { body: last })).status).toBe(200);
    expect((await endpointsOf(reseller)).sort()).toEqual(
      browsers
        .slice(1)
        .map(({ endpoint }) => endpoint)
        .sort(),
    );
    await reseller.call(unsubscribePush, { body: { endpoint: last.endpoint } });
    expect(await endpointsOf(reseller)).toHaveLength(MAX_SUBSCRIPTIONS - 1);
  });

  test.each([
    'http://push.example.com/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://intranet/x',
    'https://base.internal/x',
    'https://push.example.com:8443/x',
    'https://ana:clave@push.example.com/x',
    'ftp://push.example.com/x',
    'nada',
  ])('%s is not a push service', async (endpoint) => {
    expect(isPushService(endpoint)).toBe(false);
    const { status, body } = await reseller.call(subscribePush, { body: { ...service.subscribe(), endpoint } });
    expect([status, body.errors]).toEqual([422, { endpoint: ['No es la dirección de un servicio de avisos'] }]);
  });

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
  ])('%s is a push service', (endpoint) => expect(isPushService(endpoint)).toBe(true));

  it('a subscription with invalid keys is refused', async () => {
    const { endpoint, keys } = service.subscribe();
    const off = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
    for (const bad of [
      { ...keys, auth: 'corta' },
      { ...keys, p256dh: '' },
      { ...keys, p256dh: off },
    ])
      expect((await reseller.call(subscribePush, { body: { endpoint, keys: bad } })).status).toBe(422);
  });
});

describe('sending', () => {
  it('a push never reaches a private address, even through a host name', async () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.20.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '::1',
      '::',
      'fd00::1',
      'fe80::1',
      'fec0::1',
      '2002:a00:1::',
      '64:ff9b::a00:1',
      '::ffff:10.0.0.1',
    ])
      expect(isPrivate(address), address).toBe(true);
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8']) expect(isPrivate(address), address).toBe(false);
    // The only name that resolves to a private address everywhere.
    const push = { endpoint: 'https://localhost/x', headers: {}, body: new Uint8Array() };
    await expect(sendPush(push)).rejects.toThrow('localhost no es de la red pública');
  });
});
