import { sql } from 'kysely';
import { readConfig } from '../server/config.ts';
import { migrate, openDatabase } from '../server/db/open.ts';
import { ensureDemo } from '../server/demo/demo.ts';
import { createLog } from '../server/log/log.ts';

/**
 * `node bench/fill.ts [orders]`: fills the empty database of DATABASE_URL or DATA_DIR with two years of demo orders,
 * 100,000 by default.
 */
const orders = Number(process.argv[2] ?? 100_000);
if (!Number.isInteger(orders) || orders < 1 || orders > 900_000) {
  console.error('Uso: node bench/fill.ts [pedidos]   (de 1 a 900000; por defecto, 100000)');
  process.exit(2);
}

const config = readConfig(process.env);
const { db, close } = await openDatabase(config, createLog(config.logLevel, process.stderr));
try {
  await migrate(db);
  const known = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (known) throw new Error('La base de datos no está vacía: usa otra DATA_DIR o DATABASE_URL.');
  const since = performance.now();
  const accounts = await ensureDemo(db, { orders, months: 24, now: new Date() });
  // The embedded database has no autovacuum, and without statistics the planner ignores the indexes.
  await db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection);
    await sql`VACUUM (ANALYZE)`.execute(connection);
  });
  console.log(`${orders} pedidos en ${((performance.now() - since) / 1000).toFixed(1)} s`);
  for (const { role, email, password } of accounts) console.log(`  ${role.padEnd(13)} ${email.padEnd(28)} ${password}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await close();
}
