import { sql } from 'kysely';
import { SISTEMA } from '../../contract/policy/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import { conflict } from '../kit/errors.ts';
import { anonymise } from '../privacidad/block.ts';
import { ENDED } from '../privacidad/persona.ts';

/** An order, anonymised since the backup, whose personal data a restore would bring back. */
type BroughtBack = { id: string; numero_orden: string; cliente_nombre: string };

/** Finds the orders of a backup that have since been anonymised in `db`. Call `see` with each batch of rows. */
export async function watchAnonymised(db: Db): Promise<{ see: (table: string, rows: readonly string[]) => void; found: BroughtBack[] }> {
  const found: BroughtBack[] = [];
  const ids = await anonymisedIn(db);
  const see = (table: string, rows: readonly string[]) => {
    if (table !== 'pedidos' || ids.size === 0) return;
    for (const row of rows) {
      const { id, numero_orden, cliente_nombre, anonimizado_at } = JSON.parse(row) as BroughtBack & { anonimizado_at?: string | null };
      if (ids.has(id) && !anonimizado_at) found.push({ id, numero_orden, cliente_nombre });
    }
  };
  return { see, found };
}

// The database can be empty, or too old to have the column `anonimizado_at`.
async function anonymisedIn(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ known: boolean }>`SELECT EXISTS (SELECT FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'pedidos' AND column_name = 'anonimizado_at') AS known`.execute(db);
  if (!rows[0]?.known) return new Set();
  const orders = await db.selectFrom('pedidos').select('id').where('anonimizado_at', 'is not', null).execute();
  return new Set(orders.map(({ id }) => id));
}

const NAMED = 20;

/** Throws 409 if `found` has orders. The message lists the orders and the flags to choose from. */
export function refuseBroughtBack(found: readonly BroughtBack[]): void {
  if (found.length === 0) return;
  const named = found.slice(0, NAMED).map(({ numero_orden, cliente_nombre }) => `  ${numero_orden} (${cliente_nombre})`);
  const more = found.length > NAMED ? [`  y ${found.length - NAMED} más`] : [];
  throw conflict(
    [
      `La copia devuelve los datos personales de ${found.length} ${found.length === 1 ? 'pedido que se anonimizó' : 'pedidos que se anonimizaron'} después de hacerla:`,
      ...named,
      ...more,
      'No se ha cambiado nada. Añade --anonimizar para anonimizarlos otra vez al restaurar, o --con-sus-datos para que vuelvan como estaban.',
    ].join('\n'),
  );
}

const BATCH = 50;

/** Anonymises orders again. Returns the numbers of orders that the backup has as open: open orders cannot be anonymised. */
export async function anonymiseAgain(tx: Tx, found: readonly BroughtBack[]): Promise<string[]> {
  const open = new Set<string>();
  for (let at = 0; at < found.length; at += BATCH) {
    const some = found.slice(at, at + BATCH);
    const ids = some.map(({ id }) => id);
    const ended = await tx.selectFrom('pedidos').select(['id', 'numero_orden']).where('id', 'in', ids).where(ENDED).execute();
    if (ended.length) await anonymise(tx, SISTEMA, ended, 'Se había anonimizado antes de restaurar una copia');
    for (const { id, numero_orden } of some) if (!ended.some((order) => order.id === id)) open.add(numero_orden);
  }
  return [...open];
}
