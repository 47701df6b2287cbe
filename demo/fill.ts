import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import { rebuildClientes } from '../server/clientes/clientes.ts';
import { type Db, type Tx, transact } from '../server/db/open.ts';
import { continueNumbers } from '../server/pedidos/escritura/numbers.ts';
import { rebuildSearch } from '../server/pedidos/lectura/search.ts';
import { rebuildTotals } from '../server/pedidos/lectura/totals.ts';
import { rowsOf as lineRows } from '../server/pedidos/lineas/lineas.ts';
import { monthsBefore } from './calendar.ts';
import { buildCatalogue, COMPANY, type Sold } from './catalogue.ts';
import { describeClientes } from './clientes.ts';
import { closeMonths, earningRows, insertRules } from './earnings.ts';
import { insertMany } from './insert.ts';
import type { Draft } from './life.ts';
import { buildOrders } from './orders.ts';
import { buildPeople, type Person } from './people.ts';
import { seeded } from './random.ts';
import { buildLedger, type Flow, flowsOf, type Movement } from './stock.ts';
import { auditRows, historyRows, offerRows, officeRows, paymentRows } from './traces.ts';

/** `chunk`: orders per transaction; two chunks are in memory at a time. */
export type Size = { orders: number; months: number; now: Date; chunk?: number };

/** Fills an empty database in `db`'s transaction or in many short transactions, reporting progress in Spanish. */
export async function fillDemo(
  db: Db | Tx,
  { orders, months, now: at, chunk = 20_000 }: Size,
  tell: (done: string) => void = () => {},
): Promise<void> {
  const random = seeded(20);
  const now = at.getTime();
  const start = monthsBefore(now, months);
  const people = await buildPeople(random, start, now);
  const catalogue = buildCatalogue(random, start);
  await transact(db, (tx) => insertBusiness(tx, people, catalogue));

  const flows: Flow[] = [];
  let done = 0;
  let writing = Promise.resolve();
  for await (const drafts of chunksOf(buildOrders({ random, people, catalogue, orders, start, now }), chunk)) {
    for (const draft of drafts) flows.push(...flowsOf(draft));
    await writing;
    writing = transact(db, (tx) => insertOrders(tx, drafts, people, now)).then(() => {
      done += drafts.length;
      tell(`${count(done)} de ${count(orders)} pedidos`);
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
  tell('movimientos de stock');
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
  tell('clientes');
  await transact(db, (tx) => closeMonths(tx, people, now));
  tell('liquidaciones');
  await transact(db, rebuildTotals);
  tell('totales por día');
  await transact(db, rebuildSearch);
  tell('texto de búsqueda');
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

async function addSettings(tx: Tx, more: object): Promise<void> {
  await tx
    .updateTable('settings')
    .set({ data: sql`data || ${JSON.stringify(more)}::jsonb` })
    .execute();
}

const rowsOf = <R>(built: { row: R }[]): R[] => built.map(({ row }) => row);

// Disables triggers, because counting and indexing once is many times faster than doing so per row.
async function insertOrders(tx: Tx, drafts: Draft[], people: Person[], now: number): Promise<void> {
  for (const table of ['pedidos', 'pagos'] as const) await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(tx);
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
  await insertMany(tx, 'ganancias', earningRows(drafts, people, now));
  for (const table of ['pedidos', 'pagos'] as const) await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(tx);
}
