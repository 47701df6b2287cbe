import { sql } from 'kysely';
import { fillDemo } from '../demo/fill.ts';
import { ACCOUNTS } from '../demo/people.ts';
import { readConfig } from '../server/config.ts';
import { migrateDatabase, openDatabase } from '../server/db/open.ts';
import { withoutTimeout } from '../server/db/pool.ts';
import { createLog } from '../server/log/log.ts';
import { withoutIndexes } from './set-aside.ts';

/**
 * `node bench/fill.ts [orders]`: fills the empty database of DATABASE_URL or DATA_DIR with two years of demo orders,
 * 100,000 by default.
 */
const MOST = 2_000_000;
/** Tables that grow with the orders; a trigger fills the search text. */
const LOADED = ['clientes', 'pedidos', 'pedidos_lineas', 'pedidos_historial', 'pagos', 'stock_movements', 'audit_logs', 'notifications'];
const orders = Number(process.argv[2] ?? 100_000);
if (!Number.isInteger(orders) || orders < 1 || orders > MOST) {
  console.error(`Uso: node bench/fill.ts [pedidos]   (de 1 a ${MOST}; por defecto, 100000)`);
  process.exit(2);
}

const config = readConfig(process.env);
const { db, close } = await openDatabase(config, createLog(config.logLevel, process.stderr));
try {
  await migrateDatabase(db);
  const known = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (known) throw new Error('La base de datos no está vacía: usa otra DATA_DIR o DATABASE_URL.');
  const since = performance.now();
  const tell = (done: string) => console.log(`${done}, ${Math.round((performance.now() - since) / 1000)} s`);
  await withoutIndexes(db, LOADED, () => fillDemo(db, { orders, months: 24, now: new Date() }, tell));
  tell('índices');
  // Without statistics the planner ignores the indexes, and autovacuum comes late.
  await db.connection().execute((connection) => withoutTimeout(connection, () => sql`VACUUM (ANALYZE)`.execute(connection)));
  tell('estadísticas');
  for (const { role, email, password } of ACCOUNTS) console.log(`  ${role.padEnd(13)} ${email.padEnd(28)} ${password}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await close();
}
