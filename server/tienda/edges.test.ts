import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import * as api from '../../contract/tienda/tienda.ts';
import { sign, WOO_SECRET, wooOrder } from '../../test/woo.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { encrypt } from '../kit/secrets.ts';
import { readReceived } from './process.ts';

/* A cent to each side (test/faults.ts). */

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  const { id } = await world.pack({ pack_price_cents: 5000 });
  const data = { storeActive: true, secrets: { storeSecret: encrypt(world.config.secretKey, WOO_SECRET) } };
  await sql`UPDATE settings SET data = data || ${JSON.stringify(data)}::jsonb`.execute(world.db);
  await world.db.insertInto('tienda_productos').values({ clave: 'ACEITE-6', pack_id: id }).execute();
});

async function take(order: object) {
  const payload = JSON.stringify(order);
  const headers = { 'content-type': 'application/json', 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-signature': sign(payload) };
  const { statusCode } = await world.app.inject({ method: 'POST', url: api.receiveTienda.path, payload, headers });
  expect(statusCode).toBe(200);
  await readReceived(world.db, world.config.secretKey);
}
const orders = async () => (await admin.call(listPedidos)).body.data as never as Record<string, unknown>[];

test('a payment in the shop is not booked if the amount has changed there, and the office is told', async () => {
  const bank = { payment_method: 'bacs', status: 'on-hold' };
  await take(wooOrder(bank));
  await take(wooOrder({ ...bank, status: 'processing', total: '48.94', date_modified_gmt: '2026-11-21T10:00:00' }));
  expect(await orders()).toMatchObject([{ estado: 'pendiente_pago', pagado: 0, precio_total: 48.95 }]);
  expect((await admin.call(api.listTienda, { query: {} })).body.data).toMatchObject([{ aviso: expect.stringContaining('el importe') }]);
});

// The lines of wooOrder add up to 48,95 €. Rounding explains a cent per line, and one more.
test.each([
  ['48.97', 1],
  ['48.98', 0],
  ['48.93', 1],
  ['48.92', 0],
])('an order of one line whose shop says %s becomes %i order', async (total, made) => {
  await take(wooOrder({ total }));
  expect((await orders()).map(({ precio_total }) => precio_total)).toEqual(made ? [Number(total)] : []);
});
