import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { apuntarMovimiento, cerrarMovimiento, deshacerExtracto, leerExtracto, soltarMovimiento } from '../contract/banco/banco.ts';
import {
  cobroSinLlegar,
  comprobarCobros,
  confirmarCaja,
  deshacerRemesa,
  entregarCaja,
  leerRemesa,
  listDeEmpresas,
  listSinRegistrar,
  recibirCaja,
  recibirDeEmpresa,
  registrarLoQuePaso,
} from '../contract/caja/caja.ts';
import { deshacerPaso } from '../contract/deshacer/deshacer.ts';
import {
  anularDevolucion,
  createDevolucion,
  listDevoluciones,
  moverDevolucion,
  pedirResto,
  recibirDevolucion,
  recibirMercancia,
  reembolsarDevolucion,
  retenerDevolucion,
} from '../contract/devoluciones/devoluciones.ts';
import type { EndpointDef } from '../contract/kit/endpoint.ts';
import { anotarPago, anularPago, devolverPago, reembolsarSobra, resolverPago } from '../contract/payments/payments.ts';
import * as api from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { autoAsignar, contarNoAceptado } from '../contract/transportista/transportista.ts';
import { deleteUser } from '../contract/users/users.ts';
import { recountAccounts } from '../server/cuadre/run.ts';
import { onSnapshot } from '../server/db/open.ts';
import { lockCash } from '../server/pedidos/pagos/cash.ts';
import { address } from './client.ts';
import { dayInMadrid } from './day.ts';
import { endpoints } from './endpoints.ts';
import { meanwhile } from './meanwhile.ts';
import { drawTurns, inTurns, openGate, type TakeOut, type Turn } from './schedule.ts';
import { shareOf } from './share.ts';
import { until } from './until.ts';
import { createWorld, type Person, type World } from './world.ts';

/*
 * Sends each pair of acts on one payment, return, hand-over or order at once, their statements in an order drawn by a seed. Both answers must be
 * those of one act after the other, so at most one act succeeds where they exclude each other, and the recount, which reads in a snapshot amid
 * them, must stay empty. `SCHEDULE=<seed>` repeats a red order, `ORDERS=30` tries more of each pair.
 */
const SEED = Number(process.env.SCHEDULE ?? process.env.SEED ?? Date.now() % 1_000_000);
const ORDERS = Number(process.env.ORDERS ?? 1);
const gate = openGate();

let world: World;
let admin: Person;
let colleague: Person;
let pack: string;
beforeAll(async () => {
  world = await createWorld({}, gate);
  await open();
  return world.close;
});

/** Empties the shop, and opens it. */
async function open(): Promise<void> {
  await world.reset();
  [admin, colleague] = [await world.as('superadmin'), await world.as(await world.user({ role: 'superadmin' }))];
  const settings = { cashOnDelivery: true, partialDeliveries: true, shippingPeninsula: 0 };
  expect((await admin.call(updateSettings, { body: settings })).status).toBe(200);
  pack = (await world.pack({ product_id: (await world.product({ stock: 1_000_000 })).id, pack_quantity: 6, pack_price_cents: 1000 })).id;
}

/** Ids of a thing and of its order and carrier. */
type Thing = { pedido: string; id: string; carrier: Person; other: string };
type Act = { endpoint: EndpointDef; params?: (thing: Thing) => Record<string, string>; body?: (thing: Thing) => unknown; by?: 'carrier' };

const act = (endpoint: EndpointDef, of: 'pedido' | 'id' | undefined, body?: Act['body'], by?: 'carrier'): Act => ({
  endpoint,
  ...(of && { params: (thing: Thing) => ({ id: thing[of] }) }),
  ...(body && { body }),
  ...(by && { by }),
});
const line = { numero: 1, cantidad: 1, destino: 'stock' };
const PAY = { metodo: 'bizum', importe: 20, fecha: dayInMadrid() };
const REASON = () => ({ motivo: 'Error' });

const DELETE = act(api.deletePedido, 'pedido');
const RESTORE = act(api.restorePedido, 'pedido');
const CANCEL = act(api.setEstado, 'pedido', () => ({ estado: 'cancelado', motivo: 'Fin' }));
const RETURN = act(createDevolucion, 'pedido', () => ({ lineas: [line], motivo: 'otro', reembolso: 10 }));
const UNDO = act(deshacerPaso, 'pedido', () => ({ paso: 'deshacer_entrega', motivo: 'Error' }));
const ANNUL_PAYMENT = act(anularPago, 'id', REASON);
const REMIT = act(recibirDeEmpresa, undefined, ({ id }) => ({ empresa: 'Correos', cobros: [id], recibido: 20, fecha: dayInMadrid() }));
const SHEET = act(leerRemesa, undefined, ({ other }) => ({
  ...{ empresa: 'Correos', filas: [{ referencia: other, importe: 20 }], fecha: dayInMadrid() },
}));
const LINES = act(api.setLineas, 'pedido', () => ({ lineas: [{ numero: 1, cantidad: 3 }] }));

let customers = 0;
/** Creates an order of two packs (20 €) for a new customer and carrier. */
async function order(body: object = {}): Promise<Thing> {
  const cliente_telefono = String(612_000_000 + ++customers);
  const fields = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono, pack_id: pack, cantidad: 2, ...body };
  const made = await admin.call(api.createPedido, { body: fields });
  expect(made.status, made.text).toBe(201);
  const { id } = made.body.data;
  return { pedido: id, id, carrier: await world.as(await world.user({ role: 'transportista' })), other: '' };
}
const succeed = async (reply: Promise<{ status: number; text: string }>) =>
  expect([200, 201], (await reply).text).toContain((await reply).status);
async function deliver(thing: Thing, body: object): Promise<void> {
  const params = { id: thing.pedido };
  await succeed(thing.carrier.call(autoAsignar, { params, body: {} }));
  await succeed(thing.carrier.call(api.setEstado, { params, body: { estado: 'en_ruta' } }));
  await succeed(thing.carrier.call(api.setEstado, { params, body: { estado: 'completado', metodo_entrega: 'manual', ...body } }));
}
const pay = (thing: Thing) => succeed(admin.call(anotarPago, { params: { id: thing.pedido }, body: PAY as never }));
async function paymentOf({ pedido }: Thing): Promise<string> {
  return (await world.db.selectFrom('pagos').select('id').where('pedido_id', '=', pedido).executeTakeFirstOrThrow()).id;
}
const returnOf = async ({ pedido }: Thing) =>
  (await admin.call(listDevoluciones, { params: { id: pedido } })).body.data[0]?.id ?? expect.fail('no return');

async function collected(cobrado_metodo: 'bizum' | 'efectivo'): Promise<Thing> {
  const thing = await order({ contra_reembolso: true });
  await deliver(thing, { cobrado: 20, cobrado_metodo });
  return { ...thing, id: await paymentOf(thing) };
}
async function withCompany(): Promise<Thing> {
  const thing = await order({ contra_reembolso: true });
  await deliver(thing, { metodo_entrega: 'correos', cobrado: 20, cobrado_metodo: 'empresa' });
  const { numero_orden } = (await admin.call(api.getPedido, { params: { id: thing.pedido } })).body.data as api.Pedido;
  return { ...thing, id: await paymentOf(thing), other: numero_orden };
}
async function paid(body: object = {}): Promise<Thing> {
  const thing = await order(body);
  await pay(thing);
  return thing;
}
async function returned(): Promise<Thing> {
  const thing = await paid();
  await deliver(thing, {});
  const { pedido: other } = await order();
  const { numero_orden } = (await admin.call(api.getPedido, { params: { id: other } })).body.data as api.Pedido;
  await succeed(admin.call(createDevolucion, { params: { id: thing.pedido }, body: { lineas: [line], motivo: 'otro' } as never }));
  return { ...thing, id: await returnOf(thing), other: numero_orden };
}
async function partial(): Promise<Thing> {
  const thing = await paid();
  await deliver(thing, { no_entregado: [{ numero: 1, cantidad: 1, motivo: 'falta' }] });
  return { ...thing, id: await returnOf(thing) };
}
async function then(thing: Thing, { endpoint, params, body }: Act): Promise<Thing> {
  await succeed(admin.request(endpoint.method, address(endpoint.path, params?.(thing) ?? {}), { body: body?.(thing) }));
  return thing;
}
async function handedOver(): Promise<Thing> {
  const thing = await collected('efectivo');
  await succeed(thing.carrier.call(entregarCaja, { body: { dia: dayInMadrid(), contado: 20, motivo: null } }));
  const caja = world.db.selectFrom('cajas').select('id').where('transportista_id', '=', thing.carrier.user.id);
  return { ...thing, id: (await caja.executeTakeFirstOrThrow()).id };
}
async function unregistered(): Promise<Thing> {
  const thing = await order({ contra_reembolso: true });
  await succeed(thing.carrier.call(autoAsignar, { params: { id: thing.pedido }, body: {} }));
  await then(thing, CANCEL);
  const body = { pedido_id: thing.pedido, paso: 'completar', ocurrido: new Date().toISOString(), cobrado: 20, cobrado_metodo: 'bizum' };
  await succeed(thing.carrier.call(contarNoAceptado, { body: body as never }));
  const waits = (await admin.call(listSinRegistrar)).body.data.find(({ pedido_id }) => pedido_id === thing.pedido);
  return { ...thing, id: waits?.id ?? expect.fail('nothing to register') };
}
async function toReview(): Promise<Thing> {
  const thing = await order();
  const event = { proveedor: 'stripe', evento_id: thing.pedido, externo_id: thing.pedido, pedido_id: thing.pedido, importe_cents: 1500 };
  const { id } = await world.db
    .insertInto('payment_events')
    .values({ ...event, moneda: 'EUR', resultado: 'importe' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...thing, id };
}

/** What acts concern, and each act on it. */
const THINGS: Record<string, { make: () => Promise<Thing>; acts: Record<string, Act> }> = {
  'a Bizum at the door': {
    make: () => collected('bizum'),
    acts: {
      found: act(comprobarCobros, undefined, ({ id }) => ({ cobros: [id] })),
      'never came': act(cobroSinLlegar, 'id', REASON),
      annul: ANNUL_PAYMENT,
      return: RETURN,
      delete: DELETE,
    },
  },
  'cash at the door': {
    make: () => collected('efectivo'),
    acts: {
      'hand over': act(entregarCaja, undefined, () => ({ dia: dayInMadrid(), contado: 20, motivo: null }), 'carrier'),
      receive: act(recibirCaja, undefined, ({ carrier }) => ({
        ...{ transportista_id: carrier.user.id, dia: dayInMadrid(), recibido: 20, motivo: null },
      })),
      annul: ANNUL_PAYMENT,
      return: RETURN,
    },
  },
  'cash handed over': {
    make: handedOver,
    acts: { confirm: act(confirmarCaja, 'id', () => ({ recibido: 20, motivo: null })), delete: DELETE },
  },
  'a return': {
    make: returned,
    acts: {
      refund: act(reembolsarDevolucion, 'id', () => ({ reembolso: 10, referencia: null })),
      keep: act(retenerDevolucion, 'id', () => ({ importe: 10, motivo: 'Cambio' })),
      move: act(moverDevolucion, 'id', ({ other }) => ({ numero_orden: other })),
      annul: act(anularDevolucion, 'id', REASON),
      'return the rest': RETURN,
      delete: DELETE,
    },
  },
  'undelivered goods': {
    make: partial,
    acts: {
      'into the stock': act(recibirDevolucion, 'id', () => ({ destino: 'stock', motivo: null })),
      'written off': act(recibirDevolucion, 'id', () => ({ destino: 'baja', motivo: 'Rotas' })),
      rest: act(pedirResto, 'id'),
      refund: act(reembolsarDevolucion, 'id', () => ({ reembolso: 10, referencia: null })),
      annul: act(anularDevolucion, 'id', REASON),
    },
  },
  'goods out of a cancelled order': {
    make: async () => {
      const thing = await paid();
      await succeed(thing.carrier.call(autoAsignar, { params: { id: thing.pedido }, body: {} }));
      await succeed(thing.carrier.call(api.setEstado, { params: { id: thing.pedido }, body: { estado: 'en_ruta' } }));
      return then(thing, CANCEL);
    },
    acts: {
      receive: act(recibirMercancia, 'pedido', () => ({ destino: 'stock', motivo: null })),
      'write off': act(recibirMercancia, 'pedido', () => ({ destino: 'baja', motivo: 'Rotas' })),
      reopen: act(deshacerPaso, 'pedido', () => ({ paso: 'reabrir', motivo: 'Error' })),
      delete: DELETE,
    },
  },
  'a delivery': {
    make: async () => {
      const thing = await order({ contra_reembolso: true });
      await deliver(thing, { cobrado: 20, cobrado_metodo: 'efectivo' });
      return { ...thing, id: await paymentOf(thing) };
    },
    acts: {
      'take back': UNDO,
      'hand over': act(entregarCaja, undefined, () => ({ dia: dayInMadrid(), contado: 20, motivo: null }), 'carrier'),
      annul: ANNUL_PAYMENT,
      return: RETURN,
      delete: DELETE,
    },
  },
  'money of a company': {
    make: withCompany,
    acts: { remit: REMIT, 'read the sheet': SHEET, annul: ANNUL_PAYMENT, 'take back': UNDO, return: RETURN, delete: DELETE },
  },
  'a remittance': {
    make: async () => {
      const thing = await then(await withCompany(), REMIT);
      return { ...thing, id: (await admin.call(listDeEmpresas)).body.remesas[0]?.id ?? '' };
    },
    acts: { undo: act(deshacerRemesa, 'id'), 'take back': UNDO, delete: DELETE },
  },
  'a cancelled order': {
    make: async () => then(await paid(), CANCEL),
    acts: { reopen: act(deshacerPaso, 'pedido', () => ({ paso: 'reabrir' })), delete: DELETE },
  },
  'an unpaid order': {
    make: () => order({ estado: 'pendiente_pago' }),
    acts: {
      pay: act(anotarPago, 'pedido', () => PAY),
      'mark as paid': act(api.setEstado, 'pedido', () => ({ estado: 'pendiente', referencia: 'Recibo' })),
      cancel: CANCEL,
      delete: DELETE,
      lines: LINES,
    },
  },
  'a paid order': {
    make: () => paid(),
    acts: {
      take: act(autoAsignar, 'pedido', () => ({}), 'carrier'),
      assign: act(api.assignTransportista, 'pedido', ({ carrier }) => ({ transportista_id: carrier.user.id, empresa_transporte: null })),
      cancel: CANCEL,
      delete: DELETE,
      lines: LINES,
    },
  },
  'a carrier': {
    make: async () => {
      const thing = await paid();
      return { ...thing, id: thing.carrier.user.id };
    },
    acts: {
      take: act(autoAsignar, 'pedido', () => ({}), 'carrier'),
      assign: act(api.assignTransportista, 'pedido', ({ carrier }) => ({ transportista_id: carrier.user.id, empresa_transporte: null })),
      'delete the carrier': act(deleteUser, 'id', () => ({})),
    },
  },
  'a paid order that is deleted': {
    make: async () => then(await paid(), DELETE),
    acts: { refund: act(reembolsarSobra, 'pedido', () => ({ importe: 20, referencia: null })), restore: RESTORE },
  },
  'the payment of a cancelled order': {
    make: async () => {
      const thing = await then(await paid(), CANCEL);
      return { ...thing, id: await paymentOf(thing) };
    },
    acts: { refund: act(devolverPago, 'id', () => ({ nota: null })), delete: DELETE },
  },
  'a payment to review': {
    make: toReview,
    acts: {
      take: act(resolverPago, 'id', () => ({ resolucion: 'pagado', motivo: 'Es suyo' })),
      refund: act(resolverPago, 'id', () => ({ resolucion: 'devuelto', motivo: 'Devuelto' })),
      pay: act(anotarPago, 'pedido', () => PAY),
    },
  },
  'a credit of the bank': {
    make: async () => {
      const thing = await order({ estado: 'pendiente_pago' });
      const { numero_orden } = (await admin.call(api.getPedido, { params: { id: thing.pedido } })).body.data as api.Pedido;
      const movimientos = [{ cuenta: thing.pedido, fecha: dayInMadrid(), importe: 20, texto: 'BIZUM' }];
      await succeed(admin.call(leerExtracto, { body: { extracto: crypto.randomUUID(), fichero: 'a', formato: 'n43', movimientos } }));
      const { id } = await world.db
        .selectFrom('movimientos')
        .select('id')
        .where('cuenta', '=', thing.pedido.slice(0, 40))
        .executeTakeFirstOrThrow();
      return { ...thing, id, other: numero_orden };
    },
    acts: {
      book: act(apuntarMovimiento, 'id', ({ other }) => ({ destino: 'pedidos', partes: [{ clave: other, importe: 20 }] })),
      close: act(cerrarMovimiento, 'id', () => ({ resolucion: 'visto', motivo: 'No es nuestro' })),
      pay: act(anotarPago, 'pedido', () => PAY),
      cancel: CANCEL,
    },
  },
  'a credit that pays an order': {
    make: async () => {
      const thing = await order({ estado: 'pendiente_pago' });
      const { numero_orden } = (await admin.call(api.getPedido, { params: { id: thing.pedido } })).body.data as api.Pedido;
      const movimientos = [{ cuenta: thing.pedido, fecha: dayInMadrid(), importe: 20, texto: numero_orden }];
      const extracto = crypto.randomUUID();
      await succeed(admin.call(leerExtracto, { body: { extracto, fichero: 'a', formato: 'n43', movimientos } }));
      const { id } = await world.db.selectFrom('movimientos').select('id').where('extracto_id', '=', extracto).executeTakeFirstOrThrow();
      return { ...thing, id, other: extracto };
    },
    acts: {
      release: act(soltarMovimiento, 'id'),
      undo: { endpoint: deshacerExtracto, params: ({ other }) => ({ id: other }) },
      delete: DELETE,
    },
  },
  'money of a refused delivery': {
    make: unregistered,
    acts: { register: act(registrarLoQuePaso, 'id'), delete: DELETE },
  },
};

const run = (by: Person, thing: Thing, { endpoint, params, body, by: role }: Act) =>
  (role ? thing.carrier : by).request(endpoint.method, address(endpoint.path, params?.(thing) ?? {}), { body: body?.(thing) });
const isDone = ({ status }: { status: number }) => status < 300;

/** Sends an act while its order and the carrier's cash are locked; says whether it waited. */
const whileLocked = (thing: Thing, act: Act) =>
  meanwhile(
    world.db,
    async (tx) => {
      await tx.selectFrom('pedidos').select('id').where('id', '=', thing.pedido).forUpdate().execute();
      await lockCash(tx, thing.carrier.user.id);
    },
    async (end) => {
      let answered = 0;
      const reply = run(admin, thing, act).finally(() => (answered += 1));
      await until(
        async () => answered + (await waiting()) > 0,
        () => 'an act neither waits nor answers',
        15,
      );
      const waited = 1 - answered;
      await end();
      return { waited, done: isDone(await reply) };
    },
  );

async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(world.db);
  return Number(rows[0]?.n);
}

/** Calls acts one after another; says which succeeded, and how many statements each sent. */
async function inTurn(thing: Thing, acts: readonly Act[]) {
  const [done, sent]: [boolean[], number[]] = [[], []];
  for (const act of acts) {
    const ran = await inTurns(world.open.url, [() => run(admin, thing, act)], []);
    done.push(ran.answers.every(isDone));
    sent.push(...ran.sent);
  }
  return { done, sent };
}

/** Calls two acts in an order of their statements, with a recount amid them. Returns what is wrong. */
async function inOrder(thing: Thing, acts: readonly Act[], allowed: readonly boolean[][], turns: readonly Turn[]): Promise<string[]> {
  const [stopped, ...others] = turns;
  const works = acts.map((act, i) => () => run(i ? colleague : admin, thing, act));
  const read = () => onSnapshot(world.db, (tx) => recountAccounts(tx));
  const amid = stopped ? [stopped, { act: acts.length, statements: 2 }, ...others] : [];
  const { answers } = await inTurns<Awaited<ReturnType<typeof run>> | Awaited<ReturnType<typeof read>>>(
    world.open.url,
    [...works, read],
    amid,
  );
  const replies = answers.slice(0, -1) as Awaited<ReturnType<typeof run>>[];
  const done = replies.map(isDone);
  return [
    ...replies.filter(({ status }) => status >= 500).map(({ status, text }) => `${status} ${text}`),
    ...(allowed.some((known) => isDeepStrictEqual(known, done)) ? [] : [`answered ${done}, one after the other ${allowed.join(' or ')}`]),
    ...[answers.at(-1), await read()].flatMap((found) => (isDeepStrictEqual(found, []) ? [] : [JSON.stringify(found)])),
  ];
}

type Pair = { thing: string; a: string; b: string };
/** Acts of a pair, how they are answered one after the other, and the statements of each alone. */
async function inTurnOf({ thing, a, b }: Pair) {
  const { make, acts } = THINGS[thing] ?? expect.fail(`no ${thing}`);
  const [first, second] = [acts[a], acts[b]] as [Act, Act];
  const [forward, backward] = await Promise.all([make(), a === b ? undefined : make()]);
  const ab = await inTurn(forward, [first, second]);
  const ba = backward ? await inTurn(backward, [second, first]) : ab;
  expect(ab.done[0] && ba.done[0], `${a} and ${b} succeed alone`).toBe(true);
  const alone = [ab.sent[0] ?? 0, ba.sent[0] ?? 0] as const;
  return { make, acts: [first, second], allowed: [ab.done, ba.done.toReversed()], alone };
}
/** Tries the order that `seed` draws. Returns what is wrong, with the way to repeat it. */
async function tryOrder({ thing, a, b }: Pair, known: Awaited<ReturnType<typeof inTurnOf>>, seed: number): Promise<string[]> {
  const turns = drawTurns(`${thing} ${a} ${b} ${seed}`, known.alone);
  const wrong = await inOrder(await known.make(), known.acts, known.allowed, turns);
  return wrong.length ? [`SCHEDULE=${seed}: ${JSON.stringify(turns)} of ${known.alone} statements`, ...wrong] : [];
}

/** Acts whose lock is neither the order nor the cash. */
const OWN_LOCK: readonly EndpointDef[] = [resolverPago, deleteUser, cerrarMovimiento];

describe.each(Object.entries(THINGS))('%s', (thing, { make, acts }) => {
  const names = Object.keys(acts);
  const pairs = names.flatMap((a, i) => names.slice(i).map((b) => [a, b] as const));

  test.each(shareOf(pairs, SEED))(
    '«%s» and «%s» in any order of statements are answered as one after the other, and the books agree',
    async (a, b) => {
      const known = await inTurnOf({ thing, a, b });
      for (let seed = SEED; seed < SEED + ORDERS; seed += 1) expect(await tryOrder({ thing, a, b }, known, seed)).toEqual([]);
    },
  );

  test.each(Object.entries(acts).filter(([, { endpoint }]) => !OWN_LOCK.includes(endpoint)))(
    '«%s» waits for the lock of its order or of the cash',
    async (_, act) => expect(await whileLocked(await make(), act)).toEqual({ waited: 1, done: true }),
  );
});

const unlocked = (text: string) => text.replace(/ for (no key )?(update|share)$/i, '');
const lockOf =
  (pattern: RegExp): TakeOut =>
  (text) =>
    pattern.test(text) ? unlocked(text) : undefined;
/** Each lock that the acts take, and an order of statements that is red without it. */
const LOCKS: Record<string, Pair & { seed: number; takeOut: TakeOut }> = {
  'of an order': {
    ...{ thing: 'a return', a: 'refund', b: 'refund', seed: 1 },
    takeOut: lockOf(/from "pedidos" where "id" = \$1 and .* for update$/s),
  },
  'of orders': {
    ...{ thing: 'a paid order', a: 'delete', b: 'delete', seed: 2 },
    takeOut: lockOf(/from "pedidos" where "id" = ANY .* for update$/s),
  },
  'of cash': {
    ...{ thing: 'cash at the door', a: 'hand over', b: 'annul', seed: 3 },
    takeOut: (text, values) =>
      String(values?.[0]).startsWith('caja ') ? text.replace(/pg_advisory_xact_lock\(.*\)/, '$1::text') : undefined,
  },
  'of a payment to review': {
    ...{ thing: 'a payment to review', a: 'take', b: 'refund', seed: 1 },
    takeOut: lockOf(/from "payment_events"/),
  },
  'of the order of a payment to review': {
    ...{ thing: 'a payment to review', a: 'take', b: 'pay', seed: 1 },
    takeOut: lockOf(/from "pedidos" where "id" = \$1 for update$/),
  },
  'of a carrier': {
    ...{ thing: 'a carrier', a: 'assign', b: 'delete the carrier', seed: 1 },
    takeOut: lockOf(/from "users" .* for share$/s),
  },
  'of a person': {
    ...{ thing: 'a carrier', a: 'delete the carrier', b: 'delete the carrier', seed: 1 },
    takeOut: lockOf(/from "users" .* for no key update$/s),
  },
  'of the bank': {
    ...{ thing: 'a credit of the bank', a: 'close', b: 'book', seed: 1 },
    takeOut: (text) => (text.includes("hashtextextended('banco'") ? 'SELECT 1' : undefined),
  },
  'of the orders of a sheet': {
    ...{ thing: 'money of a company', a: 'read the sheet', b: 'read the sheet', seed: 1 },
    takeOut: lockOf(/SELECT id FROM pedidos WHERE id = ANY/),
  },
  'of payments at the door': {
    ...{ thing: 'a Bizum at the door', a: 'found', b: 'annul', seed: 1 },
    takeOut: lockOf(/"pedido_id" from "pagos"/),
  },
};
/** The lock of an order that a carrier takes: the write asks for its estado again. */
const TAKEN_TWICE = lockOf(/^with "carrier"/);

test.each(Object.entries(LOCKS))('without the lock %s, an order of statements is red', async (_, { seed, takeOut, ...pair }) => {
  await open();
  const known = await inTurnOf(pair);
  expect(await tryOrder(pair, known, seed)).toEqual([]);
  expect(await gate.without(takeOut, () => tryOrder(pair, known, seed))).not.toEqual([]);
});

test('every lock that an act takes has an order that is red without it', () => {
  const known = [...Object.values(LOCKS).map(({ takeOut }) => takeOut), TAKEN_TWICE];
  expect(gate.locks().filter(([text, values]) => !known.some((takeOut) => takeOut(text, values) !== undefined))).toEqual([]);
});

/** Writes of orders and money that no pair needs: they change no money, goods or estado of a thing. */
const HARMLESS = [
  'POST /api/caja/empresas/remesa/comprobar',
  'PUT /api/caja/empresas/plazo',
  'PUT /api/pedidos/:id',
  'PATCH /api/pedidos/:id',
  'POST /api/pedidos/:id/aplazar',
  'POST /api/pedidos/:id/incidencia',
  'POST /api/pedidos/:id/cargado',
  'POST /api/pedidos/:id/duplicar',
  'POST /api/pedidos/:id/venta-aparte',
  'POST /api/pedidos/:id/calcular-envio',
  'POST /api/pedidos/:id/comentarios',
  'POST /api/pedidos/:id/pruebas',
];

test('every write of one payment, return, hand-over or order is in a pair', () => {
  const title = ({ method, path }: EndpointDef) => `${method} ${path}`;
  const sent = new Set(Object.values(THINGS).flatMap(({ acts }) => Object.values(acts).map(({ endpoint }) => title(endpoint))));
  const writes = endpoints
    .map(({ endpoint }) => endpoint)
    .filter(({ method, path }) => method !== 'GET' && /^\/api\/(pagos|devoluciones|caja|(transportista\/)?pedidos\/:id)(\/|$)/.test(path));
  expect(
    writes
      .map(title)
      .filter((write) => !sent.has(write))
      .sort(),
  ).toEqual([...HARMLESS].sort());
});
