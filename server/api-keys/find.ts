import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { scopesOf } from '../../contract/api-keys.ts';
import type { Program } from '../../contract/policy.ts';
import type { Db } from '../db/open.ts';

/** How every key begins, so that programs which look for leaked secrets recognise one. */
export const PREFIX = 'enr_';

/** Hashes a key for storage. Without a salt, for it is 256 random bits. */
export const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** Whether an `Authorization` header brings a key; of any other scheme it is a proxy's affair. */
export const bearsKey = (authorization: string | undefined): authorization is string => /^Bearer /i.test(authorization ?? '');

/** The key in such a header, however the scheme is spelled; empty if there is none. */
export const keyIn = (authorization: string): string => /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';

/**
 * The program that has this key, as an actor; undefined if the key is unknown, expired or
 * revoked. Looked up at each request, so that a revoked key opens nothing more.
 */
export async function findProgram(db: Db, key: string, ip: string): Promise<Program | undefined> {
  if (!key.startsWith(PREFIX)) return undefined;
  const found = await db
    .selectFrom('api_keys')
    .select(['id', 'nombre', 'acciones', sql<boolean>`usada_at > now() - interval '1 minute'`.as('fresh')])
    .where('key_hash', '=', hashKey(key))
    .where('revocada_at', 'is', null)
    .where(sql<boolean>`(caduca_at IS NULL OR caduca_at > now())`)
    .executeTakeFirst();
  if (!found) return undefined;
  // At most once a minute, so that reading does not cost a write.
  if (!found.fresh) await db.updateTable('api_keys').set({ usada_at: sql`now()` }).where('id', '=', found.id).execute();
  return { id: found.id, role: 'programa', full_name: `Clave «${found.nombre}»`, ip, scopes: scopesOf(found.acciones) };
}
