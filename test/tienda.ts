import { sql } from 'kysely';
import { listPagos } from '../contract/payments/payments.ts';
import { assignTransportista, getPedido, listPedidos, setEstado } from '../contract/pedidos/pedidos.ts';
import * as api from '../contract/tienda/tienda.ts';
import { transact } from '../server/db/open.ts';
import { emitJob, JOBS_CHANNEL } from '../server/jobs/wake.ts';
import { encrypt } from '../server/kit/secrets.ts';
import { CHANNEL, emit } from '../server/live/emit.ts';
import { askShops } from '../server/tienda/door/ask.ts';
import { readReceived } from '../server/tienda/order/process.ts';
import { until } from './until.ts';
import { sign, WOO_SECRET } from './woo.ts';
import type { Person, World } from './world.ts';

/** Webhooks of web shops to a world, and what the office sees of them. */
export async function openTienda(world: World) {
  await world.reset();
  const admin: Person = await world.as('superadmin');
  const pack = await world.pack({ pack_price_cents: 5000 });
  const settings = (data: object) => sql`UPDATE settings SET data = data || ${JSON.stringify(data)}::jsonb`.execute(world.db);
  await settings({ storeActive: true, cashOnDelivery: true, secrets: { storeSecret: encrypt(world.config.secretKey, WOO_SECRET) } });
  await world.db.insertInto('tienda_productos').values({ clave: 'ACEITE-6', pack_id: pack.id }).execute();

  const post = async (body: string, headers: Record<string, string>, url: string = api.receiveTienda.path) => {
    const { statusCode: status, body: text } = await world.app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status, text };
  };
  const read = () => readReceived(world.db, world.config);
  const ask = () => askShops(world.db, world.config);
  /** Gives the shop of the common address keys, so that `url` is asked; it is made if it has sent nothing yet. */
  const withKeys = async (url: string) => {
    const keys = { url, clave: 'ck_1', clave_secreta: encrypt(world.config.secretKey, 'cs_1') };
    const { numUpdatedRows } = await world.db.updateTable('tiendas').set(keys).where('comun', '=', true).executeTakeFirst();
    if (numUpdatedRows > 0n) return;
    await world.db
      .insertInto('tiendas')
      .values({ conector: 'woo', nombre: 'WooCommerce', comun: true, ...keys })
      .execute();
  };
  /** Sends a message of a WooCommerce shop and reads it. */
  const take = async (order: object, headers: Record<string, string> = {}, secret = WOO_SECRET) => {
    const body = JSON.stringify(order);
    const sent = await post(body, { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-signature': sign(body, secret), ...headers });
    await read();
    return sent;
  };
  /** Sends the plain form and reads it. */
  const takePlain = async (order: object, headers: Record<string, string> = {}, secret = WOO_SECRET) => {
    const body = JSON.stringify(order);
    const sent = await post(body, { 'x-enruta-signature': sign(body, secret), ...headers });
    await read();
    return sent;
  };
  const orders = async () =>
    (await admin.call(listPedidos, { query: { con: 'lineas', sort: 'numero_orden' } as never })).body.data as never as Record<
      string,
      unknown
    >[];
  const order = async (id: unknown) =>
    (await admin.call(getPedido, { params: { id: String(id) } })).body.data as never as Record<string, unknown>;
  const payments = async (id: unknown) => (await admin.call(listPagos, { params: { id: String(id) } })).body.data;
  const waiting = async () => (await admin.call(api.listTienda, { query: {} })).body.data;
  const move = async (id: unknown, estado: string, more = {}) => {
    if (estado !== 'cancelado') {
      const carrier = await world.user({ role: 'transportista' });
      await admin.call(assignTransportista, { params: { id: String(id) }, body: { transportista_id: carrier.id } });
    }
    const { status, text } = await admin.request('POST', setEstado.path.replace(':id', String(id)), { body: { estado, ...more } });
    if (status !== 200) throw new Error(text);
  };
  /** Jobs that the act wakes, and topics of which it tells the screens. */
  const wakes = async (act: () => Promise<unknown>) => {
    const [jobs, topics] = [new Set<string>(), new Set<string>()];
    const ignore = () => {};
    const stops = [
      await world.open.listen(JOBS_CHANNEL, (name) => void jobs.add(name), ignore),
      await world.open.listen(CHANNEL, (change) => void topics.add(JSON.parse(change).topic), ignore),
    ];
    await act();
    // What the act sent has arrived before these.
    await transact(world.db, async (tx) => {
      emitJob(tx, 'velocidad');
      emit(tx, { topic: 'settings', roles: [] });
    });
    await until(
      () => jobs.has('velocidad') && topics.has('settings'),
      () => 'no wake arrived',
    );
    for (const stop of stops) await stop();
    jobs.delete('velocidad');
    topics.delete('settings');
    return { jobs: [...jobs].toSorted(), topics: [...topics].toSorted() };
  };
  return { admin, pack, settings, post, read, ask, withKeys, take, takePlain, orders, order, payments, waiting, wakes, move };
}
export type Tienda = Awaited<ReturnType<typeof openTienda>>;
