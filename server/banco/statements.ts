import { sql } from 'kysely';
import type { Extracto, leerExtracto } from '../../contract/banco/banco.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { toCents } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { bookMovements, unbookMovement } from './book.ts';
import { readExpected } from './expected.ts';
import { compareWithKnown } from './known.ts';
import { matchMovements } from './match.ts';

/** Serialises all that books or takes back movements: two persons who read the same file at once, the second finds all known. */
export const lockBank = (tx: Tx) => sql`SELECT pg_advisory_xact_lock(hashtextextended('banco', 0))`.execute(tx);

type Counts = { nuevos: number; conocidos: number; apuntados: number };
/** Condition on `movimientos`: waits for a person. Must match the index `movimientos_esperan`. */
export const waitsForOffice = sql<boolean>`(resto_cents <> 0 AND (resolucion IS NULL OR resolucion = 'devolver'))`;

/** Reads the credits of a statement, or of some of its days. Throws 409 if the statement has been undone. */
export const readExtract = (db: Db, actor: Actor, input: BodyOut<typeof leerExtracto>): Promise<Counts> =>
  transact(db, async (tx) => {
    await lockBank(tx);
    const { extracto: id, fichero, formato } = input;
    const statement = await tx.selectFrom('extractos').select('deshecho_at').where('id', '=', id).executeTakeFirst();
    if (statement?.deshecho_at) throw conflict('Este extracto está deshecho: elige el fichero otra vez', 'estado');
    if (!statement) {
      await tx.insertInto('extractos').values({ id, fichero, leido_por_nombre: actor.full_name }).execute();
      await recordAct(tx, actor, id, `Extracto del banco leído: ${fichero}`);
    }
    const read = input.movimientos
      .map(({ importe, ...each }) => ({ ...each, importe_cents: toCents(importe) }))
      .sort((a, b) => (a.fecha < b.fecha ? -1 : a.fecha > b.fecha ? 1 : 0));
    const days = [...new Set(read.map(({ fecha }) => fecha))];
    const stored = await tx
      .selectFrom('movimientos')
      .select(['extracto_id', 'cuenta', 'importe_cents', 'texto', 'formato', 'huella', 'orden', sql<string>`fecha::text`.as('fecha')])
      .where('fecha', '=', sql<string>`ANY (${days}::date[])`)
      .execute();
    const { news, repeats } = compareWithKnown(read, formato, stored);
    const others = repeats.filter((each) => each !== id);
    if (others.length > 0)
      await tx
        .updateTable('extractos')
        .set({ repite: sql<string[]>`array(SELECT DISTINCT unnest(repite || ${others}::uuid[]))` })
        .where('id', '=', id)
        .execute();
    const counts = { nuevos: news.length, conocidos: read.length - news.length, apuntados: 0 };
    if (news.length === 0) return counts;
    const values = news.map((each) => ({ id: crypto.randomUUID(), extracto_id: id, ...each, resto_cents: each.importe_cents }));
    // A row has ten parameters, of which PostgreSQL takes 65,535 a statement.
    for (let i = 0; i < values.length; i += 5000)
      await tx
        .insertInto('movimientos')
        .values(values.slice(i, i + 5000))
        .execute();
    const matches = matchMovements(values, await readExpected(tx));
    const bookings = values.flatMap((each, i) => (matches[i]?.sure ? [{ ...each, ...matches[i] }] : []));
    const refused = await bookMovements(tx, actor, bookings);
    return { ...counts, apuntados: bookings.length - refused.size };
  });

const SHOWN = 20;
/** Returns the latest statements that have not been undone. */
export const listExtracts = (db: Db): Promise<Extracto[]> =>
  db
    .selectFrom('extractos as e')
    .select(['e.id', 'e.fichero', 'e.leido_por_nombre as leido_por', 'e.created_at'])
    .select(sql<number>`(SELECT count(*)::int FROM movimientos WHERE extracto_id = e.id)`.as('movimientos'))
    .select(sql<number>`(SELECT count(*)::int FROM movimientos WHERE extracto_id = e.id AND ${waitsForOffice})`.as('esperan'))
    .where('e.deshecho_at', 'is', null)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id')
    .limit(SHOWN)
    .execute();

/**
 * Undoes a statement: all its movements, with what they booked. Throws 404; 409 if undone, if a later statement found some of them known (they
 * would be lost), or for a payment that has been refunded since.
 */
export const undoStatement = (db: Db, actor: Actor, id: string): Promise<void> =>
  transact(db, async (tx) => {
    await lockBank(tx);
    const { fichero, deshecho_at } = await tx
      .selectFrom('extractos')
      .select(['fichero', 'deshecho_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => notFound());
    if (deshecho_at) throw conflict('Este extracto ya está deshecho', 'estado');
    const later = await tx
      .selectFrom('extractos')
      .select('fichero')
      .where('deshecho_at', 'is', null)
      .where(sql<boolean>`${id} = ANY (repite)`)
      .executeTakeFirst();
    if (later) throw conflict(`«${later.fichero}», leído después, repite movimientos de este extracto: deshaz antes ese`, 'estado');
    const movements = await tx.selectFrom('movimientos').select('id').where('extracto_id', '=', id).orderBy('id').execute();
    for (const movement of movements) await unbookMovement(tx, actor, movement.id, 'Extracto deshecho');
    await tx.deleteFrom('movimientos').where('extracto_id', '=', id).execute();
    await tx.updateTable('extractos').set({ deshecho_at: sql<string>`now()` }).where('id', '=', id).execute();
    await recordAct(tx, actor, id, `Extracto del banco deshecho: ${fichero}`);
  });

/** Months after which nothing is said any more of who paid a credit that is no order's and is dealt with. */
const PAYER_MONTHS = 13;
/** Empties the texts of old credits that pay nothing here; those of orders go with their order's data. */
export const forgetPayers = (db: Db): Promise<unknown> =>
  db
    .updateTable('movimientos')
    .set({ texto: '', motivo: null })
    .where('fecha', '<', sql<string>`dia_negocio(now()) - make_interval(months => ${PAYER_MONTHS})`)
    .where('texto', '<>', '')
    .where(sql<boolean>`NOT ${waitsForOffice} AND NOT EXISTS (SELECT FROM pagos g WHERE g.movimiento_id = movimientos.id)`)
    .execute();

/** Audits an act on a statement or a movement, and tells the screens. */
export async function recordAct(tx: Tx, actor: Actor, id: string, description: string): Promise<void> {
  await audit(tx, actor, { type: 'pedido', action: 'update', entity_type: 'pago', entity_id: id, description });
  emit(tx, { topic: 'pedidos', roles: rolesOf('pago:manage') });
}
