import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import { assignTransportista, createPedido, deletePedido, restorePedido, setEstado, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { TEST_EVENT, WEBHOOK_EVENT_NAMES } from '../../contract/webhooks/fields.ts';
import * as api from '../../contract/webhooks/webhooks.ts';
import { FORBIDDEN, UNIT } from '../../test/price.ts';
import { openReceiver, type Receiver } from '../../test/webhook-receiver.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { acceptSecretKey } from '../backups/restore.ts';
import { replaceSecretKey } from '../settings/secret-key.ts';
import { sendDueWebhooks } from './webhooks.job.ts';
import { createWebhook } from './webhooks.ts';

let world: World;
let receiver: Receiver;
let admin: Person;
let reseller: Person;
let carrier: Person;
beforeAll(async () => {
  [world, receiver] = [await createWorld({ WEBHOOKS_PRIVATE: '1', PUBLIC_URL: 'http://tienda.es' }), await openReceiver()];
  return async () => {
    await world.close();
    await receiver.close();
  };
});
beforeEach(async () => {
  await world.reset();
  receiver.received.length = 0;
  receiver.answers(204);
  [admin, reseller, carrier] = [await world.as('superadmin'), await world.as('revendedor'), await world.as('transportista')];
});

const run = (more: object = {}) => sendDueWebhooks(world.db, { ...world.config, ...more });
const dueNow = () => world.db.updateTable('outbox').set({ due_at: '2020-01-01T00:00:00.000Z' }).execute();
const types = () => receiver.received.map(({ body }) => body.type).sort();
/** Events other than payments, stock movements, jobs and backups. */
const FEW = WEBHOOK_EVENT_NAMES.filter((name) => !/^(pago|job|backup)\.|^stock\.movido$/.test(name));
async function hook(fields: Partial<BodyIn<typeof api.createWebhook>> = {}) {
  const { status, text, body } = await admin.call(api.createWebhook, {
    body: { url: receiver.url, eventos: FEW, con_precios: true, ...fields },
  });
  expect(status, text).toBe(201);
  return { ...body.data, secreto: body.secreto };
}
const log = async (id: string) => (await admin.call(api.listEntregas, { params: { id } })).body.data;
async function ordered(who = reseller, more: object = {}) {
  const pack = await world.pack({ pack_price_cents: UNIT });
  const { status, text, body } = await who.call(createPedido, {
    body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id, ...more },
  });
  expect(status, text).toBe(201);
  return body.data;
}
const move = async (who: Person, id: string, estado: string, more = {}) => {
  const { status, text } = await who.request('POST', setEstado.path.replace(':id', id), { body: { estado, ...more } });
  expect(status, text).toBe(200);
};

describe('an event', () => {
  it('an event is sent once and signed, only to subscribers, with the order as of the event', async () => {
    const { secreto } = await hook();
    await hook({ url: `${receiver.url}/otro`, eventos: ['stock.bajo'] });
    const { id, numero_orden } = await ordered();
    await move(admin, id, 'pendiente', { referencia: 'TRF' });
    expect((await carrier.call(autoAsignar, { params: { id } })).status).toBe(200);
    await move(carrier, id, 'en_ruta');
    await move(carrier, id, 'asignado', { motivo: 'No había nadie' });
    await move(carrier, id, 'completado', { metodo_entrega: 'manual' });
    await move(admin, (await ordered()).id, 'cancelado');
    expect(await run()).toBe(8);
    expect(await run()).toBe(0);
    expect(types()).toEqual([
      'pedido.asignado',
      'pedido.cancelado',
      'pedido.completado',
      'pedido.creado',
      'pedido.creado',
      'pedido.en_ruta',
      'pedido.intento_fallido',
      'pedido.pagado',
    ]);
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(8);
    for (const message of receiver.received) {
      expect(receiver.verify(secreto, message)).toEqual(message.body);
      expect(Date.parse(message.body.timestamp)).toBeGreaterThan(Date.now() - 60_000);
    }
    const paid = receiver.received.find(({ body }) => body.type === 'pedido.pagado')?.body.data.pedido;
    // The payload has the order as of the event, not as of now.
    expect(paid).toMatchObject({
      id,
      numero_orden,
      estado: 'pendiente',
      transportista_id: null,
      precio_total: UNIT / 100,
      pagado: UNIT / 100,
    });
    expect(paid?.payment_link).toMatch(/^http:\/\/tienda\.es\/pagar\/[\w-]{43}$/);
  });

  it('an event is sent for an edited order, but not for a refused, deleted or restored order', async () => {
    const pedido = await world.pedido();
    await hook();
    const pack = await world.pack({ product_id: (await world.product({ stock: 1 })).id, pack_quantity: 2 });
    const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id };
    expect((await reseller.call(createPedido, { body })).status).toBe(422);
    const params = { id: pedido.id };
    expect((await admin.call(updatePedido, { params, body: { cliente_nombre: 'Eva', cliente_direccion: 'Calle 2' } })).status).toBe(200);
    expect((await admin.call(deletePedido, { params })).status).toBe(200);
    expect((await admin.call(restorePedido, { params })).status).toBe(200);
    await run();
    expect(types()).toEqual(['pedido.modificado']);
  });

  it('the event of a paid order is sent once payments reach the price', async () => {
    const pedido = await world.pedido({ precio_total_cents: 5000 });
    await hook();
    for (const importe of [20, 30])
      expect(
        (await admin.call(anotarPago, { params: { id: pedido.id }, body: { metodo: 'bizum', importe, fecha: '2026-01-05' } })).status,
      ).toBe(201);
    await run();
    expect(types()).toEqual(['pedido.pagado']);
  });

  it('the event of an assignment is sent for each new carrier, and a change when there is none any more', async () => {
    const pedido = await world.pedido();
    await hook();
    const other = await world.user({ role: 'transportista' });
    for (const transportista_id of [carrier.user.id, other.id, null])
      expect((await admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id } })).status).toBe(200);
    await run();
    expect(types()).toEqual(['pedido.asignado', 'pedido.asignado', 'pedido.modificado']);
  });

  it('the event of low stock is sent once, when a product falls to its minimum', async () => {
    await hook();
    const product = await world.product({ name: 'Arroz', stock: 12, min_stock: 10 });
    const pack = await world.pack({ product_id: product.id, pack_quantity: 1 });
    for (let n = 0; n < 3; n += 1) await ordered(reseller, { pack_id: pack.id });
    await run();
    const low = receiver.received.filter(({ body }) => body.type === 'stock.bajo');
    expect(low.map(({ body }) => body.data)).toEqual([{ producto: { id: product.id, name: 'Arroz', stock: 10, min_stock: 10 } }]);
  });
});

describe('a webhook without prices', () => {
  it('a webhook without prices sends no price in any event', async () => {
    await hook({ con_precios: false, eventos: WEBHOOK_EVENT_NAMES });
    const { id } = await ordered();
    await move(admin, id, 'pendiente', { referencia: 'TRF' });
    await run();
    expect(types()).toEqual(['pago.anotado', 'pedido.creado', 'pedido.pagado', 'stock.movido']);
    // «pagado» is also the state of a payment, which is no price.
    for (const { text } of receiver.received) expect(text.replace('"estado":"pagado"', '')).not.toMatch(FORBIDDEN);
    for (const { body } of receiver.received.filter(({ body: { type } }) => type.startsWith('pedido.'))) {
      expect(Object.keys(body.data.pedido ?? {}).filter((name) => /precio|total|pagado|link|pago/.test(name))).toEqual([]);
      expect(body.data.pedido).toMatchObject({ cliente_nombre: 'Ana', cliente_direccion: 'Calle 1' });
    }
  });

  it('a webhook without prices sends no price in pending and repeated deliveries either', async () => {
    const { id } = await hook();
    await ordered();
    await run();
    expect(receiver.received[0]?.text).toMatch(FORBIDDEN);
    await ordered();
    await admin.call(api.updateWebhook, { params: { id }, body: { con_precios: false } });
    const [first] = (await log(id)).filter(({ estado }) => estado === 'enviado');
    expect((await admin.call(api.reenviarEntrega, { params: { id: first?.id ?? '' } })).status).toBe(200);
    await run();
    expect(receiver.received).toHaveLength(3);
    for (const { text } of receiver.received.slice(1)) expect(text).not.toMatch(FORBIDDEN);
  });
});

describe('a private address', () => {
  const strict = { webhooksPrivate: false };

  it.each([
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f.1/',
    'https://169.254.169.254/',
    'http://tienda.es/',
  ])('the webhook address %s is refused', async (url) => {
    const input = { url, descripcion: null, eventos: [...WEBHOOK_EVENT_NAMES], con_precios: false, is_active: true };
    const creation = createWebhook(world.db, { ...admin.user, role: 'superadmin' }, input, { ...world.config, ...strict });
    await expect(creation).rejects.toMatchObject({ status: 422, body: { errors: { url: [expect.any(String)] } } });
  });

  it('a private address is never contacted, even if saved under a host name', async () => {
    const names = [`https://localhost:${receiver.port}/`, `https://127.0.0.1:${receiver.port}/`, `http://localhost:${receiver.port}/`];
    const hooks = [];
    for (const url of names) hooks.push(await hook({ url }));
    await ordered();
    expect(await run(strict)).toBe(0);
    const errors = await Promise.all(hooks.map(async ({ id }) => (await log(id))[0]?.error));
    expect(errors).toEqual([
      'localhost no es de la red pública',
      '127.0.0.1 no es de la red pública',
      'La dirección tiene que empezar por https://',
    ]);
    expect(receiver.received).toEqual([]);
  });
});

describe('a failed delivery', () => {
  it('a failed delivery is retried under the same id, and logged', async () => {
    const { id } = await hook({ eventos: ['pedido.creado'] });
    const { numero_orden } = await ordered();
    receiver.answers(500);
    expect([await run(), await run()]).toEqual([0, 0]);
    const expected = { tipo: 'pedido.creado', asunto: numero_orden, intentos: 1, estado: 'esperando', error: 'Ha respondido 500' };
    expect(await log(id)).toEqual([expect.objectContaining({ ...expected, proximo_at: expect.any(String) })]);
    expect((await admin.call(api.listWebhooks)).body.data).toMatchObject([{ esperando: 1, fallidas: 0 }]);
    receiver.answers(200);
    await dueNow();
    expect(await run()).toBe(1);
    expect(await log(id)).toMatchObject([{ intentos: 2, estado: 'enviado', error: null, proximo_at: null }]);
    const [first, second] = receiver.received;
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text]);
  });

  it('a delivery does not follow a redirect', async () => {
    const { id } = await hook();
    await ordered();
    receiver.answers(302);
    await run();
    expect([receiver.received.length, (await log(id))[0]?.error]).toEqual([1, 'Ha respondido 302']);
  });

  it('a webhook that does not answer is skipped for the rest of the run, and retried later', async () => {
    const { id } = await hook({ eventos: ['pedido.creado'] });
    for (let n = 0; n < 12; n += 1) await ordered();
    receiver.answers('silence');
    expect(await run({ timeoutMs: 300 })).toBe(0);
    // Only the concurrent deliveries were attempted.
    expect(receiver.received.length).toBeLessThanOrEqual(5);
    expect(new Set((await log(id)).map(({ error }) => error))).toEqual(new Set(['No ha respondido a tiempo']));
    receiver.answers(204);
    await dueNow();
    expect(await run()).toBe(12);
  });

  it('a failed delivery is given up after a day', async () => {
    const { id } = await hook({ eventos: ['pedido.creado'] });
    await ordered();
    receiver.answers(503);
    let minutes = 0;
    for (let n = 1; n <= 31; n += 1) {
      await dueNow();
      await run();
      const [entry] = await log(id);
      expect([entry?.intentos, entry?.estado]).toEqual([n, n < 31 ? 'esperando' : 'fallido']);
      if (n < 31) minutes += (Date.parse(entry?.proximo_at ?? '') - Date.now()) / 60_000;
    }
    expect(minutes / 60).toBeGreaterThan(23.5);
    expect(minutes / 60).toBeLessThan(25);
    await dueNow();
    expect([await run(), receiver.received.length]).toEqual([0, 31]);
    expect((await admin.call(api.listWebhooks)).body.data).toMatchObject([{ esperando: 0, fallidas: 1 }]);
  });

  it('a response of 410 deactivates the webhook and notifies the superadmins', async () => {
    const { id } = await hook({ eventos: ['pedido.creado'] });
    for (let n = 0; n < 7; n += 1) await ordered();
    receiver.answers(410);
    expect(await run()).toBe(0);
    expect((await admin.call(api.listWebhooks)).body.data).toMatchObject([{ is_active: false, esperando: 0, fallidas: 7 }]);
    const bell = (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'webhook_desactivado');
    expect(bell.map(({ texto }) => texto)).toEqual([`Webhook desactivado: 127.0.0.1:${receiver.port} dice que ya no quiere los avisos`]);
    const before = receiver.received.length;
    await ordered();
    await dueNow();
    expect([await run(), receiver.received.length]).toEqual([0, before]);

    const [last] = await log(id);
    const again = () => admin.call(api.reenviarEntrega, { params: { id: last?.id ?? '' } });
    expect((await again()).status).toBe(409);
    receiver.answers(204);
    await admin.call(api.updateWebhook, { params: { id }, body: { is_active: true } });
    expect((await again()).status).toBe(200);
    expect(await run()).toBe(1);
    expect((await admin.call(api.listWebhooks)).body.data).toMatchObject([{ esperando: 0, fallidas: 6 }]);
  });
});

describe('a superadmin', () => {
  it('a superadmin can resend a delivery under its id, unless the delivery is still pending', async () => {
    const { id, secreto } = await hook({ eventos: ['pedido.creado'] });
    await ordered();
    const again = async () => admin.call(api.reenviarEntrega, { params: { id: (await log(id))[0]?.id ?? '' } });
    expect((await again()).status).toBe(409);
    await run();
    expect((await again()).status).toBe(200);
    expect(await run()).toBe(1);
    const [first, second] = receiver.received;
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text]);
    for (const message of receiver.received) receiver.verify(secreto, message);
    expect(await log(id)).toMatchObject([{ estado: 'enviado', intentos: 1 }]);
    // Mails are not deliveries.
    const mail = { channel: 'correo' as const, recipient: 'a@b.es', payload: '{}', sent_at: '2026-01-01T00:00:00.000Z' };
    const { id: other } = await world.db.insertInto('outbox').values(mail).returning('id').executeTakeFirstOrThrow();
    expect((await admin.call(api.reenviarEntrega, { params: { id: other } })).status).toBe(404);
  });

  it('a superadmin can test even an inactive webhook, and read the result', async () => {
    const { id, secreto } = await hook({ is_active: false });
    const test = async () => (await admin.call(api.testWebhook, { params: { id } })).body;
    expect(await test()).toMatchObject({ message: 'La prueba ha llegado', data: { enviado: true, error: null } });
    expect(receiver.received[0]?.body).toMatchObject({ type: TEST_EVENT, data: { mensaje: 'Prueba de Enruta' } });
    for (const message of receiver.received) receiver.verify(secreto, message);
    receiver.answers(404);
    expect(await test()).toMatchObject({ data: { enviado: false, error: 'Ha respondido 404' } });
    expect(await log(id)).toMatchObject([
      { tipo: TEST_EVENT, estado: 'fallido', intentos: 1 },
      { tipo: TEST_EVENT, estado: 'enviado', intentos: 1 },
    ]);
    expect((await admin.call(api.listWebhooks)).body.data).toMatchObject([{ fallidas: 0 }]);
    await dueNow();
    expect(await run()).toBe(0);
  });

  it('the secret of a webhook is shown only once, and a new secret signs all later messages', async () => {
    const { id, secreto } = await hook({ eventos: ['pedido.creado'] });
    const changed = (await admin.call(api.changeWebhookSecret, { params: { id } })).body;
    expect(changed.secreto).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(changed.secreto).not.toBe(secreto);
    await ordered();
    await run();
    const [message] = receiver.received;
    if (!message) throw new Error('nothing arrived');
    expect(() => receiver.verify(secreto, message)).toThrow();
    receiver.verify(changed.secreto, message);
    const { rows } = await sql<{ kept: string }>`
      SELECT (SELECT json_agg(w)::text FROM webhooks w) || (SELECT json_agg(a)::text FROM audit_logs a) AS kept`.execute(world.db);
    const seen = `${(await admin.call(api.listWebhooks)).text} ${rows[0]?.kept}`;
    for (const secret of [secreto, changed.secreto]) expect(seen).not.toContain(secret);
  });

  it('a superadmin must repeat the password to send data elsewhere or to see a secret', async () => {
    const { id } = await hook();
    const other = await world.as(admin.user, { proven: false });
    const params = { id };
    const refused = [
      await other.call(api.createWebhook, { body: { url: receiver.url, eventos: ['stock.bajo'] } }),
      await other.call(api.changeWebhookSecret, { params }),
      await other.call(api.updateWebhook, { params, body: { url: `${receiver.url}/x` } }),
      await other.call(api.updateWebhook, { params, body: { con_precios: true } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'step_up']));
    expect((await other.call(api.updateWebhook, { params, body: { is_active: false } })).status).toBe(200);
  });

  it('the other superadmins are notified of a new webhook and of a new address', async () => {
    const eva = await world.as(await world.user({ role: 'superadmin' }));
    const params = { id: (await hook()).id };
    await admin.call(api.updateWebhook, { params, body: { url: `${receiver.url}/otra` } });
    const { data } = (await eva.call(listNotifications)).body;
    const { host } = new URL(receiver.url);
    expect(data.map(({ texto }) => texto).toSorted()).toEqual(
      ['ha cambiado la dirección de un webhook a', 'ha creado un webhook hacia'].map((what) => `${admin.user.full_name} ${what} ${host}`),
    );
  });

  it('a superadmin can edit a webhook, and delete a webhook with its pending deliveries', async () => {
    const { id, version } = await hook();
    await ordered();
    const params = { id };
    const edit = (body: object) => admin.call(api.updateWebhook, { params, body: { version, ...body } });
    const edited = await edit({ eventos: ['stock.bajo', 'pedido.creado'], descripcion: 'Almacén' });
    expect(edited.body.data).toMatchObject({ eventos: ['pedido.creado', 'stock.bajo'], descripcion: 'Almacén', version: version + 1 });
    expect((await edit({ descripcion: 'Otra' })).body).toMatchObject({ code: 'version' });
    expect((await admin.call(api.deleteWebhook, { params })).status).toBe(200);
    expect([await run(), receiver.received]).toEqual([0, []]);
    expect((await admin.call(api.listEntregas, { params })).status).toBe(404);
    const entries = await world.db.selectFrom('audit_logs').select('action').where('entity_type', '=', 'webhook').orderBy('id').execute();
    expect(entries.map(({ action }) => action).sort()).toEqual(['create', 'delete', 'update']);
  });

  it('a webhook is refused for a wrong address or event, and beyond the limit', async () => {
    const add = (body: object) => admin.request('POST', api.createWebhook.path, { body: { eventos: ['stock.bajo'], ...body } });
    for (const url of ['tienda.es', 'ftp://tienda.es', 'https://ana:clave@tienda.es/', 'https://', '', 'https://tienda.es/ x'])
      expect((await add({ url })).status, url).toBe(422);
    for (const eventos of [[], ['otro']]) expect((await add({ url: receiver.url, eventos })).status).toBe(422);
    for (let n = 0; n < api.MAX_WEBHOOKS; n += 1) expect((await add({ url: receiver.url })).status).toBe(201);
    expect((await add({ url: receiver.url })).status).toBe(409);
  });

  it('resellers and carriers have no access to webhooks', async () => {
    const { id } = await hook();
    for (const who of [reseller, carrier]) {
      expect((await who.call(api.listWebhooks)).status).toBe(403);
      expect((await who.call(api.testWebhook, { params: { id } })).status).toBe(403);
    }
    expect(receiver.received).toEqual([]);
  });
});

it('a lost SECRET_KEY deactivates webhooks until they have new secrets', async () => {
  const { id } = await hook();
  try {
    await acceptSecretKey(world.db, 'another key of thirty-two characters');
    expect((await admin.call(api.listWebhooks)).body.data).toMatchObject([{ is_active: false }]);
    const on = () => admin.call(api.updateWebhook, { params: { id }, body: { is_active: true } });
    expect((await on()).body.errors).toEqual({ is_active: ['Pulsa antes «Cambiar el secreto»: el que tenía se ha perdido'] });
    await admin.call(api.changeWebhookSecret, { params: { id } });
    expect((await on()).status).toBe(200);
  } finally {
    await world.db.transaction().execute((tx) => replaceSecretKey(tx, world.config.secretKey));
  }
});
