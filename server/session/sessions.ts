import { hash, randomBytes } from 'node:crypto';
import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import type { OwnSession } from '../../contract/account/account.ts';
import { type Role, SECOND_FACTOR } from '../../contract/policy/policy.ts';
import type { Pending } from '../../contract/session/fields.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Tables, UsersTable } from '../db/schema.ts';
import { endSubscriptionsOf } from '../push/push.ts';
import { settingSql } from '../settings/setting-sql.ts';

/** Minutes a step-up is valid. */
const PROVEN_MINUTES = 5;

/** Maximum lifetime of a session in hours, even when active (design, section 6). */
export const ABSOLUTE_HOURS = 12;

export type Session = {
  token_hash: string;
  id: string;
  full_name: string;
  email: string;
  role: Role;
  device: string | null;
  pending: Pending | null;
  proven: boolean;
  /** True if the session lives for `rememberDays`, idle or not. */
  remembered: boolean;
};

/** Hashes a token, so that reading the database does not allow signing in. */
export const hashToken = (token: string) => hash('sha256', token, 'base64url');
/** 256 random bits, for sessions and one-time URLs. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Opens a session and returns its token, stored only as a hash. */
export async function openSession(
  db: Db | Tx,
  userId: string,
  { ip, userAgent, device, remembered = false }: { ip: string; userAgent: string | undefined; device?: string; remembered?: boolean },
): Promise<string> {
  const token = newToken();
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      ip,
      user_agent: userAgent?.slice(0, 300) ?? null,
      device: device ?? null,
      remembered,
    })
    .execute();
  return token;
}

// Lifetime of the session `s`, and the condition that it has not ended.
const LIFE = sql`CASE WHEN s.remembered THEN make_interval(days => ${settingSql('rememberDays')})
  ELSE make_interval(hours => ${sql.lit(ABSOLUTE_HOURS)}) END`;
const LIVING = sql`s.created_at > now() - ${LIFE}
  AND (s.remembered OR s.last_seen_at > now() - make_interval(mins => ${settingSql('sessionTimeout')}))`;
const EXPIRY_DAYS = settingSql('passwordExpiry');

/** Returns the live session of `token`, or undefined. Only `attended` lookups, caused by a person, keep the session alive. */
export async function findSession(db: Db, token: string, attended = true): Promise<Session | undefined> {
  const { rows } = await sql<Session & { stale: boolean }>`
    SELECT s.token_hash, s.device, s.remembered, u.id, u.full_name, u.email, u.role, s.last_seen_at < now() - interval '1 minute' AS stale,
      coalesce(s.proven_at > now() - make_interval(mins => ${sql.lit(PROVEN_MINUTES)}), false) AS proven,
      CASE
        WHEN ${EXPIRY_DAYS} > 0 AND u.password_changed_at <= now() - make_interval(days => ${EXPIRY_DAYS}) THEN 'password'
        WHEN ${settingSql('twoFactorAuth')} AND u.role IN (${sql.join(SECOND_FACTOR.map(sql.lit))}) AND u.totp_secret IS NULL THEN 'second_factor'
      END AS pending
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ${hashToken(token)} AND u.is_active AND u.deleted_at IS NULL AND ${LIVING}`.execute(db);
  const found = rows[0];
  if (!found) return undefined;
  const { stale, ...session } = found;
  // At most one write a minute.
  if (stale && attended)
    await db.updateTable('sessions').set({ last_seen_at: sql`now()` }).where('token_hash', '=', session.token_hash).execute();
  return session;
}

/** Returns the sessions (token hashes) that have not ended. */
export async function livingSessions(db: Db, tokenHashes: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ token_hash: string }>`
    SELECT s.token_hash FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash IN (SELECT jsonb_array_elements_text(${JSON.stringify(tokenHashes)}::jsonb))
      AND u.is_active AND u.deleted_at IS NULL AND ${LIVING}`.execute(db);
  return new Set(rows.map(({ token_hash }) => token_hash));
}

/** Records a step-up of a session (a token hash). */
export async function markProven(tx: Tx, tokenHash: string): Promise<void> {
  await tx.updateTable('sessions').set({ proven_at: sql`now()` }).where('token_hash', '=', tokenHash).execute();
}

export async function closeSession(db: Db | Tx, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Lists a person's live sessions: `own` (a token hash) first, then by last use. */
export async function listSessionsOf(db: Db | Tx, userId: string, own: string): Promise<OwnSession[]> {
  const { rows } = await sql<OwnSession>`
    SELECT s.ip, s.user_agent, s.created_at, s.last_seen_at, s.token_hash = ${own} AS actual
    FROM sessions s WHERE s.user_id = ${userId} AND ${LIVING}
    ORDER BY actual DESC, s.last_seen_at DESC, s.token_hash`.execute(db);
  return rows;
}

/** Ends every session of a person except `except` (a token hash). */
export async function closeSessionsOf(db: Db | Tx, userId: string, except?: string): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (except) query = query.where('token_hash', '<>', except);
  await query.execute();
}

export async function deleteOldSessions(db: Db): Promise<void> {
  await sql`DELETE FROM sessions s WHERE s.created_at < now() - ${LIFE}`.execute(db);
}

/** Ends a person's sessions except `except` (a token hash), with the push subscriptions made in them. */
export async function endSessionsOf(tx: Tx, userId: string, except?: string): Promise<void> {
  await closeSessionsOf(tx, userId, except);
  await endSubscriptionsOf(tx, userId, except);
}

/** Inserts a person and returns the id. Throws the database's unique violation for a taken e-mail or user name. */
export async function insertPerson(tx: Tx, person: Insertable<UsersTable>): Promise<string> {
  const { id } = await tx.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Updates a person if the row still matches `expected`; returns whether it did. */
export async function updatePerson(
  tx: Tx,
  id: string,
  set: UpdateObject<Tables, 'users'>,
  expected: Partial<Pick<Selectable<UsersTable>, 'password_hash' | 'totp_pending'>> = {},
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set(set)
    .where('id', '=', id)
    .where((eb) => eb.and(expected))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
