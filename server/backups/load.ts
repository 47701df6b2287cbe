import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { conflict } from '../kit/errors.ts';
import type { Opener } from './encrypt.ts';
import { damaged, differing, type OnLines, readBackup } from './format.ts';
import { type Holding, keptTables, passingTables, refs, type Table, type Tally, tallyOf } from './tables.ts';

/**
 * Replaces all tables with the file at `path`, which ends every session. Returns the number of rows. Throws, rolling back, unless all rows
 * match. `tx` must be at the file's migration; without `holding` its database must be a scratch database.
 */
export const loadBackup = (tx: Tx, path: string, secret: Opener, holding?: Holding, onLines: OnLines = () => {}): Promise<number> =>
  withoutTimeout(tx, () => replaceTables(tx, path, secret, holding, onLines));

async function replaceTables(tx: Tx, path: string, secret: Opener, holding: Holding | undefined, onLines: OnLines): Promise<number> {
  const here = await keptTables(tx, holding);
  const names = here.map(({ name }) => sql.table(name));
  const passing = holding ? (await passingTables(tx, holding)).map((name) => sql.table(name)) : [];
  // Triggers would count the totals twice and forbid replacing the audit log. Disabling them needs the tables' owner;
  // session_replication_role would need a superuser.
  for (const name of names) await sql`ALTER TABLE ${name} DISABLE TRIGGER USER`.execute(tx);
  await sql`TRUNCATE ${sql.join([...names, ...passing])}`.execute(tx);

  const loaded: Table[] = [];
  const parts = readBackup(path, secret);
  let written: Tally = {};
  try {
    let part = await parts.next();
    for (; !part.done; part = await parts.next()) {
      if ('table' in part.value) loaded.push(known(part.value.table, here));
      if ('lines' in part.value) {
        await insert(tx, loaded.at(-1), part.value.lines);
        onLines(part.value.lines.length);
      }
    }
    written = part.value;
  } finally {
    await parts.return({});
  }

  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx);
  for (const name of names) await sql`ALTER TABLE ${name} ENABLE TRIGGER USER`.execute(tx);
  const wrong = differing(await tallyOf(tx, loaded), written);
  if (wrong) throw damaged(`al cargarla, ${wrong} no tiene lo que se guardó`);
  return Object.values(written).reduce((all, { rows }) => all + rows, 0);
}

function known(table: Table, here: Table[]): Table {
  const columns = here.find(({ name }) => name === table.name)?.columns;
  const strange = columns ? table.columns.find((column) => !columns.includes(column)) : table.name;
  if (strange !== undefined) throw conflict(`La copia trae algo que esta versión de Enruta no conoce: ${table.name}`);
  return table;
}

async function insert(tx: Tx, table: Table | undefined, lines: string[]): Promise<void> {
  if (!table) throw new Error('rows come after their table');
  const [name, columns] = [sql.table(table.name), refs(table.columns)];
  await sql`INSERT INTO ${name} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${name}, ${`[${lines.join(',')}]`}::json)`.execute(tx);
}
