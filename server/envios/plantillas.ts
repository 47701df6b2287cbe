import { sql } from 'kysely';
import type { updatePlantilla as endpoint, Plantilla } from '../../contract/envios/envios.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { refuseStale } from '../kit/version.ts';

const select = (db: Db | Tx) =>
  db
    .selectFrom('plantillas_envio')
    .select([
      'id as clave',
      'nombre',
      'metodo_entrega',
      'columnas',
      'separador',
      'codificacion',
      'coma_decimal',
      'con_titulos',
      'verificada',
      'version',
    ]);

/** Returns the templates, sorted by name. */
export const listPlantillas = (db: Db): Promise<Plantilla[]> => select(db).orderBy('nombre').execute();

/** Returns a template. Throws 404. */
export const readPlantilla = (db: Db | Tx, id: string): Promise<Plantilla> =>
  select(db)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());

/** Changes a template. Throws 404; 409 if stale. */
export async function updatePlantilla(
  db: Db,
  actor: Actor,
  id: string,
  { version, columnas, ...formato }: BodyOut<typeof endpoint>,
): Promise<Plantilla> {
  return transact(db, async (tx) => {
    const before = await select(tx)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    refuseStale(before, version, 'la configuración');
    await tx
      .updateTable('plantillas_envio')
      .set({ ...formato, columnas: JSON.stringify(columnas), version: sql`version + 1` })
      .where('id', '=', id)
      .execute();
    const description = `Plantilla de envío cambiada: ${before.nombre}`;
    await audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'settings', description });
    return readPlantilla(tx, id);
  });
}
