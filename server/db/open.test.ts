import { sql } from 'kysely';
import { beforeAll, expect, inject, test } from 'vitest';
import { copyOf } from '../../test/postgres.ts';
import { openProxy } from '../../test/proxy.ts';
import { createWorld, type World } from '../../test/world.ts';
import { matchesWords } from '../pedidos/lectura/filter.ts';
import { openPostgres, transact } from './open.ts';
import { createPool, queryPool } from './pool.ts';
import { waitForDatabase } from './wait-for-database.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

test('a column added by a newer instance breaks no query', async () => {
  const all = (db: Pick<World['db'], 'selectFrom'> = world.db) => db.selectFrom('users').selectAll().where('email', '=', 'nadie').execute();
  const inTransaction = () => transact(world.db, (tx) => all(tx));
  // Prepares the statement on every connection of the pool.
  await Promise.all(Array.from({ length: 20 }, all.bind(null, world.db)));
  for (const column of ['nueva', 'otra']) {
    await sql`ALTER TABLE users ADD COLUMN ${sql.ref(column)} text`.execute(world.db);
    for (const ask of [inTransaction, all]) expect(await Promise.all(Array.from({ length: 20 }, () => ask()))).toHaveLength(20);
  }
});

test('a search is planned each time for its words, and a statement without a search only once', async () => {
  const prepared = await transact(world.db, async (tx) => {
    const pedidos = tx.selectFrom('pedidos').select('cliente_nombre');
    await pedidos.where('version', '=', 1).execute();
    await pedidos.where(matchesWords(sql`cliente_nombre`, 'peña')).execute();
    const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(tx);
    return rows.map(({ statement }) => statement).filter((statement) => statement.startsWith('select "cliente_nombre"'));
  });
  expect(prepared).toEqual([expect.stringContaining('"version" = ')]);
});

test('a connection with another time zone or date style is rejected', async () => {
  const { url, drop } = await copyOf(inject('postgresTemplate'));
  try {
    for (const dropped of ['timezone=Europe/Madrid', 'datestyle=German']) {
      const pool = createPool(`${url}?options=${encodeURIComponent(`-c timezone=UTC -c ${dropped}`)}`, 1, () => {});
      await expect(queryPool(pool, 'SELECT 1')).rejects.toThrow('la conexión no está en hora UTC');
      await pool.end();
    }
  } finally {
    await drop();
  }
});

test('a start waits for a starting server, but reports a wrong address at once', async () => {
  const { url, drop } = await copyOf(inject('postgresTemplate'));
  const through = await openProxy(url);
  await through.close();
  const opened = openPostgres(through.url, () => {}, 1);
  const nowhere = openPostgres(url.replace(/\/[^/]+$/, '/no_hay'), () => {}, 1);
  const encrypted = openPostgres(`${url}${url.includes('?') ? '&' : '?'}sslmode=require`, () => {}, 1);
  let waits = 0;
  try {
    const arrived = waitForDatabase(opened.db, () => void (waits += 1), { whole: 20_000, look: 50 });
    await expect.poll(() => waits).toBe(1);
    await through.open();
    await arrived;
    expect(waits).toBe(1);
    await expect(waitForDatabase(nowhere.db, () => {})).rejects.toThrow('DATABASE_URL: esa base de datos no existe');
    await expect(waitForDatabase(encrypted.db, () => {})).rejects.toThrow('DATABASE_URL: ese PostgreSQL no cifra las conexiones');
    await through.close();
    await expect(waitForDatabase(opened.db, () => {}, { whole: 100, look: 50 })).rejects.toThrow('PostgreSQL no responde');
  } finally {
    await opened.close();
    await nowhere.close();
    await encrypted.close();
    await drop();
  }
});

test('queries to a silent server fail, and succeed again once the server answers', async () => {
  const { url, drop } = await copyOf(inject('postgresTemplate'));
  const through = await openProxy(url);
  const pool = createPool(through.url, 2, () => {}, { connect: 300, silence: 300 });
  const ask = () => Promise.allSettled(Array.from({ length: 4 }, () => queryPool(pool, 'SELECT 1')));
  const outcomes = async () => (await ask()).map(({ status }) => status);
  try {
    expect(await outcomes()).toEqual(Array(4).fill('fulfilled'));
    through.silence();
    expect(await outcomes()).toEqual(Array(4).fill('rejected'));
    expect(await outcomes()).toEqual(Array(4).fill('rejected'));
    through.speak();
    await expect.poll(outcomes).toEqual(Array(4).fill('fulfilled'));
  } finally {
    await pool.end();
    await through.close();
    await drop();
  }
});
