import { sql } from 'kysely';
import { proponerRuta } from '../contract/ruta/orden.ts';
import type { Tx } from '../server/db/open.ts';
import { lugarDe } from '../server/ruta/lugar.ts';
import { ACCOUNTS } from './people.ts';

/** Number of visits already made. */
const DONE = 2;

/** Switches on the day's route, half done for the demo's carrier. */
export async function addRoute(tx: Tx): Promise<void> {
  await tx
    .updateTable('settings')
    .set({ data: sql`data || ${JSON.stringify({ dayRoute: true })}::jsonb` })
    .execute();
  const email = ACCOUNTS.find(({ role }) => role === 'transportista')?.email ?? '';
  const { id: transportista_id } = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  const carried = tx
    .selectFrom('pedidos')
    .select(['id', 'cliente_direccion', 'cliente_codigo_postal', 'cliente_ciudad', 'cliente_provincia', 'cliente_pais'])
    .where('transportista_id', '=', transportista_id)
    .where('deleted_at', 'is', null);
  const done = await carried.where('estado', '=', 'completado').orderBy('fecha_completado', 'desc').limit(DONE).execute();
  const ahead = await carried.where('estado', 'in', ['asignado', 'en_proceso', 'en_ruta']).execute();
  const stops = ahead.map((row) => ({
    id: row.id,
    punto: lugarDe(row),
    codigo_postal: row.cliente_codigo_postal,
    direccion: row.cliente_direccion,
  }));
  const pedidos = [...done.map(({ id }) => id).reverse(), ...proponerRuta(stops, { primera: null, ultima: null })];
  await tx
    .insertInto('rutas')
    .values({
      transportista_id,
      dia: sql<string>`dia_negocio(now())`,
      pedidos,
      primera: null,
      ultima: null,
      ordenada_at: new Date().toISOString(),
    })
    .execute();
}
