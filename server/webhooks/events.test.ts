import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPedido, setEstado, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { bloquear } from '../../contract/privacidad/privacidad.ts';
import { EVENT_DAYS, listEvents } from '../../contract/webhooks/events.ts';
import { WEBHOOK_EVENT_NAMES } from '../../contract/webhooks/fields.ts';
import { createWebhook } from '../../contract/webhooks/webhooks.ts';
import type { Client } from '../../test/client.ts';
import { FORBIDDEN, UNIT } from '../../test/price.ts';
import { settled } from '../../test/settled.ts';
import { openReceiver, type Receiver } from '../../test/webhook-receiver.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { rebuildChanges } from '../cambios/cambios.ts';
import { transact } from '../db/open.ts';
import { cleanFeatures } from '../features.ts';
import { sendDueWebhooks } from './webhooks.job.ts';

let world: World;
let receiver: Receiver;
let admin: Person;
let program: Client;
beforeAll(async () => {
  [world, receiver] = [await createWorld({ WEBHOOKS_PRIVATE: '1', PUBLIC_URL: 'http://tienda.es' }), await openReceiver()];
  return async () => {
    await world.close();
    await receiver.close();
  };
});
const WHOLE = ['evento:read', 'pedido:read', 'pedido:prices', 'pedido:contact', 'product:manage'];
beforeEach(async () => {
  await world.reset();
  receiver.received.length = 0;
  receiver.answers(204);
  admin = await world.as('superadmin');
  program = await world.program(WHOLE);
});

const CUSTOMER = { cliente_nombre: 'Ana Ruiz', cliente_telefono: '600 111 222', cliente_direccion: 'Calle 1', cliente_direccion2: '3 B' };
/** Creates an order without a pack, so that there are no stock events. */
async function ordered() {
  const free = { producto: 'Cesta', cantidad: 1, precio_unitario: UNIT / 100 };
  const { status, text, body } = await admin.call(createPedido, { body: { ...CUSTOMER, ...free } });
  expect(status, text).toBe(201);
  return body.data;
}
const edit = (id: string, instrucciones: string) => admin.call(updatePedido, { params: { id }, body: { ...CUSTOMER, instrucciones } });
type Query = { desde?: string; limite?: number; tipo?: string };
const readNow = (query: Query = {}, who = program) => who.call(listEvents, { query });
const read = async (query: Query = {}, who = program) => {
  await settled(world.db);
  const { status, text, body } = await readNow(query, who);
  expect(status, text).toBe(200);
  return body;
};
const typesIn = ({ data }: { data: { type: string }[] }) => data.map(({ type }) => type);
const age = (days: number) =>
  world.db
    .updateTable('events')
    .set({ created_at: sql<string>`now() - make_interval(days => ${days})` })
    .execute();

describe('events', () => {
  it('events have the bodies and ids of the webhooks', async () => {
    await admin.call(createWebhook, { body: { url: receiver.url, eventos: WEBHOOK_EVENT_NAMES, con_precios: true } });
    await admin.call(createWebhook, { body: { url: `${receiver.url}/otro`, eventos: ['pedido.creado'], con_precios: true } });
    const { id } = await ordered();
    await edit(id, 'Llamar');
    await sendDueWebhooks(world.db, world.config);
    const { data } = await read();
    expect(typesIn({ data })).toEqual(['pedido.creado', 'pedido.modificado']);
    const sent = receiver.received.map((message) => ({ id: message.id, ...message.body }));
    expect(sent).toHaveLength(3);
    for (const message of sent) expect(data).toContainEqual(message);
    expect(new Set(sent.map((message) => message.id))).toEqual(new Set(data.map((message) => message.id)));
    expect(JSON.stringify(data)).toContain('http://tienda.es/pagar/');
  });

  it('events are paged in order, each once, and include events of a transaction that commits late', async () => {
    const orders = [];
    for (let i = 0; i < 5; i += 1) orders.push((await ordered()).id);
    const seen: unknown[] = [];
    let page = await read({ limite: 2 });
    for (; ; page = await read({ limite: 2, desde: page.cursor })) {
      seen.push(...page.data.map(({ data }) => (data.pedido as { id: string }).id));
      if (!page.hay_mas) break;
    }
    expect(seen).toEqual(orders);
    expect((await read({ desde: page.cursor })).data).toEqual([]);

    const late = await world.db.startTransaction().execute();
    await sql`INSERT INTO events (id, tipo, content, created_at) VALUES (gen_random_uuid(), 'pedido.pagado', '{"pedido": {}}', now())`.execute(
      late,
    );
    await edit(orders[0] ?? '', 'Antes');
    const before = (await readNow({ desde: page.cursor })).body;
    await late.commit().execute();
    const after = await read({ desde: before.cursor });
    expect([...typesIn(before), ...typesIn(after)].sort()).toEqual(['pedido.modificado', 'pedido.pagado']);
  });

  it('events of the same transaction are listed in the order in which they happened', async () => {
    await transact(world.db, async (tx) => {
      for (const tipo of ['pedido.pagado', 'pedido.asignado', 'pedido.en_ruta', 'pedido.completado'])
        await sql`INSERT INTO events (id, tipo, content, created_at) VALUES (gen_random_uuid(), ${tipo}, '{"pedido": {}}', now())`.execute(
          tx,
        );
    });
    const first = await read({ limite: 1 });
    const rest = await read({ desde: first.cursor });
    expect(typesIn({ data: [...first.data, ...rest.data] })).toEqual([
      'pedido.pagado',
      'pedido.asignado',
      'pedido.en_ruta',
      'pedido.completado',
    ]);
  });

  it('events are filtered by type, and the cursor advances even if nothing matches', async () => {
    const { id } = await ordered();
    await edit(id, 'Llamar');
    expect(typesIn(await read({ tipo: 'pedido.modificado,pedido.pagado' }))).toEqual(['pedido.modificado']);
    const none = await read({ tipo: 'stock.bajo' });
    expect([none.data, (await read({ desde: none.cursor })).data]).toEqual([[], []]);
    expect((await readNow({ tipo: 'otro' })).status).toBe(422);
  });

  it('events hide fields and subjects that an API key cannot read', async () => {
    await ordered();
    await world.product({ name: 'Arroz' });
    await sql`INSERT INTO events (id, tipo, content, created_at)
      VALUES (gen_random_uuid(), 'stock.bajo', '{"producto": {"name": "Arroz"}}', now())`.execute(world.db);
    const withoutPrices = await read({}, await world.program(['evento:read', 'pedido:read', 'pedido:contact']));
    expect(JSON.stringify(withoutPrices)).not.toMatch(FORBIDDEN);
    expect(typesIn(withoutPrices)).toEqual(['pedido.creado']);
    expect(withoutPrices.data[0]?.data.pedido).toMatchObject({ cliente_nombre: 'Ana Ruiz', cliente_telefono: '600 111 222' });
    for (const scopes of [
      ['evento:read', 'pedido:read', 'pedido:prices'],
      ['evento:read', 'pedido:read'],
    ]) {
      const { data } = await read({}, await world.program(scopes));
      expect(data[0]?.data.pedido).toMatchObject({ cliente_nombre: 'Ana Ruiz', cliente_telefono: null });
      expect(JSON.stringify(data)).not.toMatch(/600 111 222|3 B/);
    }
    const few = await world.program(['evento:read', 'product:manage']);
    expect(typesIn(await read({}, few))).toEqual(['stock.bajo']);
    expect((await readNow({ tipo: 'pedido.creado' }, few)).status).toBe(403);
    expect(typesIn(await read({}, admin))).toEqual(['pedido.creado', 'stock.bajo']);
  });

  it('events are stored only while a webhook or an API key, even a recently revoked key, can read events', async () => {
    const others = () => world.db.deleteFrom('api_keys').execute();
    await others();
    await ordered();
    expect((await read({}, admin)).data).toEqual([]);
    await world.program(['pedido:read']);
    await ordered();
    expect((await read({}, admin)).data).toEqual([]);
    await world.program(['evento:read']);
    await world.db.updateTable('api_keys').set({ revocada_at: sql<string>`now()` }).execute();
    await ordered();
    expect((await read({}, admin)).data).toHaveLength(1);
    await others();
    await admin.call(createWebhook, { body: { url: receiver.url, eventos: ['stock.bajo'], is_active: false } });
    await ordered();
    expect((await read({}, admin)).data).toHaveLength(2);
  });

  it('a cursor before deleted events is refused, but a later cursor is accepted', async () => {
    const { id } = await ordered();
    await edit(id, 'Uno');
    const { cursor } = await read({ limite: 1 });
    const whole = await read();
    const idle = await read({ tipo: 'stock.bajo' });
    await age(EVENT_DAYS - 1);
    await cleanFeatures(world.db);
    expect((await read()).data).toHaveLength(2);
    await age(EVENT_DAYS + 1);
    await cleanFeatures(world.db);
    await edit(id, 'Dos');
    await cleanFeatures(world.db);
    const gone = await readNow({ desde: cursor });
    expect([gone.status, gone.body.code]).toEqual([410, 'cursor_expired']);
    for (const desde of [whole.cursor, idle.cursor]) expect(typesIn(await read({ desde }))).toEqual(['pedido.modificado']);
    expect(typesIn(await read())).toEqual(['pedido.modificado']);
    const rows = await world.db.selectFrom('events').select('content').execute();
    expect(rows.filter(({ content }) => content === null)).toHaveLength(1);
  });

  it('a restore invalidates older cursors of events', async () => {
    await ordered();
    const { cursor } = await read();
    await transact(world.db, rebuildChanges);
    expect((await readNow({ desde: cursor })).status).toBe(410);
    expect((await readNow({ desde: 'nada' })).status).toBe(422);
  });

  it('events lose the customer’s data when the order is blocked', async () => {
    const { id } = await ordered();
    expect((await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } })).status).toBe(200);
    const { status, text } = await admin.call(bloquear, { body: { pedidos: [id], motivo: 'Lo pide' } });
    expect(status, text).toBe(200);
    expect(JSON.stringify((await read()).data)).not.toMatch(/Ana Ruiz|600 111 222|Calle 1/);
  });
});
