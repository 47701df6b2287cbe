import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { asAdmin } from '../../server/db/embedded/role.ts';
import type { Db } from '../../server/db/open.ts';
import { copyFolder } from '../../test/copy-folder.ts';
import { openFolder } from '../../test/data-folder.ts';
import { range } from '../each.ts';
import { PACE, type Row, verdict } from '../row.ts';
import { startInstance } from '../server.ts';

const VERSION = '0.2.0';
/** Orders of the filled folder; with `--first`, as for a control, the folder stays as released. */
const ORDERS = 100_000;
const KILLS = 10;
const OPENS_MS = 60_000;

/** Tables that grow with the orders, parents first. */
const GROWING = ['pedidos', 'pedidos_lineas', 'pagos', 'pedidos_historial', 'intentos', 'comentarios', 'stock_movements', 'ganancias'];
/** Columns that differ from copy to copy; ids are derived from the original's. */
const OWN: Record<string, string> = {
  numero_orden: "numero_orden || '-' || g",
  pago_token: "pago_token || '-' || g",
  externo_id: 'NULL',
  liquidacion_id: 'NULL',
};

/** Copies the orders of a folder with all that is theirs until there are `ORDERS`, as a superuser, past the triggers. */
async function grow(dataDir: string): Promise<void> {
  const { url = '', close } = await openFolder(dataDir);
  const client = new pg.Client(asAdmin(url));
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const { rows: counted } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM pedidos');
    const copies = Math.ceil(ORDERS / (counted[0]?.n ?? 1)) - 1;
    for (const table of GROWING) {
      const { rows } = await client.query<{ name: string; type: string }>(
        `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1
          AND is_generated = 'NEVER' AND is_identity = 'NO'`,
        [table],
      );
      const copied = ({ name, type }: { name: string; type: string }) =>
        type === 'uuid' && ['id', 'pedido_id'].includes(name) ? `md5(${name}::text || g)::uuid` : (OWN[name] ?? name);
      const names = rows.map(({ name }) => name).join(', ');
      await client.query(
        `INSERT INTO ${table} (${names}) SELECT ${rows.map(copied).join(', ')} FROM ${table}, generate_series(1, ${copies}) g`,
      );
    }
    await client.query('ANALYZE');
  } finally {
    await client.end();
    await close();
  }
}

/** Number of rows and sum of the amounts of the growing tables. */
async function contentOf(db: Db): Promise<string> {
  const counts = [];
  for (const table of GROWING) {
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(db);
    counts.push(`${table} ${rows[0]?.n}`);
  }
  const { rows } = await sql<{ cents: string }>`SELECT sum(precio_total_cents)::text AS cents FROM pedidos`.execute(db);
  return `${counts.join(', ')}; ${rows[0]?.cents} cents`;
}

/** A data folder of the version before, with many orders, opens in time, also after kills in the middle of its migrations. */
export const row: Row = {
  name: 'old-folder',
  what: `a data folder of ${VERSION} with ${ORDERS} orders opens in ${OPENS_MS / 1000} s, and after ${KILLS} × kill -9 in the middle`,
  seconds: 900,
  alone: true,
  run: async (world) => {
    const { expect, outcome } = verdict();
    const root = world.folder('old');
    const packed = readFileSync(join(import.meta.dirname, `../../test/folders/${VERSION}.tar.br`));
    execFileSync('tar', ['x', '--no-same-owner', '-C', root], { input: brotliDecompressSync(packed) });
    const [DATA_DIR, killed] = [join(root, VERSION), join(root, 'killed')];
    if (!PACE.first) await grow(DATA_DIR);
    copyFolder(DATA_DIR, killed);
    const look = async (dataDir: string) => {
      const { db, close } = await openFolder(dataDir);
      try {
        return await contentOf(db);
      } finally {
        await close();
      }
    };
    const open = async (dataDir: string) => {
      const since = performance.now();
      const instance = await startInstance({ DATA_DIR: dataDir });
      world.atEnd(() => instance.stop('SIGKILL'));
      await instance.ready().catch((error: Error) => expect(false, () => error.message.slice(-400)));
      const ms = Math.round(performance.now() - since);
      await instance.stop();
      return ms;
    };
    const before = await look(DATA_DIR);
    const ms = await open(DATA_DIR);
    expect(ms < OPENS_MS * PACE.patience, () => `the folder opens after ${ms} ms`);
    for (const _ of range(PACE.first ? 1 : KILLS)) {
      const instance = await startInstance({ DATA_DIR: killed });
      await sleep(ms * (0.05 + Math.random() * 0.25));
      await instance.stop('SIGKILL');
    }
    await open(killed);
    for (const [name, folder] of [
      ['opened', DATA_DIR],
      ['killed', killed],
    ] as const) {
      const after = await look(folder);
      expect(after === before, () => `${name}: ${after} instead of ${before}`);
    }
    return outcome(`${before}: opened in ${ms} ms, and after ${KILLS} kills`);
  },
  control: [
    {
      guard: 'that partitions become the role’s',
      edits: [{ file: 'server/db/embedded/role.ts', find: "AND NOT (relkind = 'S' AND EXISTS (", replace: 'AND NOT (EXISTS (' }],
    },
  ],
};
