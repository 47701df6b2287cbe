import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { scopesOf } from '../../contract/api-keys.ts';
import type { Program } from '../../contract/policy.ts';
import type { Db } from '../db/open.ts';

/** Prefix of every key: scanners for leaked secrets recognise it. */
export const PREFIX = 'enr_';

/** Hashes a key for storage, without salt: it is 256 random bits. */
export const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** True if an `Authorization` header brings a key; other schemes are left to the proxy. */
export const bearsKey = (authorization: string | undefined): authorization is string => /^Bearer /i.test(authorization ?? '');

/** Returns the key of the header; empty if there is none. */
export const keyIn = (authorization: string): string => /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';

/** Returns the program of a key; undefined if unknown, expired or revoked. Not cached, so that revoking is immediate. */
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
  // At most one write a minute per key.
  if (!found.fresh) await db.updateTable('api_keys').set({ usada_at: sql`now()` }).where('id', '=', found.id).execute();
  return { id: found.id, role: 'programa', full_name: `Clave «${found.nombre}»`, ip, scopes: scopesOf(found.acciones) };
}
