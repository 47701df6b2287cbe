import { type Selectable, type SqlBool, sql } from 'kysely';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { can, type Person } from '../../contract/policy/policy.ts';
import { LISTA_NAMES, LISTAS, type Lista, MAX_VISTAS } from '../../contract/vistas/fields.ts';
import { problemOfConsulta } from '../../contract/vistas/schemas.ts';
import type * as api from '../../contract/vistas/vistas.ts';
import type { Consulta, Vista } from '../../contract/vistas/vistas.ts';
import { audit, changedValues } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { conflict, forbidden, invalid, nextVersion, notFound, refuseStale } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';

type Row = Selectable<Tables['vistas']>;

const listasOf = ({ role }: Person): Lista[] => LISTA_NAMES.filter((name) => LISTAS[name].role === role);

const visible = (actor: Person) => sql<SqlBool>`v.lista = ANY(${listasOf(actor)}) AND (v.user_id = ${actor.id} OR v.compartida)`;

const selectVistas = (db: Db | Tx, actor: Person) =>
  db
    .selectFrom('vistas as v')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .leftJoin('vistas_preferidas as p', (join) => join.onRef('p.vista_id', '=', 'v.id').on('p.user_id', '=', actor.id))
    .select(['v.id', 'v.lista', 'v.nombre', 'v.columnas', 'v.compartida', 'v.version', 'u.full_name as de'])
    .select((eb) => [
      eb.ref('v.consulta').$castTo<Consulta>().as('consulta'),
      eb('v.user_id', '=', actor.id).$castTo<boolean>().as('mia'),
      eb('p.vista_id', 'is not', null).$castTo<boolean>().as('al_abrir'),
    ])
    .where(visible(actor));

/** Returns the actor's own and the shared views of a list, by name. Throws 403 for a list of another role. */
export async function listVistas(db: Db, actor: Person, lista: Lista): Promise<Vista[]> {
  refuseForeign(actor, lista);
  return selectVistas(db, actor).where('v.lista', '=', lista).orderBy(sql`lower(v.nombre)`).orderBy('v.id').execute();
}

const readVista = (tx: Tx, actor: Person, id: string): Promise<Vista> =>
  selectVistas(tx, actor).where('v.id', '=', id).executeTakeFirstOrThrow();

/** Saves a view. Throws 403 for a list of another role or sharing without permission, 409 beyond `MAX_VISTAS`, 422 for a taken name. */
export async function createVista(db: Db, actor: Person, input: BodyOut<typeof api.createVista>): Promise<Vista> {
  refuseForeign(actor, input.lista);
  refuseSharing(actor, input.compartida);
  refuseConsulta(input.lista, input.consulta);
  return refuseTaken(() =>
    transact(db, async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`vistas ${actor.id}`}, 0))`.execute(tx);
      const { count } = await tx
        .selectFrom('vistas')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', actor.id)
        .executeTakeFirstOrThrow();
      if (count >= MAX_VISTAS) throw conflict(`Ya tienes ${MAX_VISTAS} vistas: elimina las que no uses`, 'limit_reached');
      const row = await tx
        .insertInto('vistas')
        .values({ ...input, user_id: actor.id, consulta: JSON.stringify(input.consulta) })
        .returningAll()
        .executeTakeFirstOrThrow();
      if (row.compartida) await note(tx, actor, row, 'create', 'Vista compartida creada', { despues: logged(row) });
      announce(tx, row, row.compartida);
      return readVista(tx, actor, row.id);
    }),
  );
}

/** Edits a view. Throws 404 unless the actor may change it, 409 for a stale version, 422 for a taken name. */
export async function updateVista(
  db: Db,
  actor: Person,
  { id, version, ...fields }: BodyOut<typeof api.updateVista> & { id: string },
): Promise<Vista> {
  refuseSharing(actor, fields.compartida ?? false);
  return refuseTaken(() =>
    transact(db, async (tx) => {
      const before = await lock(tx, actor, id);
      refuseStale(before, version, 'esta vista');
      if (fields.consulta) refuseConsulta(before.lista, fields.consulta);
      // Unsharing another person's view would hide the view from the actor.
      if (fields.compartida === false && before.user_id !== actor.id)
        throw invalid('compartida', 'Solo quien la guardó puede dejar de compartirla');
      const changed = changedValues(logged(before), logged({ ...before, ...fields }));
      const { consulta, ...values } = fields;
      const after = await tx
        .updateTable('vistas')
        .set({ ...values, ...(consulta && { consulta: JSON.stringify(consulta) }), ...nextVersion(before, changed.despues) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      // Resets the default of people who no longer see the view.
      if (before.compartida && !after.compartida)
        await tx.deleteFrom('vistas_preferidas').where('vista_id', '=', id).where('user_id', '<>', actor.id).execute();
      const shared = before.compartida || after.compartida;
      if (shared) await note(tx, actor, after, 'update', 'Vista compartida actualizada', changed);
      announce(tx, after, shared);
      return readVista(tx, actor, id);
    }),
  );
}

/** Deletes a view, also where it is the default of a list. Throws 404 unless the actor may change it. */
export async function deleteVista(db: Db, actor: Person, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lock(tx, actor, id);
    await tx.deleteFrom('vistas').where('id', '=', id).execute();
    if (row.compartida) await note(tx, actor, row, 'delete', 'Vista compartida eliminada', { antes: logged(row) });
    announce(tx, row, row.compartida);
  });
}

/** Sets the default view of the actor's list, or none (null). Throws 404 for an invisible view. */
export async function preferVista(db: Db, actor: Person, { lista, vista_id }: BodyOut<typeof api.preferVista>): Promise<void> {
  refuseForeign(actor, lista);
  await transact(db, async (tx) => {
    const own = { user_id: actor.id, lista };
    if (vista_id) {
      // Locks the view against concurrent deletion or unsharing.
      await tx
        .selectFrom('vistas as v')
        .select('v.id')
        .where(visible(actor))
        .where('v.lista', '=', lista)
        .where('v.id', '=', vista_id)
        .forKeyShare()
        .executeTakeFirstOrThrow(() => notFound());
      await tx
        .insertInto('vistas_preferidas')
        .values({ ...own, vista_id })
        .onConflict((oc) => oc.columns(['user_id', 'lista']).doUpdateSet({ vista_id }))
        .execute();
    } else await tx.deleteFrom('vistas_preferidas').where('user_id', '=', actor.id).where('lista', '=', lista).execute();
    emit(tx, { topic: 'vistas', users: [actor.id] });
  });
}

/** Deletes the private views of deleted people; shared ones stay. */
export async function deleteVistas(db: Db): Promise<void> {
  await sql`DELETE FROM vistas_preferidas p USING users u WHERE u.id = p.user_id AND u.deleted_at IS NOT NULL`.execute(db);
  await sql`DELETE FROM vistas v USING users u WHERE u.id = v.user_id AND u.deleted_at IS NOT NULL AND NOT v.compartida`.execute(db);
}

/** Locks a view the actor may change: their own, or a shared one with permission to share. Throws 404. */
async function lock(tx: Tx, actor: Person, id: string): Promise<Row> {
  const row = await tx.selectFrom('vistas as v').selectAll().where(visible(actor)).where('v.id', '=', id).forUpdate().executeTakeFirst();
  if (!row || (row.user_id !== actor.id && !can(actor, 'vista:share'))) throw notFound();
  return row;
}

function refuseForeign({ role }: Person, lista: Lista): void {
  if (LISTAS[lista].role !== role) throw forbidden();
}
function refuseSharing(actor: Person, compartida: boolean): void {
  if (compartida && !can(actor, 'vista:share')) throw forbidden('vista:share', 'Solo los administradores comparten vistas');
}
function refuseConsulta(lista: Lista, consulta: Consulta): void {
  const problem = problemOfConsulta(lista, consulta);
  if (problem) throw invalid('consulta', problem);
}

// The unique index decides, so that concurrent requests get the same message.
async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'vistas_nombre') throw invalid('nombre', 'Ya hay una vista con ese nombre', 'duplicate');
    throw error;
  }
}

const logged = ({
  lista,
  nombre,
  consulta,
  columnas,
  compartida,
}: Pick<Row, 'lista' | 'nombre' | 'consulta' | 'columnas' | 'compartida'>) => ({
  lista,
  nombre,
  filtros: Object.entries(consulta)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join(' '),
  columnas: columnas?.join(', ') ?? null,
  compartida,
});

type Sides = { antes?: Record<string, unknown>; despues?: Record<string, unknown> };
/** Logs a change of a shared view. Private views are not logged. */
async function note(tx: Tx, actor: Person, { id, nombre }: Row, action: 'create' | 'update' | 'delete', what: string, sides: Sides) {
  await audit(tx, actor, { action, entity_type: 'vista', entity_id: id, description: `${what}: ${nombre}`, ...sides });
}

function announce(tx: Tx, { user_id, lista }: Row, shared: boolean): void {
  emit(tx, { topic: 'vistas', users: [user_id], ...(shared && { roles: [LISTAS[lista].role] }) });
}
