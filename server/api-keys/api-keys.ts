import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { ApiKey, createApiKey as endpoint } from '../../contract/api-keys/api-keys.ts';
import { KEY_ACTION_NAMES, knownScopes, MAX_KEYS } from '../../contract/api-keys/fields.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, type Person, type Program, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { notifySuperadmins } from '../notifications/notify.ts';

const INTEGRATIONS = '/configuracion?tab=integrations';
const COLUMNS = [
  'id',
  'nombre',
  'inicio',
  'acciones',
  'created_at',
  'creada_por',
  'creada_por_id',
  'usada_at',
  'caduca_at',
  'revocada_at',
] as const;
type Row = Omit<ApiKey, 'acciones'> & { acciones: string[] };
const present = (row: Row): ApiKey => ({ ...row, acciones: KEY_ACTION_NAMES.filter((name) => row.acciones.includes(name)) });

export const listApiKeys = async (db: Db): Promise<ApiKey[]> =>
  (await db.selectFrom('api_keys').select(COLUMNS).orderBy('created_at', 'desc').orderBy('id').execute()).map(present);

/** Creates a key and returns it in clear, only this once. Throws 409 beyond `MAX_KEYS`. */
export async function createApiKey(
  db: Db,
  actor: Person,
  { nombre, acciones, dias }: BodyOut<typeof endpoint>,
): Promise<ApiKey & { clave: string }> {
  const clave = PREFIX + randomBytes(32).toString('base64url');
  return transact(db, async (tx) => {
    const { n } = await tx
      .selectFrom('api_keys')
      .select(sql<number>`count(*)`.as('n'))
      .where('revocada_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (n >= MAX_KEYS) throw conflict(`Ya hay ${MAX_KEYS} claves: revoca las que no se usen`, 'limit_reached');
    const row = await tx
      .insertInto('api_keys')
      .values({
        nombre,
        key_hash: hashKey(clave),
        inicio: clave.slice(0, PREFIX.length + 6),
        acciones: [...new Set(acciones)],
        creada_por: actor.full_name,
        creada_por_id: actor.id,
        caduca_at: dias ? sql<string>`now() + make_interval(days => ${dias})` : null,
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await note(tx, actor, row, 'create', 'creada');
    const texto = `${actor.full_name} ha creado la clave de API «${nombre}»`;
    await notifySuperadmins(tx, actor, 'clave_creada', texto, INTEGRATIONS);
    return { ...present(row), clave };
  });
}

/** Revokes a key. Throws 404 if it does not exist or is already revoked. */
export async function revokeApiKey(db: Db, actor: Person, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await tx
      .updateTable('api_keys')
      .set({ revocada_at: sql`now()` })
      .where('id', '=', id)
      .where('revocada_at', 'is', null)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(() => notFound());
    await note(tx, actor, row, 'delete', 'revocada');
  });
}

export async function revokeKeysOf(tx: Tx, actor: Actor, userId: string): Promise<void> {
  const rows = await tx
    .updateTable('api_keys')
    .set({ revocada_at: sql`now()` })
    .where('creada_por_id', '=', userId)
    .where('revocada_at', 'is', null)
    .returning(COLUMNS)
    .execute();
  for (const row of rows) await note(tx, actor, row, 'delete', 'revocada');
}

async function note(tx: Tx, actor: Actor, { id, nombre, inicio, acciones, caduca_at }: Row, action: 'create' | 'delete', what: string) {
  await audit(tx, actor, {
    action,
    entity_type: 'apikey',
    entity_id: id,
    description: `Clave de API «${nombre}» (${inicio}…) ${what}`,
    ...(action === 'create' && { despues: { nombre, acciones, caduca_at } }),
  });
  emit(tx, { topic: 'apikeys', roles: rolesOf('apikey:manage') });
}

/** Deletes keys a month after they expired or were revoked. */
export async function deleteOldApiKeys(db: Db): Promise<void> {
  await sql`DELETE FROM api_keys WHERE least(revocada_at, caduca_at) < now() - interval '30 days'`.execute(db);
}

/** Prefix of every key, so that scanners for leaked secrets recognise keys. */
export const PREFIX = 'enr_';

/** Hashes a key for storage. Needs no salt, because keys are 256 random bits. */
export const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** True if an `Authorization` header has a key. Other schemes, such as Basic, are for the proxy. */
export const bearsKey = (authorization: string | undefined): authorization is string => /^Bearer /i.test(authorization ?? '');

/** Returns the key in the header; empty if there is none. */
export const keyIn = (authorization: string): string => /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';

const activeKeys = (db: Db | Tx) =>
  db.selectFrom('api_keys').where('revocada_at', 'is', null).where(sql<boolean>`(caduca_at IS NULL OR caduca_at > now())`);

const programOf = ({ id, nombre, acciones }: { id: string; nombre: string; acciones: string[] }): Program => ({
  id,
  role: 'programa',
  full_name: `Clave «${nombre}»`,
  scopes: knownScopes(acciones),
});

/** Returns the program of a key; undefined if unknown, expired or revoked. Programs are not cached, so that revoking is immediate. */
export async function findProgram(db: Db, key: string, ip: string): Promise<Program | undefined> {
  if (!key.startsWith(PREFIX)) return undefined;
  const found = await activeKeys(db)
    .select(['id', 'nombre', 'acciones', sql<boolean>`usada_at > now() - interval '1 minute'`.as('fresh')])
    .where('key_hash', '=', hashKey(key))
    .executeTakeFirst();
  if (!found) return undefined;
  // At most one write a minute per key.
  if (!found.fresh) await db.updateTable('api_keys').set({ usada_at: sql`now()` }).where('id', '=', found.id).execute();
  return { ...programOf(found), ip };
}

/** Returns the program of a key by its id, for background work; undefined if expired or revoked. */
export async function findProgramById(db: Db | Tx, id: string): Promise<Program | undefined> {
  const found = await activeKeys(db).select(['id', 'nombre', 'acciones']).where('id', '=', id).executeTakeFirst();
  return found && programOf(found);
}
