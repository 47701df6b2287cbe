import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../db/open.ts';
import { rowsOf as lineRows } from '../pedidos/lineas.ts';
import { continueNumbers } from '../pedidos/numbers.ts';
import { rebuildSearch } from '../pedidos/search.ts';
import { rebuildTotals } from '../pedidos/totals.ts';
import { monthsBefore } from './calendar.ts';
import { buildCatalogue, COMPANY } from './catalogue.ts';
import { insertMany } from './insert.ts';
import type { Draft } from './life.ts';
import { buildOrders } from './orders.ts';
import { ACCOUNTS, type Account, buildPeople } from './people.ts';
import { seeded } from './random.ts';
import { buildLedger } from './stock.ts';
import { auditRows, historyRows, offerRows, officeRows, paymentRows } from './traces.ts';

export type Size = { orders: number; months: number; now: Date };

/**
 * Fills a database without people with demo data and returns the accounts to print, one per role. Keeps an
 * existing demo, except that it stops the printed passwords from expiring. Throws for any other database
 * (design, section 4.17).
 */
export async function ensureDemo(db: Db, size: Size = { orders: 650, months: 5, now: new Date() }): Promise<Account[]> {
  return transact(db, async (tx) => {
    // Two instances may start on the same empty database: the second waits and finds it filled.
    const { data } = await tx.selectFrom('settings').select('data').forUpdate().executeTakeFirstOrThrow();
    const somebody = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst();
    if (somebody && data.demo !== true) {
      throw new Error('Esta base de datos no es de la demostración: ya tiene usuarios. Usa otra DATA_DIR o arranca sin --demo.');
    }
    if (somebody) await keepFresh(tx);
    else await fill(tx, size);
    return ACCOUNTS;
  });
}

// The printed passwords must still work after months.
async function keepFresh(tx: Tx): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_changed_at: sql`now()` })
    .where(
      'email',
      'in',
      ACCOUNTS.map(({ email }) => email),
    )
    .where('password_changed_at', '<', sql<string>`now() - interval '30 days'`)
    .execute();
}

async function fill(tx: Tx, { orders, months, now: at }: Size): Promise<void> {
  const random = seeded(20);
  const now = at.getTime();
  const start = monthsBefore(now, months);

  const people = await buildPeople(random, start, now);
  const catalogue = buildCatalogue(random, start);
  const drafts = buildOrders({ random, people, catalogue, orders, start, now });
  const movements = buildLedger(drafts, catalogue, people, random, start, now);

  await tx
    .updateTable('settings')
    .set({ data: sql`data || ${JSON.stringify({ ...COMPANY, demo: true })}::jsonb` })
    .execute();
  await insertMany(tx, 'users', rowsOf(people));
  await insertMany(tx, 'products', rowsOf(catalogue));
  await insertMany(tx, 'product_packs', rowsOf(catalogue.flatMap(({ packs }) => packs)));
  await insertOrders(tx, drafts, now);
  await insertMany(tx, 'stock_movements', movements);
  await insertMany(tx, 'audit_logs', officeRows(people, catalogue, movements, random, now));
  await continueNumbers(tx);
}

const rowsOf = <R>(built: { row: R }[]): R[] => built.map(({ row }) => row);

// Counting and indexing once at the end is many times faster than triggers per row.
async function insertOrders(tx: Tx, drafts: Draft[], now: number): Promise<void> {
  await sql`ALTER TABLE pedidos DISABLE TRIGGER USER`.execute(tx);
  for (let i = 0; i < drafts.length; i += 5000) {
    const some = drafts.slice(i, i + 5000);
    await insertMany(tx, 'pedidos', rowsOf(some));
    await insertMany(
      tx,
      'pedidos_lineas',
      some.flatMap(({ row, lines }) => lineRows(row.id, lines)),
    );
    await insertMany(tx, 'pedidos_historial', some.flatMap(historyRows));
    await insertMany(tx, 'pagos', some.flatMap(paymentRows));
    await insertMany(
      tx,
      'audit_logs',
      some.flatMap((draft) => auditRows(draft, now)),
    );
  }
  await insertMany(tx, 'notifications', drafts.flatMap(offerRows));
  await sql`ALTER TABLE pedidos ENABLE TRIGGER USER`.execute(tx);
  await rebuildTotals(tx);
  await rebuildSearch(tx);
}
