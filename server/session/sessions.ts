import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { OwnSession } from '../../contract/account.ts';
import type { Role } from '../../contract/policy.ts';
import type { Pending } from '../../contract/session.ts';
import type { Db, Tx } from '../db/open.ts';
import { settingSql } from '../settings/setting-sql.ts';

/** Hours after which a session ends however active it is (design, section 6). */
export const ABSOLUTE_HOURS = 12;

export type Session = { token_hash: string; id: string; full_name: string; email: string; role: Role; pending: Pending | null };

/** What is stored of a token: who reads the database cannot sign in with it. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');
/** 256 random bits, for sessions and one-time addresses. */
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

// `s` is a session.
const LIVING = sql`s.created_at > now() - make_interval(hours => ${sql.lit(ABSOLUTE_HOURS)})
  AND s.last_seen_at > now() - make_interval(mins => ${settingSql('sessionTimeout')})`;
const EXPIRY_DAYS = settingSql('passwordExpiry');

/**
 * The living session of `token`, or undefined: unknown, idle longer than the setting `sessionTimeout`
 * (minutes), older than twelve hours, or of somebody deactivated or deleted. `pending` follows the settings
 * `passwordExpiry` (days) and `twoFactorAuth` as they are now. Being looked up keeps it alive when it is `attended`:
 * a person asks, and not a screen by itself.
 */
export async function findSession(db: Db, token: string, attended = true): Promise<Session | undefined> {
  const { rows } = await sql<Session & { stale: boolean }>`
    SELECT s.token_hash, u.id, u.full_name, u.email, u.role, s.last_seen_at < now() - interval '1 minute' AS stale,
      CASE
        WHEN ${EXPIRY_DAYS} > 0 AND u.password_changed_at <= now() - make_interval(days => ${EXPIRY_DAYS}) THEN 'password'
        WHEN ${settingSql('twoFactorAuth')} AND u.role = 'superadmin' AND u.totp_secret IS NULL THEN 'second_factor'
      END AS pending
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ${hashToken(token)} AND u.is_active AND u.deleted_at IS NULL AND ${LIVING}`.execute(db);
  const found = rows[0];
  if (!found) return undefined;
  const { stale, ...session } = found;
  // Written at most once a minute: reading a page must not cost a write.
  if (stale && attended)
    await db.updateTable('sessions').set({ last_seen_at: sql`now()` }).where('token_hash', '=', session.token_hash).execute();
  return session;
}

/** Ends a session by the hash of its token. */
export async function closeSession(db: Db | Tx, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** The living sessions of a person, `own` (a token hash) first, then the last seen. */
export async function listSessionsOf(db: Db | Tx, userId: string, own: string): Promise<OwnSession[]> {
  const { rows } = await sql<OwnSession>`
    SELECT s.ip, s.user_agent, s.created_at, s.last_seen_at, s.token_hash = ${own} AS actual
    FROM sessions s WHERE s.user_id = ${userId} AND ${LIVING}
    ORDER BY actual DESC, s.last_seen_at DESC, s.token_hash`.execute(db);
  return rows;
}

/** Ends every session of a person, but for `except` (a token hash). */
export async function closeSessionsOf(db: Db | Tx, userId: string, except?: string): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (except) query = query.where('token_hash', '<>', except);
  await query.execute();
}

/** Forgets the sessions that are over for their age. */
export async function forgetOldSessions(db: Db): Promise<void> {
  await sql`DELETE FROM sessions WHERE created_at < now() - make_interval(hours => ${ABSOLUTE_HOURS})`.execute(db);
}
