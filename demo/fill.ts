import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import { EN_MANOS } from '../contract/pedidos/estados.ts';
import { rebuildClientes } from '../server/clientes/clientes.ts';
import { type Db, type Tx, transact } from '../server/db/open.ts';
import { continueNumbers } from '../server/pedidos/escritura/numbers.ts';
import { auditEntry } from '../server/pedidos/historia/history.ts';
import { rebuildSearch } from '../server/pedidos/lectura/search.ts';
import { rebuildTotals } from '../server/pedidos/lectura/totals.ts';
import { orderLineRows as lineRows } from '../server/pedidos/lineas/lineas.ts';
import { DAY, daysBetween, HOUR, monthsBefore, toMadrid } from './calendar.ts';
import { buildCatalogue, COMPANY, type Sold } from './catalogue.ts';
import { bookEarnings, closeMonths, insertRules } from './earnings.ts';
import { insertMany, type Row } from './insert.ts';
import type { Draft } from './life.ts';
import { buildOrders } from './orders.ts';
import { buildPeople, type Person } from './people.ts';
import { type Random, seededRandom } from './random.ts';
import { buildLedger, type Flow, type Movement, stockFlows } from './stock.ts';

/** `chunk`: orders per transaction; two chunks are in memory at a time. */
export type Size = { orders: number; months: number; now: Date; chunk?: number };

/** Fills an empty database in `db`'s transaction or in many short transactions, reporting progress in Spanish. */
export async function fillDemo(
  db: Db | Tx,
  { orders, months, now: at, chunk = 20_000 }: Size,
  report: (done: string) => void = () => {},
): Promise<void> {
  const random = seededRandom(20);
  const now = at.getTime();
  const start = monthsBefore(now, months);
  const people = await buildPeople(random, start, now);
  const catalogue = buildCatalogue(random, start);
  await transact(db, (tx) => insertBusiness(tx, people, catalogue));

  const flows: Flow[] = [];
  let done = 0;
  let writing = Promise.resolve();
  for await (const drafts of chunksOf(buildOrders({ random, people, catalogue, orders, start, now }), chunk)) {
    for (const draft of drafts) flows.push(...stockFlows(draft));
    await writing;
    writing = transact(db, (tx) => insertOrders(tx, drafts, now)).then(() => {
      done += drafts.length;
      report(`${count(done)} de ${count(orders)} pedidos`);
    });
    writing.catch(() => {});
  }
  await writing;

  const purchases: Movement[] = [];
  for (const movements of buildLedger(flows, catalogue, people, random, start, now)) {
    purchases.push(...movements.filter(({ motivo }) => motivo === 'ajuste'));
    for (let i = 0; i < movements.length; i += chunk)
      await transact(db, (tx) => insertMany(tx, 'stock_movements', movements.slice(i, i + chunk)));
  }
  report('movimientos de stock');
  const entries = officeRows(people, catalogue, purchases, random, now);
  await transact(db, async (tx) => {
    for (const { row } of catalogue)
      await tx.updateTable('products').set({ stock: row.stock, min_stock: row.min_stock }).where('id', '=', row.id).execute();
    await insertMany(tx, 'audit_logs', entries);
    await continueNumbers(tx);
  });
  await transact(db, async (tx) => {
    await rebuildClientes(tx);
    await describeClientes(tx);
  });
  report('clientes');
  await transact(db, (tx) => closeMonths(tx, people, now));
  report('liquidaciones');
  await transact(db, rebuildTotals);
  report('totales por día');
  await transact(db, rebuildSearch);
  report('texto de búsqueda');
  await transact(db, (tx) => addSettings(tx, { demo: true }));
}

const count = (n: number) => n.toLocaleString('es-ES', { useGrouping: 'always' });

/** Yields to the event loop, so that building and writing overlap. */
async function* chunksOf(drafts: Iterable<Draft>, size: number): AsyncGenerator<Draft[]> {
  let chunk: Draft[] = [];
  for (const draft of drafts) {
    chunk.push(draft);
    if (chunk.length % 100 === 0) await breathe();
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length) yield chunk;
}

async function insertBusiness(tx: Tx, people: Person[], catalogue: Sold[]): Promise<void> {
  await addSettings(tx, COMPANY);
  await insertMany(tx, 'users', rowsOf(people));
  await insertRules(tx, people);
  await insertMany(tx, 'products', rowsOf(catalogue));
  await insertMany(tx, 'product_packs', rowsOf(catalogue.flatMap(({ packs }) => packs)));
}

export async function addSettings(tx: Tx, more: object): Promise<void> {
  await tx
    .updateTable('settings')
    .set({ data: sql`data || ${JSON.stringify(more)}::jsonb` })
    .execute();
}

const rowsOf = <R>(built: { row: R }[]): R[] => built.map(({ row }) => row);

const TRIGGERED = ['pedidos', 'pagos', 'ganancias'] as const;

// Disables triggers, because counting and indexing once is many times faster than doing so per row.
async function insertOrders(tx: Tx, drafts: Draft[], now: number): Promise<void> {
  for (const table of TRIGGERED) await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(tx);
  await insertMany(tx, 'pedidos', rowsOf(drafts));
  await insertMany(
    tx,
    'pedidos_lineas',
    drafts.flatMap(({ row, lines }) => lineRows(row.id, lines)),
  );
  await insertMany(tx, 'pedidos_historial', drafts.flatMap(historyRows));
  await insertMany(tx, 'pagos', drafts.flatMap(paymentRows));
  await insertMany(
    tx,
    'audit_logs',
    drafts.flatMap((draft) => auditRows(draft, now)),
  );
  await insertMany(tx, 'notifications', drafts.flatMap(offerRows));
  await bookEarnings(tx, drafts, now);
  for (const table of TRIGGERED) await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(tx);
}

const AUDITED = 30;

type Entry = Row<'audit_logs'>;
type Who = { id: string | null; role: string; full_name: string };

const instant = (at: number) => new Date(at).toISOString();

const dayOf = (at: number) => new Date(toMadrid(at)).toISOString().slice(0, 10);

const historyRows = ({ steps }: Draft): Row<'pedidos_historial'>[] =>
  steps.map(({ at, historial }) => ({ ...historial, antes: null, created_at: instant(at) }));

const paymentRows = ({ row, steps }: Draft): Row<'pagos'>[] =>
  steps.flatMap(({ at, historial, pago }) =>
    pago
      ? [
          {
            pedido_id: row.id,
            proveedor: pago,
            referencia: historial.nota ?? '',
            importe_cents: row.precio_total_cents,
            fecha: dayOf(at),
            created_at: instant(at),
          },
        ]
      : [],
  );

function offerRows({ row, steps }: Draft): Row<'notifications'>[] {
  if (row.estado !== 'pendiente') return [];
  const texto = `Pedido disponible: ${row.numero_orden} (${row.cliente_nombre})`;
  const at = steps.at(-1)?.at ?? Date.parse(row.fecha_pedido);
  return [
    { role: 'transportista', tipo: 'pedido_disponible', texto, enlace: '/pedidos-disponibles', pedido_id: row.id, created_at: instant(at) },
  ];
}

const auditRows = ({ row, steps }: Draft, now: number): Entry[] =>
  steps
    .filter(({ at }) => at > now - AUDITED * DAY)
    .map(({ at, action, historial }) => {
      const { actor_user_id, actor_role, actor_nombre } = historial;
      return { ...auditEntry(historial, action, row.numero_orden), created_at: instant(at), actor_user_id, actor_role, actor_nombre };
    });

function officeRows(people: Person[], catalogue: Sold[], movements: Row<'stock_movements'>[], random: Random, now: number): Entry[] {
  const entries: Entry[] = [];
  for (const { start, weekday } of daysBetween(now - AUDITED * DAY, now)) {
    for (const { row, actor, from } of people) {
      if (!row.is_active || from > start || (weekday === 0 && row.role !== 'superadmin')) continue;
      entries.push(entry(start + random.between(7.2, 8) * HOUR, actor, { ...LOGIN, entity_id: row.id }));
      if (row.role === 'superadmin' && weekday === 1) entries.push(entry(start + random.between(10, 13) * HOUR, actor, EXPORT));
    }
  }
  const buyers = new Map(people.map((p) => [p.row.id, p.actor]));
  const names = new Map(catalogue.map(({ row }) => [row.id, row.name]));
  for (const { motivo, product_id, actor_user_id, created_at } of movements) {
    const buyer = buyers.get(actor_user_id ?? '');
    const at = Date.parse(created_at ?? '');
    if (motivo !== 'ajuste' || !buyer || at < now - AUDITED * DAY) continue;
    const description = `Producto actualizado: ${names.get(product_id) ?? ''}`;
    entries.push(entry(at, buyer, { type: 'configuracion', action: 'update', entity_type: 'product', entity_id: product_id, description }));
  }
  return entries.filter(({ created_at }) => Date.parse(created_at ?? '') < now);
}

const LOGIN = { type: 'configuracion', action: 'login', entity_type: 'session', description: 'Inicio de sesión' } as const;
const EXPORT = {
  type: 'exportacion',
  action: 'export',
  entity_type: 'export',
  entity_id: null,
  description: 'Exportación de pedidos',
} as const;

type What = Pick<Entry, 'type' | 'action' | 'entity_type' | 'entity_id' | 'description'>;
const entry = (at: number, { id, role, full_name }: Who, what: What): Entry => ({
  ...what,
  created_at: instant(at),
  actor_user_id: id,
  actor_role: role,
  actor_nombre: full_name,
  antes: {},
  despues: {},
});

const NOTES = [
  'Prefiere que se le llame por la tarde.',
  'Si no está, dejar el paquete en la frutería de al lado.',
  'Portal sin número: la puerta verde junto al estanco.',
  'Regala cestas en Navidad: avisarle en noviembre.',
];
const BEFORE = 'Trabaja a turnos: llamar media hora antes de llegar.';
const BLOCKED = 'Ha rechazado dos entregas seguidas';

async function describeClientes(tx: Tx): Promise<void> {
  const regulars = await tx
    .selectFrom('clientes')
    .select(['id', 'revendedor_id', 'nombre'])
    .where('pedidos', '>', 1)
    .orderBy('pedidos', 'desc')
    .orderBy('clave')
    .limit(40)
    .execute();
  for (const [i, { id }] of regulars.slice(0, 12).entries())
    if (i % 3 === 0)
      await tx
        .updateTable('clientes')
        .set({ nota: NOTES[(i / 3) % NOTES.length] ?? null })
        .where('id', '=', id)
        .execute();

  const awaited = tx
    .selectFrom('pedidos')
    .select('cliente_id')
    .where('estado', 'in', EN_MANOS)
    .where('deleted_at', 'is', null)
    .orderBy('transportista_nombre', 'desc')
    .orderBy('numero_orden', 'desc');
  const [first] = await awaited.where('transportista_nombre', 'like', 'Javier%').limit(1).execute();
  for (const cliente_id of [first?.cliente_id, regulars[1]?.id])
    if (cliente_id) await tx.updateTable('clientes').set({ avisar_antes: true, nota: BEFORE }).where('id', '=', cliente_id).execute();

  const bad = regulars.findLast(({ id, revendedor_id }) => revendedor_id !== null && id !== first?.cliente_id);
  if (bad) await tx.updateTable('clientes').set({ bloqueado_motivo: BLOCKED }).where('id', '=', bad.id).execute();

  const [main] = regulars;
  if (!main) return;
  const other = await tx
    .selectFrom('clientes')
    .select('id')
    .where('clave', 'like', 't:%')
    .where('revendedor_id', main.revendedor_id ? '=' : 'is', main.revendedor_id)
    .where('pedidos', '=', 1)
    .where('nota', 'is', null)
    .orderBy('clave')
    .limit(1)
    .executeTakeFirst();
  if (!other) return;
  await tx.updateTable('pedidos').set({ cliente_nombre: main.nombre }).where('cliente_id', '=', other.id).execute();
  await tx.updateTable('clientes').set({ unido_a: main.id }).where('id', '=', other.id).execute();
  await sql`SELECT contar_clientes(${[main.id, other.id]}::uuid[])`.execute(tx);
}
