import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { scopesOf } from '../../contract/api-keys/fields.ts';
import type { Program } from '../../contract/policy/policy.ts';
import type { Db, Tx } from '../db/open.ts';

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
  scopes: scopesOf(acciones),
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
