import { sql } from 'kysely';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import type { Person } from '../../contract/policy/policy.ts';
import type { guardarRuta, Ruta } from '../../contract/ruta/ruta.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { allowedSql } from '../pedidos/lectura/scope.ts';
import { leavesSql } from '../pedidos/lectura/situation.ts';
import { readSettings } from '../settings/settings.ts';
import { lugarDe } from './lugar.ts';

/** Days that a route is kept. */
const KEPT_DAYS = 7;

/** Throws 409 in a shop without routes. */
export async function refuseUnused(db: Db): Promise<void> {
  const { dayRoute } = await readSettings(db);
  if (!dayRoute) throw conflict('Esta tienda no usa rutas: se activan en Configuración, «Ruta del día»');
}

/** Returns a carrier's route of today, without orders that do not leave, have been delivered or were given to another carrier. */
export async function readRuta(db: Db, actor: Person): Promise<Ruta> {
  const [stored, rows] = await Promise.all([
    db
      .selectFrom('rutas')
      .selectAll()
      .where('transportista_id', '=', actor.id)
      .where('dia', '=', sql<string>`dia_negocio(now())`)
      .executeTakeFirst(),
    db
      .selectFrom('pedidos')
      .select(['id', 'cliente_codigo_postal', 'cliente_ciudad', 'cliente_provincia', 'cliente_pais'])
      .where(allowedSql(actor, 'pedido:route'))
      .where('estado', 'in', EN_MANOS)
      .where(leavesSql)
      .execute(),
  ]);
  const inHand = new Set(rows.map(({ id }) => id));
  const held = (id: string | null | undefined) => (id && inHand.has(id) ? id : null);
  return {
    pedidos: (stored?.pedidos ?? []).filter((id) => inHand.has(id)),
    primera: held(stored?.primera),
    ultima: held(stored?.ultima),
    paradas: rows.flatMap((row) => {
      const punto = lugarDe(row);
      return punto ? [{ id: row.id, ...punto }] : [];
    }),
  };
}

/**
 * Replaces the carrier's route for the day of `ocurrido`, unless a later arrangement is stored, so that two telephones agree. Throws 404
 * for an order that never was the carrier's.
 */
export async function storeRuta(db: Db, actor: Person, { pedidos, primera, ultima, ocurrido }: BodyOut<typeof guardarRuta>): Promise<void> {
  // A telephone's clock can be ahead.
  const at = new Date(Math.min(Date.parse(ocurrido), Date.now())).toISOString();
  const ids = [...new Set(pedidos)];
  await transact(db, async (tx) => {
    const kept = await ownOf(tx, actor, ids);
    const held = (id: string | null) => (id !== null && kept.has(id) ? id : null);
    await tx
      .insertInto('rutas')
      .values({
        transportista_id: actor.id,
        dia: sql<string>`dia_negocio(${at}::timestamptz)`,
        pedidos: ids.filter((id) => kept.has(id)),
        primera: held(primera),
        ultima: held(ultima),
        ordenada_at: at,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['transportista_id', 'dia'])
          .doUpdateSet(({ ref }) => ({
            pedidos: ref('excluded.pedidos'),
            primera: ref('excluded.primera'),
            ultima: ref('excluded.ultima'),
            ordenada_at: ref('excluded.ordenada_at'),
          }))
          .whereRef('rutas.ordenada_at', '<=', 'excluded.ordenada_at'),
      )
      .execute();
  });
}

/** Returns the ids of the carrier's own orders. Skips orders taken away meanwhile, because the telephone may not know. */
async function ownOf(tx: Tx, actor: Person, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const own = await tx.selectFrom('pedidos').select('id').where('id', 'in', ids).where(allowedSql(actor, 'pedido:route')).execute();
  const kept = new Set(own.map(({ id }) => id));
  const others = ids.filter((id) => !kept.has(id));
  if (others.length === 0) return kept;
  const lost = await tx
    .selectFrom('pedidos_historial')
    .select('pedido_id')
    .distinct()
    .where('pedido_id', 'in', others)
    .where('retirado_a', '=', actor.id)
    .execute();
  if (lost.length < others.length) throw notFound('Pedido no encontrado');
  return kept;
}

/** Deletes routes older than `KEPT_DAYS`. */
export const deleteRutas = (db: Db) =>
  db.deleteFrom('rutas').where('dia', '<', sql<string>`dia_negocio(now()) - ${KEPT_DAYS}::int`).execute();
