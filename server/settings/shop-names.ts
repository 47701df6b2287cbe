import type { Db } from '../db/open.ts';

/** Names of the connected web shops; undefined with fewer than two, where the name of an order's shop says nothing. */
export async function shopNames(db: Db): Promise<string[] | undefined> {
  const rows = await db.selectFrom('tiendas').select('nombre').distinct().where('estado', '=', 'activa').orderBy('nombre').execute();
  return rows.length > 1 ? rows.map(({ nombre }) => nombre) : undefined;
}
