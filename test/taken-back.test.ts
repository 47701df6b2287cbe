import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { ReversalName } from '../contract/pedidos/reversals.ts';
import { recountAccounts } from '../server/cuadre/run.ts';
import { onSnapshot } from '../server/db/open.ts';
import { readSource } from '../server/exports/read.ts';
import { settleAll } from '../server/facturables/settle.ts';
import type { PackRow } from './builders.ts';
import { addDays, dayInMadrid } from './day.ts';
import { earnedOn, monthsBack } from './earning.ts';
import { draws } from './schedule.ts';
import { shareOf } from './share.ts';
import { createWorld, type Person, type World } from './world.ts';

/*
 * Random histories of orders: whatever acts are taken back, in any allowed order, the shop stands as before in every list, sum, export,
 * statement and ledger, but for entries that cancel each other. `HISTORY=<seed> RUNS=1` repeats one, `RUNS=5000` tries more (`npm run torture`).
 */

const FIRST = Number(process.env.HISTORY ?? process.env.SEED ?? Date.now() % 1_000_000);
const RUNS = Number(process.env.RUNS ?? 300);
/** Histories of one world, so that later ones meet what earlier ones left. */
const TOGETHER = 30;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

type Order = { id: string; version: number; numero_orden: string; estado: string; contra_reembolso: boolean; por_cobrar: number };
type Act = { id: string; paso: ReversalName; by: Person; words: string };
type Shop = { admin: Person; reseller: Person; carriers: [Person, Person]; pack: PackRow };
type Draw = (below: number) => number;

async function open(): Promise<Shop> {
  await world.reset();
  const admin = await world.as('superadmin');
  const carriers: [Person, Person] = [await world.as('transportista'), await world.as(await world.user({ role: 'transportista' }))];
  const reseller = await world.as('revendedor');
  const used = { cashOnDelivery: true, partialDeliveries: true, shipmentFiles: true, proofOfDelivery: true, iva: true };
  await ask(admin, 'PUT', '/api/settings', used);
  const pack = await world.pack({ product_id: (await world.product({ iva: '10', stock: 1_000_000 })).id, pack_price_cents: 1000 });
  await ask(admin, 'PUT', `/api/users/${reseller.user.id}/ganancia`, { margen: { tipo: 'porcentaje', valor: 10 } });
  for (const { user } of carriers)
    await ask(admin, 'PUT', `/api/users/${user.id}/ganancia`, { tarifas: [{ zona: 'peninsula', entrega: 3, intento: 1 }] });
  return { admin, reseller, carriers, pack };
}

type Body = { data: never; personas?: { user_id: string; total: number }[] };
async function ask(by: Person, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Body> {
  const reply = await by.request(method, path, { body });
  expect([200, 201], `${method} ${path} ${JSON.stringify(body)}: ${reply.text}`).toContain(reply.status);
  return reply.body as Body;
}
const read = async (by: Person, id: string): Promise<Order> => (await ask(by, 'GET', `/api/pedidos/${id}`)).data;
const step = (by: Person, id: string, estado: string, more: object = {}) =>
  ask(by, 'POST', `/api/pedidos/${id}/estado`, { estado, ...more });

/** A new order: of two kinds of lines, paid, to be paid, or collected at the door, taken by a carrier or given to a company. */
async function make({ admin, reseller, carriers, pack }: Shop, draw: Draw): Promise<string> {
  const how = draw(4);
  const one = { pack_id: pack.id, cantidad: 1 };
  const lines = draw(2) ? [{ ...one, cantidad: 2 }] : [one, one];
  // Two of a kind: the same customer and lines come again.
  const n = draw(4);
  const customer = {
    cliente_nombre: `Ana ${n}`,
    cliente_direccion: 'Calle Mayor 1',
    cliente_telefono: `61234567${n}`,
    cliente_codigo_postal: '28013',
  };
  const isOwn = how !== 1 && draw(3) === 0;
  const more = isOwn ? {} : { revendedor_id: reseller.user.id, ...(how === 0 && { estado: 'pendiente_pago' }) };
  const body = { ...customer, cliente_ciudad: 'Madrid', cliente_provincia: 'Madrid', lineas: lines, ...more };
  const { id } = (await ask(isOwn ? reseller : admin, 'POST', '/api/pedidos', { ...body, ...(how === 1 && { contra_reembolso: true }) }))
    .data as Order;
  // Whole, a part of it, or nothing.
  const importe = [draw(2) && 7, draw(2) && 5, 20, 20][how] ?? 0;
  if (importe) await ask(admin, 'POST', `/api/pedidos/${id}/pagos`, { metodo: 'bizum', importe, fecha: dayInMadrid() });
  const { estado } = await read(admin, id);
  const hands = estado === 'pendiente' ? draw(5) : 0;
  if (hands === 1) await ask(admin, 'POST', '/api/envios', { plantilla: 'correos', ids: [id] });
  if (hands > 1) await ask(admin, 'POST', `/api/pedidos/${id}/assign-transportista`, { transportista_id: carriers[draw(2)]?.user.id });
  if (hands === 3) await step(admin, id, 'en_proceso');
  if (hands === 4) {
    await step(admin, id, 'en_ruta');
    await step(admin, id, 'asignado', { paso: 'fallar', motivo: 'Ausente' });
  }
  // The steps to come may have happened before midnight.
  await sql`UPDATE pedidos_historial SET created_at = created_at - interval '3 days' WHERE pedido_id = ${id}`.execute(world.db);
  return id;
}

/** A step that can be taken back, or undefined if the order has none; `by` is who may take it back. */
async function act({ admin, carriers, reseller }: Shop, id: string, draw: Draw): Promise<Act | undefined> {
  const order = (await read(admin, id)) as Order & { transportista_id: string | null; revendedor_id: string | null };
  const carrier = carriers.find(({ user }) => user.id === order.transportista_id);
  const by = carrier && draw(3) ? carrier : admin;
  // Before and after midnight, by the carrier's own clock.
  const at = [`${dayInMadrid()}T00:00:30+01:00`, `${addDays(dayInMadrid(), -1)}T23:59:30+01:00`][draw(3)];
  const when = by !== admin && at && Date.parse(at) < Date.now() ? { ocurrido: new Date(at).toISOString() } : {};
  if (['pendiente', 'pendiente_pago'].includes(order.estado) && draw(2)) {
    const who = order.revendedor_id === reseller.user.id && order.estado === 'pendiente_pago' && draw(2) ? reseller : admin;
    await step(who, id, 'cancelado', { motivo: 'Por error' });
    return { id, paso: 'reabrir', by: admin, words: `cancelar ${order.estado}` };
  }
  if (['asignado', 'en_proceso'].includes(order.estado) && draw(4)) {
    await step(by, id, 'en_ruta', when);
    return { id, paso: 'volver_de_ruta', by: draw(2) ? admin : by, words: `salir ${order.estado}` };
  }
  if (!['pendiente', 'asignado', 'en_proceso', 'en_ruta'].includes(order.estado)) return undefined;
  const isPart = draw(3) === 0;
  const due = isPart ? Math.max(0, order.por_cobrar - 10) : order.por_cobrar;
  const collected = due > 0 ? { cobrado: due, cobrado_metodo: ['efectivo', 'tarjeta'][draw(2)] } : {};
  const part = isPart ? { no_entregado: [{ numero: 1, cantidad: 1, motivo: 'falta' }] } : {};
  const proof = by === admin ? {} : { forma_entrega: 'en_mano', receptor_nombre: 'Luz' };
  const metodo_entrega = draw(4) ? 'manual' : 'mrw';
  await step(by, id, 'completado', {
    metodo_entrega,
    numero_seguimiento: draw(2) ? 'MRW-1' : null,
    ...proof,
    ...collected,
    ...part,
    ...when,
  });
  const back = by !== admin && !when.ocurrido && draw(2) ? by : admin;
  return {
    id,
    paso: 'deshacer_entrega',
    by: back,
    words: `completar ${order.estado}${isPart ? ' en parte' : ''}${due ? ' cobrando' : ''}`,
  };
}

/** What may happen between an act and its undo: a month is closed, cash is handed over. Returns the orders whose cash the office then owes. */
async function between({ admin, carriers }: Shop, draw: Draw): Promise<{ owed: Set<string>; closes: boolean }> {
  const closes = draw(4) === 0;
  const owed = new Set<string>();
  if (closes) {
    const { mes, last } = monthsBack(1);
    await earnedOn(world.db, last);
    await ask(admin, 'POST', '/api/liquidaciones/cerrar', { mes });
  }
  if (draw(3)) return { owed, closes };
  for (const carrier of carriers) {
    const { user } = carrier;
    const { rows } = await sql<{ dia: string; euros: number; ids: string[] }>`
      SELECT g.caja_dia::text AS dia, sum(g.importe_cents) / 100.0 AS euros, array_agg(g.pedido_id) AS ids FROM pagos g
      LEFT JOIN cajas c ON (c.transportista_id, c.dia, c.ronda) = (g.transportista_id, g.caja_dia, g.caja_ronda)
      WHERE g.transportista_id = ${user.id} AND g.proveedor = 'efectivo' AND g.estado = 'pagado' AND c.id IS NULL GROUP BY 1`.execute(
      world.db,
    );
    for (const { dia, euros, ids } of rows) {
      await ask(carrier, 'POST', '/api/caja/entregar', { dia, contado: Number(euros), motivo: null });
      for (const id of ids) owed.add(id);
    }
  }
  return { owed, closes };
}

/** Everything that people see, and what the ledgers add up to; entries that cancel each other add nothing. */
async function view({ admin, reseller, carriers }: Shop, whole: boolean): Promise<Record<string, unknown>> {
  await settleAll(world.db);
  if (!whole) return ledgers();
  const lists = {
    pedidos: '/api/pedidos?con=lineas&per_page=100',
    clientes: '/api/clientes',
    usuarios: '/api/users',
    caja: '/api/caja',
    cobros: '/api/caja/cobros',
  };
  const figures = {
    admin: '/api/stats/admin',
    atencion: '/api/stats/atencion',
    hoy: '/api/stats/atencion/hoy',
    porCobrar: '/api/stats/por-cobrar',
  };
  const own = ['/api/pedidos?con=lineas&per_page=100', '/api/liquidaciones/abierta'];
  const asked = [
    ...Object.values({ ...lists, ...figures, entregas: '/api/stats/transportistas' }).map((path) => [admin, path] as const),
    ...[...own, '/api/stats/revendedor'].map((path) => [reseller, path] as const),
    ...carriers.flatMap((carrier) =>
      [...own, '/api/stats/transportista', '/api/transportista/pedidos-disponibles'].map((path) => [carrier, path] as const),
    ),
  ];
  const { rows } = await sql<{ token: string }>`SELECT pago_token AS token FROM pedidos ORDER BY created_at DESC LIMIT 2`.execute(world.db);
  asked.push(...rows.map(({ token }) => [admin, `/api/pagar/${token}`] as const));
  const seen: Record<string, unknown> = {};
  const look = async (by: Person, path: string) => {
    const body = await ask(by, 'GET', path);
    seen[`${by.user.role} ${by.user.full_name} ${path}`] = path.endsWith('abierta') ? openSums(body) : body;
  };
  await Promise.all(asked.map(([by, path]) => look(by, path)));
  const exported: Record<string, unknown[]> = {};
  for (const name of ['pedidos', 'lineas', 'cobros'] as const) {
    const kept: unknown[] = [];
    for await (const rows of readSource(world.db, name, {} as never, true).batches())
      kept.push(...rows.filter((cells) => !(name === 'cobros' && cells[6] === 'Sí')));
    exported[`fichero ${name}`] = kept;
  }
  return { ...seen, ...exported, ...(await ledgers()) };
}

/** What each person earns in the open month, which counter-entries leave as it was. */
const openSums = ({ personas }: Body) => personas?.filter(({ total }) => total !== 0).map(({ user_id, total }) => [user_id, total]);

async function ledgers(): Promise<Record<string, unknown>> {
  const LEDGERS = {
    stock: sql`SELECT id, stock, (SELECT sum(unidades) FROM stock_movements m WHERE m.product_id = p.id) AS movido FROM products p`,
    pagos: sql`SELECT pedido_id, proveedor, estado, importe_cents, devuelto_cents, fecha, caja_dia FROM pagos WHERE estado <> 'anulado'`,
    ganancias: sql`SELECT user_id, pedido_id, concepto, sum(cents) FROM ganancias GROUP BY 1, 2, 3 HAVING sum(cents) <> 0`,
    sueltas: sql`SELECT g.id FROM ganancias g JOIN ganancias x ON x.id = g.anula_id AND (x.user_id, x.pedido_id, x.concepto, x.cents)
      IS DISTINCT FROM (g.user_id, g.pedido_id, g.concepto, -g.cents)`,
    pruebas: sql`SELECT pedido_id, forma_entrega, receptor_nombre FROM entregas WHERE anulada_at IS NULL AND entregada_at IS NOT NULL`,
    devoluciones: sql`SELECT pedido_id, motivo, reembolso_cents FROM devoluciones WHERE anulada_at IS NULL`,
    intentos: sql`SELECT pedido_id, motivo FROM intentos`,
    facturables: sql`SELECT pedido_id, tipo, sum(base_cents) AS base, sum(cuota_cents) AS cuota, sum(total_cents) AS total FROM facturables
      GROUP BY 1, 2 HAVING sum(total_cents) <> 0 OR sum(base_cents) <> 0`,
    pedidos: sql`SELECT p.* FROM pedidos p`,
    lineas: sql`SELECT l.* FROM pedidos_lineas l`,
    clientes: sql`SELECT c.* FROM clientes c`,
    totales: sql`SELECT ambito, ambito_id, dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total, sum(por_cobrar_cents) AS por_cobrar
      FROM pedidos_totales GROUP BY 1, 2, 3, 4 HAVING sum(pedidos) <> 0`,
  };
  const { rows } = await sql<Record<string, unknown>>`SELECT ${sql.join(
    Object.entries(LEDGERS).map(
      ([name, rows]) => sql`(SELECT json_agg(to_json(r) ORDER BY to_json(r)::text) FROM (${rows}) r) AS ${sql.ref(name)}`,
    ),
  )}`.execute(world.db);
  return rows[0] ?? {};
}

/** Leaves out versions, the time of a delivery that was taken back, and since when a company has an order: its shipment is some ms older. */
const LEFT = ['version', 'updated_at', 'entrega_anulada_at', 'en_empresa_at', 'desde', 'last_access_at'];
/** Cash that the office has is owed to whoever paid it, and so the order says. */
const OWED = ['por_reembolsar_cents', 'por_reembolsar_at', 'pagado_cents'];
const plain = (seen: unknown, left: readonly string[]): Record<string, unknown> =>
  JSON.parse(JSON.stringify(seen, (key, value) => (left.includes(key) ? undefined : value)));

async function history(shop: Shop, seed: number): Promise<void> {
  const draw = draws(String(seed));
  const orders: string[] = [];
  for (let n = 1 + draw(2); n > 0; n -= 1) orders.push(await make(shop, draw));
  // Some were delivered, left or cancelled before, and taken back.
  for (const id of orders) if (draw(4) === 0) await undo(await act(shop, id, draw));
  // Most histories are compared in the tables, some also in all that people see of them.
  const whole = draw(4) === 0;
  const before = await view(shop, whole);
  const acts: Act[] = [];
  for (let n = 1 + draw(4); n > 0; n -= 1) {
    const made = await act(shop, orders[draw(orders.length)] ?? '', draw);
    if (made) acts.push(made);
  }
  const { owed, closes } = await between(shop, draw);
  const all = acts.map(({ words, paso, by }) => `${words} / ${paso} ${by.user.role}`).join(', ');
  const left = [...acts];
  while (left.length) {
    // Of each order the last act, of several orders any.
    const last = left.filter(({ id }, i) => !left.slice(i + 1).some((later) => later.id === id));
    const [made] = left.splice(left.indexOf(last[draw(last.length)] as Act), 1);
    await undo(made && owed.has(made.id) ? { ...made, by: shop.admin } : made, `${seed}: ${all}`);
  }
  const isOwed = acts.some(({ id }) => owed.has(id));
  const after = await view(shop, whole);
  const names = Object.keys(before).filter(
    (name) => !(closes && name.endsWith('abierta')) && !(isOwed && /[/]|^fichero|^pagos$/.test(name)),
  );
  for (const name of names)
    expect(plain({ [name]: after[name] }, [...LEFT, ...(isOwed ? OWED : [])]), `seed ${seed}: ${all}`).toEqual(
      plain({ [name]: before[name] }, [...LEFT, ...(isOwed ? OWED : [])]),
    );
  expect(await onSnapshot(world.db, (tx) => recountAccounts(tx)), `seed ${seed}: ${all}`).toEqual([]);
}
async function undo(made: Act | undefined, words = ''): Promise<void> {
  if (!made) return;
  const reply = await made.by.request('POST', `/api/pedidos/${made.id}/deshacer`, { body: { paso: made.paso, motivo: 'Por error' } });
  expect(reply.status, `${words}: ${made.paso}: ${reply.text}`).toBe(200);
}

const first = Array.from({ length: Math.ceil(RUNS / TOGETHER) }, (_, i) => FIRST + i * TOGETHER);
test.each(shareOf(first, FIRST))(
  'whatever is taken back, the shop stands as before: histories from %i',
  async (seed) => {
    const shop = await open();
    for (let n = 0; n < Math.min(TOGETHER, RUNS); n += 1) await history(shop, seed + n);
  },
  300_000,
);
