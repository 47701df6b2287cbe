import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listNotifications, readNotifications } from '../../contract/notifications/notifications.ts';
import { avisarTransferencia } from '../../contract/pagar/pagar.ts';
import { assignTransportista, createPedido, deletePedido, restorePedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';
import { tendUnpaid } from '../pedidos/pasos/unpaid.job.ts';

let world: World;
let admin: Person;
/** A second superadmin, because authors are not notified. */
let boss: Person;
let reseller: Person;
let carrier: Person;
let stranger: { revendedor: Person; transportista: Person };
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, revendedor: reseller, transportista: carrier } = await everyRole(world));
  boss = await world.as(await world.user({ role: 'superadmin' }));
  stranger = {
    revendedor: await world.as(await world.user({ role: 'revendedor' })),
    transportista: await world.as(await world.user({ role: 'transportista' })),
  };
});

it('a notice to a role is stored as one row, however many people have the role', async () => {
  await sql`INSERT INTO users (full_name, email, role, is_active, password_hash)
    SELECT 'Transportista ' || g, 't' || g || '@b.es', 'transportista', true, 'x' FROM generate_series(1, 300) g`.execute(world.db);
  const pack = await world.pack();
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id, estado: 'pendiente' as const };
  expect((await admin.call(createPedido, { body })).status).toBe(201);
  const rows = await world.db.selectFrom('notifications').select('role').orderBy('role').execute();
  expect(rows).toEqual([{ role: 'superadmin' }, { role: 'transportista' }]);
  expect((await bell(carrier)).unread).toBe(1);
});

const bell = async (person: Person) => (await person.call(listNotifications)).body;
/** Returns a person's unread notifications as [type, sentence, path], oldest first, and marks them as read. */
async function news(person: Person) {
  const { data } = await bell(person);
  await person.call(readNotifications, { body: {} });
  return data
    .filter(({ read_at }) => read_at === null)
    .map(({ tipo, texto, enlace }) => [tipo, texto, enlace])
    .reverse();
}
const hearsNothing = async (...people: Person[]) => {
  for (const person of people) expect(await news(person), person.user.role).toEqual([]);
};
const move = async (who: Person, id: string, estado: string, more = {}) => {
  const { status, text } = await who.request('POST', setEstado.path.replace(':id', id), { body: { estado, ...more } });
  expect(status, text).toBe(200);
};
async function ordered(fields: object = {}) {
  const pack = await world.pack();
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Mayor 1', pack_id: pack.id, ...fields };
  const { id, numero_orden } = (await reseller.call(createPedido, { body })).body.data;
  const who = `${numero_orden} (Ana)`;
  const search = `search=${numero_orden}`;
  return { id, who, search, mine: `/mis-pedidos?${search}`, screen: `/pedidos/${id}` };
}

describe('an order in progress', () => {
  it('each step of an order notifies only the reseller, carrier and superadmins concerned', async () => {
    const { id, who, mine, screen } = await ordered();
    expect(await news(admin)).toEqual([['pedido_nuevo', `Nuevo pedido ${who}`, screen]]);
    expect(await news(boss)).toHaveLength(1);
    await hearsNothing(reseller, carrier);

    await move(admin, id, 'pendiente', { referencia: 'TRF' });
    expect(await news(reseller)).toEqual([['pedido_pagado', `Pedido pagado: ${who}`, mine]]);
    for (const person of [carrier, stranger.transportista])
      expect(await news(person)).toEqual([['pedido_disponible', '1 pedido disponible', '/pedidos-disponibles']]);

    await carrier.call(autoAsignar, { params: { id } });
    expect(await news(reseller)).toEqual([['pedido_tomado', `${carrier.user.full_name} lleva el pedido ${who}`, mine]]);
    await move(carrier, id, 'en_ruta');
    await hearsNothing(admin, reseller, carrier);

    await move(carrier, id, 'asignado', { motivo: 'No había nadie' });
    const failed = `Intento de entrega fallido de ${who}: No había nadie`;
    expect(await news(reseller)).toEqual([['intento_fallido', failed, mine]]);
    expect(await news(admin)).toEqual([['intento_fallido', failed, screen]]);

    await move(carrier, id, 'completado', { metodo_entrega: 'manual' });
    expect(await news(reseller)).toEqual([['pedido_completado', `Pedido entregado: ${who}`, mine]]);
    await hearsNothing(admin, carrier, stranger.revendedor, stranger.transportista);
  });

  it('assigning an order notifies the new carrier, and cancelling an order notifies everyone concerned', async () => {
    const { id, who, search, mine, screen } = await ordered();
    await move(admin, id, 'pendiente', { referencia: 'TRF' });
    for (const person of [admin, boss, reseller, carrier, stranger.transportista]) await news(person);
    await admin.call(assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id } });
    expect(await news(carrier)).toEqual([['pedido_asignado', `Se te ha asignado el pedido ${who}`, `/pedidos-asignados?${search}`]]);
    await news(reseller);
    await move(admin, id, 'cancelado');
    expect(await news(carrier)).toEqual([
      ['pedido_cancelado', `${admin.user.full_name} ha cancelado el pedido ${who}`, `/pedidos-asignados?estado=cancelado&${search}`],
    ]);
    expect(await news(reseller)).toEqual([['pedido_cancelado', `Pedido cancelado: ${who}`, mine]]);
    // A refund is a pending task, so the author is notified too.
    for (const person of [admin, boss])
      expect(await news(person)).toEqual([['devolucion_pendiente', expect.stringContaining(who), screen]]);
    await hearsNothing(stranger.revendedor, stranger.transportista);
  });

  it('a carrier who loses an order is notified, but not a carrier who returns an order', async () => {
    const boss = admin.user.full_name;
    const { id, who } = await ordered();
    await move(admin, id, 'pendiente', { referencia: 'TRF' });
    const give = (transportista_id: string | null) => admin.call(assignTransportista, { params: { id }, body: { transportista_id } });
    const lost = async (person: Person) => (await news(person)).filter(([tipo]) => tipo === 'pedido_retirado').map(([, texto]) => texto);
    await give(carrier.user.id);
    await give(stranger.transportista.user.id);
    expect(await lost(carrier)).toEqual([`${boss} ha dado a ${stranger.transportista.user.full_name} el pedido ${who}`]);
    await give(null);
    expect(await lost(stranger.transportista)).toEqual([`${boss} te ha retirado el pedido ${who}`]);
    await carrier.call(autoAsignar, { params: { id } });
    await move(carrier, id, 'pendiente');
    expect(await lost(carrier)).toEqual([]);
    await carrier.call(autoAsignar, { params: { id } });
    await admin.call(deletePedido, { params: { id } });
    expect(await lost(carrier)).toEqual([`${boss} ha eliminado el pedido ${who}`]);
  });

  it('an unpaid order reminds its reseller, and a reported transfer notifies the superadmins', async () => {
    const created_at = new Date(Date.now() - 30 * 3_600_000).toISOString();
    const pedido = await world.pedido({ estado: 'pendiente_pago', revendedor_id: reseller.user.id, created_at });
    await tendUnpaid(world.db);
    expect(await news(reseller)).toEqual([
      ['pago_recordado', expect.stringContaining(pedido.numero_orden), `/mis-pedidos?estado=pendiente_pago&search=${pedido.numero_orden}`],
    ]);
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ companyIban: 'ES9121000418450200051332' }) })
      .execute();
    await world.nobody().call(avisarTransferencia, { params: { token: pedido.pago_token ?? '' } });
    expect(await news(admin)).toEqual([
      ['transferencia_avisada', expect.stringContaining('Comprueba que ha llegado'), `/pedidos/${pedido.id}`],
    ]);
    await hearsNothing(reseller, carrier, stranger.revendedor);
  });
});

describe('orders on offer', () => {
  const line = async (person: Person) => (await bell(person)).data.filter(({ tipo }) => tipo === 'pedido_disponible');
  const texts = async (person: Person) => (await line(person)).map(({ texto }) => texto);
  async function offered() {
    const order = await ordered();
    await move(admin, order.id, 'pendiente', { referencia: 'TRF' });
    return order;
  }

  it('orders on offer are one line with their number, which disappears with the last order', async () => {
    const [first, second] = [await offered(), await offered()];
    expect(await texts(carrier)).toEqual(['2 pedidos disponibles']);
    expect((await bell(carrier)).unread).toBe(1);
    await carrier.call(autoAsignar, { params: { id: first.id } });
    expect(await texts(stranger.transportista)).toEqual(['1 pedido disponible']);
    await admin.call(deletePedido, { params: { id: second.id } });
    expect(await line(stranger.transportista)).toEqual([]);
    await admin.call(restorePedido, { params: { id: second.id } });
    expect(await texts(stranger.transportista)).toEqual(['1 pedido disponible']);
    await admin.call(assignTransportista, { params: { id: second.id }, body: { transportista_id: carrier.user.id } });
    expect([await line(stranger.transportista), (await bell(stranger.transportista)).unread]).toEqual([[], 0]);
    for (const nobody of [admin, reseller]) expect(await line(nobody)).toEqual([]);
  });

  it('orders on offer are marked as read per carrier, and become unread with the next order', async () => {
    await offered();
    await offered();
    const [unread] = await line(carrier);
    await carrier.call(readNotifications, { body: { ids: [unread?.id ?? ''] } });
    expect([(await bell(carrier)).unread, (await line(carrier))[0]?.read_at]).toEqual([0, expect.any(String)]);
    expect((await bell(stranger.transportista)).unread).toBe(1);
    await offered();
    expect([(await bell(carrier)).unread, await texts(carrier)]).toEqual([1, ['3 pedidos disponibles']]);
  });

  it('orders on offer include an order that a carrier returned, without notifying that carrier', async () => {
    const { id } = await offered();
    await carrier.call(autoAsignar, { params: { id } });
    await carrier.call(readNotifications, { body: {} });
    await move(carrier, id, 'pendiente');
    expect([await texts(carrier), (await bell(carrier)).unread]).toEqual([['1 pedido disponible'], 0]);
    expect((await bell(stranger.transportista)).unread).toBe(1);
  });
});

it('stock that falls to its minimum notifies the superadmins, once', async () => {
  const product = await world.product({ name: 'Arroz', stock: 12, min_stock: 10 });
  const pack = await world.pack({ product_id: product.id, pack_quantity: 2 });
  await ordered({ pack_id: pack.id });
  await ordered({ pack_id: pack.id });
  const low = (await news(admin)).filter(([tipo]) => tipo === 'stock_bajo');
  expect(low).toEqual([['stock_bajo', 'Stock bajo: quedan 10 unidades de Arroz', '/control-stock?ver=bajo']]);
  await hearsNothing(reseller, carrier);
});

describe('the bell', () => {
  it('the bell counts all unread notices, not only the thirty shown', async () => {
    const values = Array.from({ length: 34 }, (_, i) => ({
      user_id: reseller.user.id,
      tipo: 'pedido_pagado',
      texto: `Aviso ${i}`,
      enlace: '/',
      created_at: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
    }));
    await world.db.insertInto('notifications').values(values).execute();
    const { data, unread } = await bell(reseller);
    expect([unread, data.length, data[0]?.texto, data.at(-1)?.texto]).toEqual([34, 30, 'Aviso 33', 'Aviso 4']);

    await reseller.call(readNotifications, { body: { ids: [data[0]?.id ?? ''] } });
    const list = await bell(reseller);
    expect([list.unread, list.data[0]?.read_at, list.data[1]?.read_at]).toEqual([33, expect.any(String), null]);
    await reseller.call(readNotifications, { body: {} });
    expect((await bell(reseller)).unread).toBe(0);
  });

  it('the bell shows and marks only a person’s own notices, whatever ids the request names', async () => {
    await ordered();
    const [mine] = (await bell(admin)).data;
    const read = await reseller.call(readNotifications, { body: { ids: [mine?.id ?? ''] } });
    expect(read.status).toBe(200);
    await reseller.call(readNotifications, { body: {} });
    expect((await bell(reseller)).data).toEqual([]);
    expect([(await bell(admin)).unread, (await bell(boss)).unread]).toEqual([1, 1]);
  });

  it('the bell marks nothing as read with an empty list of ids', async () => {
    await ordered();
    await admin.call(readNotifications, { body: { ids: [] } });
    expect((await bell(admin)).unread).toBe(1);
  });

  it('opening an order marks its notices as read, for that person only', async () => {
    const [opened, other] = [await ordered(), await ordered()];
    expect((await bell(admin)).unread).toBe(2);
    await admin.call(readNotifications, { body: { pedido_id: opened.id } });
    expect((await bell(admin)).data.map(({ enlace, read_at }) => [enlace, read_at !== null])).toEqual([
      [other.screen, false],
      [opened.screen, true],
    ]);
    expect([(await bell(admin)).unread, (await bell(boss)).unread]).toEqual([1, 2]);
    await stranger.revendedor.call(readNotifications, { body: { pedido_id: other.id } });
    expect((await bell(boss)).unread).toBe(2);
  });

  it('the bell hides notices to a role that are older than the person’s account', async () => {
    await ordered();
    const late = await world.as(await world.user({ role: 'superadmin' }));
    expect((await bell(late)).data).toEqual([]);
    await ordered();
    expect((await bell(late)).unread).toBe(1);
  });

  it('the bell marks all existing notices as read, but not later notices', async () => {
    for (let n = 0; n < 3; n += 1) await ordered();
    await admin.call(readNotifications, { body: {} });
    await admin.call(readNotifications, { body: {} });
    expect((await bell(admin)).unread).toBe(0);
    await ordered();
    expect((await bell(admin)).unread).toBe(1);
  });
});
