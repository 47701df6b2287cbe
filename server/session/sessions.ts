import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Role } from '../../contract/policy.ts';
import type { Db, Tx } from '../db/open.ts';

/** Hours after which a session ends however active it is (design, section 6). */
export const ABSOLUTE_HOURS = 12;

export type Session = { token_hash: string; id: string; full_name: string; email: string; role: Role };

export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');
export const newToken = () => randomBytes(32).toString('base64url');

/** Opens a session and returns its token, which is stored only as a hash. */
export async function openSession(db: Db | Tx, userId: string, from: { ip: string; userAgent: string | undefined }): Promise<string> {
  const token = newToken();
  await db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), user_id: userId, ip: from.ip, user_agent: from.userAgent?.slice(0, 300) ?? null })
    .execute();
  return token;
}

/**
 * The living session of `token`, or undefined: unknown, idle longer than the setting `sessionTimeout`
 * (minutes), older than twelve hours, or of somebody deactivated or deleted.
 */
export async function findSession(db: Db, token: string): Promise<Session | undefined> {
  const { rows } = await sql<Session & { stale: boolean }>`
    SELECT s.token_hash, u.id, u.full_name, u.email, u.role, s.last_seen_at < now() - interval '1 minute' AS stale
    FROM sessions s JOIN users u ON u.id = s.user_id, settings c
    WHERE s.token_hash = ${hashToken(token)} AND u.is_active AND u.deleted_at IS NULL
      AND s.created_at > now() - make_interval(hours => ${ABSOLUTE_HOURS})
      AND s.last_seen_at > now() - make_interval(mins => coalesce((c.data ->> 'sessionTimeout')::int, 30))`.execute(db);
  const found = rows[0];
  if (!found) return undefined;
  const { stale, ...session } = found;
  // Written at most once a minute: reading a page must not cost a write.
  if (stale) await db.updateTable('sessions').set({ last_seen_at: sql`now()` }).where('token_hash', '=', session.token_hash).execute();
  return session;
}

export async function closeSession(db: Db | Tx, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends every session of a person, but for `except` (a token hash). */
export async function closeSessionsOf(db: Db | Tx, userId: string, except?: string): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (except) query = query.where('token_hash', '<>', except);
  await query.execute();
}
