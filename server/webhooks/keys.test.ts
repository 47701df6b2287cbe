import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { createPedido } from '../../contract/pedidos/pedidos.ts';
import { ajustarStock } from '../../contract/products/products.ts';
import * as api from '../../contract/webhooks/webhooks.ts';
import type { Client } from '../../test/client.ts';
import { FORBIDDEN, UNIT } from '../../test/price.ts';
import { openReceiver, type Receiver } from '../../test/webhook-receiver.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { sendDueWebhooks } from './webhooks.job.ts';

/* Webhooks that a program creates with its API key. The key manages no other webhooks, and gets no more than its permissions allow. */

let world: World;
let receiver: Receiver;
let admin: Person;
let program: Client;
beforeAll(async () => {
  [world, receiver] = [await createWorld({ WEBHOOKS_PRIVATE: '1' }), await openReceiver()];
  return async () => {
    await world.close();
    await receiver.close();
  };
});
const SCOPES = ['webhook:manage', 'pedido:read', 'pedido:prices', 'pedido:contact', 'product:manage'];
const without = (...names: string[]) => world.program(SCOPES.filter((name) => !names.includes(name)));
beforeEach(async () => {
  await world.reset();
  receiver.received.length = 0;
  receiver.answers(204);
  admin = await world.as('superadmin');
  program = await world.program(SCOPES);
});

const create = (who: Client, more: Partial<BodyIn<typeof api.createWebhook>> = {}) =>
  who.call(api.createWebhook, { body: { url: receiver.url, eventos: ['pedido.creado'], ...more } });
async function hook(who: Client, more: Partial<BodyIn<typeof api.createWebhook>> = {}) {
  const { status, text, body } = await create(who, more);
  expect(status, text).toBe(201);
  return { ...body.data, secreto: body.secreto };
}
async function ordered() {
  const pack = await world.pack({ pack_price_cents: UNIT });
  const body = { cliente_nombre: 'Ana', cliente_telefono: '600 111 222', cliente_direccion: 'Calle 1', pack_id: pack.id };
  expect((await admin.call(createPedido, { body })).status).toBe(201);
}
const run = () => sendDueWebhooks(world.db, world.config);
const listed = async (who: Client) => (await who.call(api.listWebhooks)).body.data.map(({ id }) => id);
const end = (change: { revocada_at: string } | { caduca_at: string }) => world.db.updateTable('api_keys').set(change).execute();

describe('a key with «Gestionar sus propios webhooks»', () => {
  it('a key manages its own webhooks without a password, and superadmins are notified', async () => {
    const { id, secreto, version } = await hook(program, { con_precios: true });
    const params = { id };
    expect(await listed(program)).toEqual([id]);
    expect((await admin.call(api.listWebhooks)).body.data).toMatchObject([{ id, clave: { nombre: 'ERP', activa: true } }]);
    expect((await program.call(api.testWebhook, { params })).body.data).toMatchObject({ enviado: true });
    await ordered();
    expect(await run()).toBe(1);
    const order = receiver.received.find(({ body }) => body.type === 'pedido.creado');
    if (!order) throw new Error('nothing arrived');
    receiver.verify(secreto, order);
    expect(order.text).toMatch(FORBIDDEN);
    const { data } = (await program.call(api.listEntregas, { params })).body;
    expect(data).toHaveLength(2);
    expect((await program.call(api.reenviarEntrega, { params: { id: data[0]?.id ?? '' } })).status).toBe(200);
    expect((await program.call(api.updateWebhook, { params, body: { version, url: `${receiver.url}/x`, con_precios: true } })).status).toBe(
      200,
    );
    expect((await program.call(api.changeWebhookSecret, { params })).body.secreto).toMatch(/^whsec_/);
    const bell = (await admin.call(listNotifications)).body.data.map(({ texto }) => texto);
    expect(bell.filter((texto) => texto.startsWith('Clave «ERP» ha creado un webhook'))).toHaveLength(1);
    expect(bell.filter((texto) => texto.startsWith('Clave «ERP» ha cambiado la dirección'))).toHaveLength(1);
    expect((await program.call(api.deleteWebhook, { params })).status).toBe(200);
    expect(await listed(admin)).toEqual([]);
  });

  it('a key gets 404 for webhooks of people and of other keys', async () => {
    const ofAdmin = await hook(admin);
    const ofAnother = await hook(await world.program(SCOPES));
    await ordered();
    await run();
    for (const { id } of [ofAdmin, ofAnother]) {
      const params = { id };
      const [delivery] = (await admin.call(api.listEntregas, { params })).body.data;
      const answers = [
        await program.call(api.updateWebhook, { params, body: { url: 'https://ladron.es/' } }),
        await program.call(api.deleteWebhook, { params }),
        await program.call(api.changeWebhookSecret, { params }),
        await program.call(api.testWebhook, { params }),
        await program.call(api.listEntregas, { params }),
        await program.call(api.reenviarEntrega, { params: { id: delivery?.id ?? '' } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    }
    expect(await listed(program)).toEqual([]);
    expect(await listed(admin)).toEqual([ofAdmin.id, ofAnother.id]);
  });

  it('a key’s webhook gets no event beyond the key’s permissions, no matter who changes the webhook', async () => {
    const few = await without('pedido:prices', 'product:manage');
    expect((await create(few, { con_precios: true })).body.errors).toEqual({ con_precios: ['La clave no puede ver importes'] });
    expect((await create(few, { eventos: ['pedido.creado', 'stock.bajo'] })).body.errors).toEqual({
      eventos: ['La clave no puede leer «Stock bajo»'],
    });
    const { id } = await hook(few);
    for (const who of [few, admin])
      for (const body of [{ con_precios: true }, { eventos: ['stock.bajo' as const] }])
        expect((await who.call(api.updateWebhook, { params: { id }, body })).status).toBe(422);
    await world.db.updateTable('webhooks').set({ con_precios: true }).execute();
    await ordered();
    expect(await run()).toBe(1);
    expect(receiver.received[0]?.text).not.toMatch(FORBIDDEN);
    await world.db
      .updateTable('webhooks')
      .set({ eventos: ['stock.bajo'] })
      .execute();
    const product = await world.product({ stock: 11, min_stock: 10 });
    await admin.call(ajustarStock, { params: { id: product.id }, body: { unidades: -1, nota: 'Rota' } });
    expect(await run()).toBe(0);
  });

  it('a key’s webhook gets no telephone without «Ver teléfono, puerta e instrucciones»', async () => {
    await hook(await without('pedido:contact'), { con_precios: true });
    await ordered();
    expect(await run()).toBe(1);
    expect(receiver.received[0]?.body.data.pedido).toMatchObject({ cliente_nombre: 'Ana', cliente_telefono: null });
    expect(receiver.received[0]?.text).not.toContain('600 111 222');
  });

  it.each([{ revocada_at: '2026-01-01T00:00:00.000Z' }, { caduca_at: '2026-01-01T00:00:00.000Z' }])(
    'a key’s webhook sends nothing once the key is revoked or expired: %o',
    async (change) => {
      const { id } = await hook(program);
      await ordered();
      await end(change);
      await ordered();
      expect([await run(), receiver.received]).toEqual([0, []]);
      expect((await admin.call(api.listWebhooks)).body.data).toMatchObject([{ clave: { activa: false }, esperando: 0 }]);
      const tried = (await admin.call(api.testWebhook, { params: { id } })).body.data;
      expect(tried).toMatchObject({ enviado: false, error: 'La clave que lo creó ya no vale' });
      expect((await admin.call(api.updateWebhook, { params: { id }, body: { descripcion: 'x' } })).status).toBe(409);
      await world.db.deleteFrom('api_keys').execute();
      expect(await listed(admin)).toEqual([]);
    },
  );

  it('a key can create only a few webhooks, which leaves room for webhooks of people', async () => {
    for (let n = 0; n < api.MAX_WEBHOOKS_OF_KEY; n += 1) await hook(program);
    expect((await create(program)).status).toBe(409);
    expect((await create(admin)).status).toBe(201);
  });
});

it('creating a webhook requires the password in a session, and the permission in an API key', async () => {
  const other = await world.as(admin.user, { proven: false });
  expect([(await create(other)).body.code, (await create(await without('webhook:manage'))).status]).toEqual(['step_up', 403]);
});
