import { sql } from 'kysely';
import { beforeEach, expect, inject, test } from 'vitest';
import { copyOf } from '../../test/postgres.ts';
import { openProxy } from '../../test/proxy.ts';
import { type OpenDb, openPostgres, type Tx, transact } from './open.ts';
import { HOLD } from './wait-for-database.ts';

/* A restart of the database: waiting calls, and calls that must not be repeated. */

let through: Awaited<ReturnType<typeof openProxy>>;
let opened: OpenDb;
beforeEach(async () => {
  const { url, drop } = await copyOf(inject('postgresTemplate'));
  through = await openProxy(url);
  opened = openPostgres(through.url, () => {}, 4);
  await sql`SELECT 1`.execute(opened.db);
  return async () => {
    await opened.close();
    await through.close();
    await drop();
  };
});

const write = (tx: Tx) => tx.insertInto('products').values({ name: 'Aceite' }).execute();
/** Cuts the connections to the database, and waits until the pool has noticed. */
async function away(): Promise<void> {
  await through.close();
  await expect.poll(() => opened.connections()).toMatchObject({ open: 0 });
}
const written = async () => (await opened.db.selectFrom('products').select('id').execute()).length;

test('reads and writes during a restart of the database wait for its end', async () => {
  await away();
  const asked = Promise.all([written(), transact(opened.db, write)]);
  await through.open();
  await asked;
  expect(await written()).toBe(1);
});

test('a read fails if the database stays away for two seconds', async () => {
  await away();
  const since = performance.now();
  await expect(written()).rejects.toThrow();
  expect(performance.now() - since).toBeGreaterThan(HOLD.whole / 2);
});

test('a transaction lost before its commit is retried and takes effect once', async () => {
  let tries = 0;
  await transact(opened.db, async (tx) => {
    await write(tx);
    tries += 1;
    if (tries > 1) return;
    await through.close();
    await through.open();
    await write(tx);
  });
  expect([tries, await written()]).toEqual([2, 1]);
});

test('a transaction lost in its commit is never repeated', async () => {
  let tries = 0;
  const work = async (tx: Tx) => {
    await write(tx);
    tries += 1;
    await through.close();
    await through.open();
  };
  await expect(transact(opened.db, work)).rejects.toThrow();
  expect(tries).toBe(1);
});
