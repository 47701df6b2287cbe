import { beforeAll, expect, test } from 'vitest';
import type { EndpointDef } from '../contract/kit/endpoint.ts';
import { cerrarMes, getLiquidacion, listLiquidaciones, setGanancia } from '../contract/liquidaciones/liquidaciones.ts';
import { live } from '../contract/live/live.ts';
import { listNotifications } from '../contract/notifications/notifications.ts';
import { anotarPago } from '../contract/payments/payments.ts';
import { EN_MANOS, ESTADOS, type Estado } from '../contract/pedidos/estados.ts';
import { PAGADO, SORTS } from '../contract/pedidos/filters.fields.ts';
import * as pedidos from '../contract/pedidos/pedidos.ts';
import { isAction, rolesOf } from '../contract/policy/policy.ts';
import { createUser } from '../contract/users/users.ts';
import type { PedidoRow } from './builders.ts';
import { address, type RawReply } from './client.ts';
import { earnedOn, monthsBack } from './earning.ts';
import { endpoints } from './endpoints.ts';
import { REDSYS, STRIPE, stripeSays } from './paying.ts';
import { CANTIDAD, FORBIDDEN, PART, UNIT } from './price.ts';
import { createWorld, type Person, type World } from './world.ts';

/*
 * No price reaches a carrier (design, section 4.13): the orders here cost an unlikely amount, which must not
 * appear in anything sent to a carrier. New endpoints are covered automatically.
 */

const MISSING = '00000000-0000-4000-8000-000000000000';

let world: World;
let admin: Person;
let reseller: Person;
let carrier: Person;
let other: Person;
let shared: string[];
beforeAll(async () => {
  world = await createWorld({ ...STRIPE, ...REDSYS, PUBLIC_URL: 'http://tienda.es', LOG_LEVEL: 'silent' });
  const smtp = { companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', notificationFrequency: 'immediate', dayRoute: true };
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify(smtp) as never })
    .execute();
  [admin, reseller, carrier] = [await world.as('superadmin'), await world.as('revendedor'), await world.as('transportista')];
  other = await world.as(await world.user({ role: 'transportista' }));
  await gain();
  shared = [...(await everybodys()), ...(await statements())];
  return world.close;
});

test('every notation of the price is recognised, and superadmins and resellers see the price', async () => {
  for (const text of ['739146', '"total":7391.46', '7391,46 €', '7.391,46\u00a0€', '7 391,46', '22174.38', '22.174,38 €', '/pagar/x'])
    expect(text).toMatch(FORBIDDEN);
  for (const text of ['7391-46', '27391468', 'a739146f-0000', 'pedido 7391']) expect(text).not.toMatch(FORBIDDEN);
  const pedido = await order({ estado: 'pendiente_pago' });
  for (const who of [admin, reseller])
    expect((await who.call(pedidos.getPedido, { params: { id: pedido.id } })).text, who.user.role).toMatch(FORBIDDEN);
});

async function order(fields: Partial<PedidoRow>): Promise<PedidoRow> {
  const pack = await world.pack({ pack_price_cents: UNIT });
  const pedido = await world.pedido({ revendedor_id: reseller.user.id, ...fields, pack, cantidad: CANTIDAD });
  await admin.request('POST', `/api/pedidos/${pedido.id}/pagos`, { body: { metodo: 'bizum', importe: PART / 100, fecha: '2026-01-05' } });
  return pedido;
}
/** Orders in each estado, of a carrier or unassigned, and a deleted one. */
const ordersOf = ({ user: { id } }: Person) =>
  Promise.all([
    ...ESTADOS.map((estado) => order({ estado, ...(CARRIED.includes(estado) ? { transportista_id: id } : {}) })),
    order({ estado: 'asignado', transportista_id: id, deleted_at: new Date().toISOString() }),
  ]);
const CARRIED: readonly Estado[] = [...EN_MANOS, 'completado'];
const everybodys = async () => (await Promise.all([ordersOf(carrier), ordersOf(other)])).flat().map(({ id }) => id);

/** Sets earnings: the reseller earns the whole price of an order, and each carrier a fee. */
async function gain() {
  await admin.call(setGanancia, { params: { id: reseller.user.id }, body: { margen: { tipo: 'porcentaje', valor: 100 } } });
  for (const { user } of [carrier, other])
    await admin.call(setGanancia, { params: { id: user.id }, body: { tarifas: [{ zona: 'peninsula', entrega: 3.5, intento: 1 }] } });
}
/** Creates statements of last month for the reseller and both carriers, and open lines. Returns the ids of the statements. */
async function statements(): Promise<string[]> {
  const deliver = async (who: Person) => {
    const { id } = await order({ estado: 'en_ruta', transportista_id: who.user.id });
    await who.call(pedidos.setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  };
  for (const who of [carrier, other]) await deliver(who);
  await earnedOn(world.db, monthsBack(1).first);
  await admin.call(cerrarMes, { body: { mes: monthsBack(1).mes } });
  for (const who of [carrier, other]) await deliver(who);
  const { data } = (await admin.call(listLiquidaciones)).body;
  const ids = data.map(({ id }) => id);
  const texts = await Promise.all(ids.map(async (id) => (await admin.call(getLiquidacion, { params: { id } })).text));
  expect(texts.map((text) => FORBIDDEN.test(text)).sort()).toEqual([false, false, true]);
  return ids;
}

const title = ({ method, path }: EndpointDef) => `${method} ${path}`;
const walked = endpoints.filter(({ endpoint }) => endpoint !== live).map(({ endpoint }) => [title(endpoint), endpoint] as const);

/** Queries to try besides the empty query. */
const QUERIES: Record<string, object[]> = {
  'GET /api/pedidos': [
    ...SORTS.flatMap((sort) => [{ sort }, { sort, dir: 'asc' }]),
    { sort: 'nada' },
    { search: 'Cliente', per_page: 100 },
    { estado: 'completado' },
    { devolucion: 'pendiente' },
    ...PAGADO.map((pagado) => ({ pagado })),
  ],
  'GET /api/liquidaciones': [{ per_page: 100 }, { estado: 'pendiente' }],
  'GET /api/transportista/pedidos-disponibles': [{ search: 'Cliente', per_page: 100 }, { estado: 'nada' }],
};
const BODIES: Record<string, object[]> = {
  'POST /api/pedidos/:id/estado': [...ESTADOS, 'nada'].map((estado) => ({
    estado,
    metodo_entrega: 'mrw',
    numero_seguimiento: 'MRW-1',
    motivo: 'No había nadie',
    referencia: 'x',
  })),
  'PUT /api/transportista/ruta': [{ pedidos: [], primera: null, ultima: null, ocurrido: '2026-01-05T10:00:00Z' }],
  'POST /api/transportista/pedidos/:id/auto-asignar': [{ empresa_transporte: 'mrw' }],
  'POST /api/login': [{ email: 'nadie@enruta.test', password: 'no es esta' }],
};

const ENDS = /login|logout|cuenta/;

test.each(walked)('%s sends a carrier no price', async (name, e) => {
  // Endpoints that change orders get orders that the carrier may change.
  const opens = e.method !== 'GET' && isAction(e.action) && rolesOf(e.action).includes('transportista');
  const ids = e.path.includes('/:') ? [...(opens ? await everybodys() : shared), MISSING, 'no-es-un-id'] : [MISSING];
  let me = await world.as(carrier.user);
  const replies: RawReply[] = [];
  for (const id of ids) {
    for (const query of [{}, ...(QUERIES[name] ?? [])]) {
      for (const body of e.method === 'GET' ? [undefined] : [undefined, {}, { desconocido: 1 }, ...(BODIES[name] ?? [])]) {
        // After a call that ended the session, sign in again.
        if (replies.at(-1)?.status === 401 || ENDS.test(e.path)) me = await world.as(carrier.user);
        replies.push(await me.request(e.method, address(e.path, { id, token: id, proveedor: id, empresa: id }, { ...query }), { body }));
      }
    }
  }
  for (const { status, text, headers } of replies) {
    expect(status).toBeLessThan(500);
    expect(`${text} ${JSON.stringify(headers)}`).not.toMatch(FORBIDDEN);
  }
});

test('live events, notifications and mails of a carrier hold no price while orders come and go', async () => {
  // Earlier tests may have ended every session of the carrier.
  carrier = await world.as(carrier.user);
  const heard = await listen(carrier);
  const pack = await world.pack({ pack_price_cents: UNIT });
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id, cantidad: CANTIDAD };
  const made = async () => (await reseller.call(pedidos.createPedido, { body })).body.data.id;
  const move = (who: Person, id: string, estado: string, more = {}) =>
    who.request('POST', `/api/pedidos/${id}/estado`, { body: { estado, ...more } });

  const [paid, byStripe, cancelled, offered] = [await made(), await made(), await made(), await made()];
  for (const id of [paid, offered]) await move(admin, id, 'pendiente', { referencia: 'TRF' });
  await stripeSays(world.nobody(), { id: 'evt_1', pedido: byStripe, importe: UNIT * CANTIDAD });
  const transportista_id = carrier.user.id;
  for (const id of [paid, byStripe]) await admin.call(pedidos.assignTransportista, { params: { id }, body: { transportista_id } });
  await move(carrier, paid, 'en_ruta');
  await move(carrier, paid, 'asignado', { motivo: 'No había nadie' });
  await move(admin, byStripe, 'cancelado');
  await move(reseller, cancelled, 'cancelado');
  await stripeSays(world.nobody(), { id: 'evt_2', pedido: cancelled, importe: UNIT * CANTIDAD });
  await admin.call(createUser, {
    body: { role: 'transportista', full_name: 'Nuevo', email: 'nuevo@enruta.test', password: 'clave de nuevo' },
  });
  await move(carrier, paid, 'completado', { metodo_entrega: 'mrw', numero_seguimiento: 'MRW-1' });

  const bell = await carrier.call(listNotifications);
  const mails = await world.db.selectFrom('outbox').selectAll().execute();
  await expect.poll(heard.text).toContain('data: notifications');
  heard.stop();
  expect(bell.body.data.map(({ tipo }) => tipo)).toEqual(
    expect.arrayContaining(['pedido_disponible', 'pedido_asignado', 'pedido_cancelado']),
  );
  expect(mails.length).toBeGreaterThan(3);
  const toCarriers = mails.filter(({ recipient }) => /transportista|nuevo@/.test(recipient));
  expect(`${heard.text()} ${bell.text} ${JSON.stringify(toCarriers)}`).not.toMatch(FORBIDDEN);
});

test('only the carrier of an order paid on delivery gets the amount to collect', async () => {
  const [mine, theirs] = [await world.as(carrier.user), await world.as(other.user)];
  const cod = (fields: Partial<PedidoRow>) => world.pedido({ ...fields, contra_reembolso: true, precio_total_cents: 83_617, cantidad: 1 });
  const { id } = await cod({ estado: 'en_ruta', transportista_id: carrier.user.id });
  const { id: offered } = await cod({ estado: 'pendiente' });
  // Partly paid: the amount to collect is neither the total nor a price.
  const noted = { metodo: 'bizum', importe: 100, fecha: '2026-01-05' } as const;
  await admin.call(anotarPago, { params: { id }, body: noted });
  const reads = walked.filter(([, { method }]) => method === 'GET').map(([, e]) => e);
  const bytes = async (who: Person, of: string) => {
    const replies = await Promise.all(
      reads.map((e) => who.request('GET', address(e.path, { id: of, token: of, proveedor: of, empresa: of }))),
    );
    return replies.map(({ text, headers }) => `${text} ${JSON.stringify(headers)}`).join(' ');
  };
  const ownBytes = await bytes(mine, id);
  expect(ownBytes).toContain('"por_cobrar":736.17');
  expect(ownBytes.replaceAll('"por_cobrar":736.17', '')).not.toMatch(/836[.,]?17|736[.,]?17/);
  for (const of of [id, offered]) expect(await bytes(theirs, of)).not.toMatch(/836[.,]?17|736[.,]?17/);
  expect(await bytes(theirs, offered)).toContain('"contra_reembolso":true');
});

/** Collects a person's live stream as text. */
async function listen(who: Person) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await world.app.inject({ method: 'GET', url: live.path, headers: { cookie }, payloadAsStream: true });
  expect(response.statusCode).toBe(200);
  let text = '';
  const stream = response.stream().on('data', (chunk) => (text += chunk));
  return { text: () => text, stop: () => void stream.destroy() };
}
