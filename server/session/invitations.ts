import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { mayEver, rolesOf } from '../../contract/policy/policy.ts';
import { INVITE_DAYS } from '../../contract/session/fields.ts';
import type { getInvitation } from '../../contract/session/session.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import { notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { readSettings } from '../settings/settings.ts';
import { markOf } from './device.ts';
import { hashPassword, refuseGuessablePassword } from './passwords.ts';
import { updatePerson } from './people.ts';
import { enter, type From, type SignedIn } from './session.ts';
import { hashToken, newToken, type Session } from './sessions.ts';

const GONE = 'Este enlace ya no vale. Pide otro a quien te invitó.';
const PREFIX = 'invitacion|';
const purposeOf = (userId: string) => `${PREFIX}${userId}`;
const LIFE = sql`make_interval(days => ${sql.lit(INVITE_DAYS)})`;
const LIVING = sql<boolean>`t.created_at > now() - ${LIFE}`;

/** Expiry of the user's current invitation link; null without one. */
export const inviteUntil: RawBuilder<string | null> = sql`(SELECT t.created_at + ${LIFE} FROM one_time_tokens t
  WHERE t.purpose = ${sql.lit(PREFIX)} || users.id AND ${LIVING})`;

/** Returns the path of a new invitation link, stored only as a hash, and revokes the previous link. */
export async function newInvitation(tx: Tx, userId: string): Promise<string> {
  const token = newToken();
  await endInvitation(tx, userId);
  await tx
    .insertInto('one_time_tokens')
    .values({ purpose: purposeOf(userId), token_hash: hashToken(token) })
    .execute();
  return `/invitacion/${token}`;
}

/** Deletes a person's invitation link; returns whether the link was valid. */
export async function endInvitation(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ alive: boolean }>`
    DELETE FROM one_time_tokens t WHERE t.purpose = ${purposeOf(userId)} RETURNING ${LIVING} AS alive`.execute(tx);
  return rows[0]?.alive ?? false;
}

/** Deletes expired invitation links. */
export async function deleteOldInvitations(db: Db): Promise<void> {
  await sql`DELETE FROM one_time_tokens t WHERE starts_with(t.purpose, ${PREFIX}) AND NOT ${LIVING}`.execute(db);
}

const invitedBy = (db: Db | Tx, token: string) =>
  db
    .selectFrom('users')
    .innerJoin('one_time_tokens as t', (join) => join.on('t.purpose', '=', sql<string>`${sql.lit(PREFIX)} || users.id`))
    .select(['users.id', 'users.full_name', 'users.email', 'users.username', 'users.role'])
    .where('t.token_hash', '=', hashToken(token))
    .where(LIVING)
    .where('users.is_active', '=', true)
    .where('users.deleted_at', 'is', null)
    .where('users.invited_at', 'is not', null);

/** Returns the invited person and the name of the business. Throws 404 for a used, withdrawn, replaced or expired link. */
export async function readInvitation(db: Db, token: string): Promise<Answer<typeof getInvitation>['data']> {
  const person = await invitedBy(db, token).executeTakeFirst();
  if (!person) throw notFound(GONE);
  const { companyName } = await readSettings(db);
  return { full_name: person.full_name, email: shownEmail(person.email), empresa: companyName };
}

/** Sets the first password through an invitation link, once, and signs in. Throws 404 like `readInvitation`, 422 for a weak password. */
export async function acceptInvitation(
  db: Db,
  secretKey: string,
  { token, password }: { token: string; password: string },
  from: From,
  previous: Session | null,
): Promise<SignedIn> {
  const person = await invitedBy(db, token).executeTakeFirst();
  // Checks the link before the costly password hash, so that bad requests cannot keep the server busy.
  if (!person) throw notFound(GONE);
  const { id, full_name, role } = person;
  await refuseGuessablePassword(db, password, person);
  const password_hash = await hashPassword(password, id);
  const device = randomUUID();
  return transact(db, async (tx) => {
    // Locks the person before the link, as changes of people do, to avoid deadlocks.
    const still = await invitedBy(tx, token).where('users.id', '=', id).forNoKeyUpdate('users').executeTakeFirst();
    if (!still || !(await endInvitation(tx, id))) throw notFound(GONE);
    await updatePerson(tx, id, { password_hash, password_changed_at: sql`now()`, invited_at: null });
    const actor = { id, full_name, role, ip: from.ip };
    await audit(tx, actor, {
      type: 'configuracion',
      action: 'update',
      entity_type: 'profile',
      entity_id: id,
      description: `Invitación aceptada: ${full_name}`,
      despues: { password: 'nueva' },
    });
    emit(tx, { topic: 'users', roles: rolesOf('user:manage') });
    // Whoever would be remembered at sign-in is remembered here: nothing was asked.
    const remembered = mayEver(actor, 'device:answers');
    const session = await enter(tx, { id, full_name, role }, { ...from, device, remembered }, previous);
    return { token: session, userId: id, mark: markOf(secretKey, { id, password_hash }, device), remembered };
  });
}
