/*
 * Keeps a copy of all orders in an SQLite file, current within seconds (docs/api.md, «Keeping a copy»).
 *
 *     ENRUTA_URL=https://pedidos.example.es ENRUTA_KEY=enr_… node keep-a-copy.mjs orders.sqlite
 *
 * Needs Node 22.13 or later, and a key for «Tienda en línea» or for «Contabilidad (solo lee)», which omits telephone, door and
 * instructions. The key must have «Listar pedidos»; «Ver importes» and «Ver teléfono…» add those fields. The program can be stopped at
 * any moment. ENRUTA_EVERY is the pause in seconds (10).
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const { ENRUTA_URL, ENRUTA_KEY, ENRUTA_EVERY = '10' } = process.env;
const file = process.argv[2];
if (!ENRUTA_URL || !ENRUTA_KEY || !file) throw new Error('ENRUTA_URL, ENRUTA_KEY and the name of a file are needed');

// Waits for locks, because other programs can read the file meanwhile.
const db = new DatabaseSync(file, { timeout: 5000 });
db.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, data TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY CHECK (one = 1), cursor TEXT NOT NULL)`);
const write = db.prepare('INSERT INTO orders VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data');
const forget = db.prepare('DELETE FROM orders WHERE id = ?');
const keepCursor = db.prepare('INSERT INTO place VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET cursor = excluded.cursor');
const readCursor = db.prepare('SELECT cursor FROM place');

/** Stores a page and its cursor in one transaction, so that a crash cannot separate them. */
function store({ data, cursor }) {
  db.exec('BEGIN IMMEDIATE');
  for (const { id, data: order } of data) order ? write.run(id, JSON.stringify(order)) : forget.run(id);
  keepCursor.run(cursor);
  db.exec('COMMIT');
}

/** Reads one page of changes; returns true if more are waiting. */
async function readOnce() {
  const desde = readCursor.get()?.cursor;
  const query = desde ? `?${new URLSearchParams({ desde })}` : '';
  const answer = await fetch(`${ENRUTA_URL}/api/cambios/pedidos${query}`, {
    headers: { authorization: `Bearer ${ENRUTA_KEY}` },
    signal: AbortSignal.timeout(30_000),
  });
  // After a restore, orders of this copy may be missing on the server.
  if (answer.status === 410) return db.exec('DELETE FROM orders; DELETE FROM place') ?? true;
  if (answer.status === 429 || answer.status === 503) return sleep(1000 * Number(answer.headers.get('retry-after') ?? 10), true);
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status} ${body.message}`);
  store(body);
  return body.hay_mas;
}

while (true) {
  const more = await readOnce().catch((error) => console.error(new Date().toISOString(), error.message));
  if (!more) await sleep(1000 * Number(ENRUTA_EVERY));
}
