import { randomUUID, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Answer, BodyOut } from '../../contract/kit/endpoint.ts';
import { mayEver, rolesOf, SISTEMA } from '../../contract/policy/policy.ts';
import { INVITE_DAYS } from '../../contract/session/fields.ts';
import type { firstAccess, getInvitation } from '../../contract/session/session.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import { conflict, invalid, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { readSettings } from '../settings/settings.ts';
import { deviceMark } from './device.ts';
import { inPasswordQueue } from './password-queue.ts';
import { hashPassword, refuseGuessablePassword } from './passwords.ts';
import { enterSession, type From, type SignedIn } from './session.ts';
import { hashToken, insertPerson, markProven, newToken, type Session, updatePerson } from './sessions.ts';
import { attemptQueues, countFailure, networkKey, refuseIfBlocked, type Trier } from './throttle.ts';

const FIRST_ACCESS = 'primer-acceso';
const EXISTS = 'Ya existe un administrador: inicia sesión con su cuenta';
const NO_CODE = 'El código de primer acceso ya no vale: reinicia el programa y escribe el que imprima al arrancar';
const WRONG_CODE = 'El código no es el último que ha impreso el programa al arrancar';

/** Without superadmins, creates the superadmin that the environment names, or returns a one-time code for the first access; else undefined. */
export async function prepareFirstAccess(db: Db, superadmin: { email: string; password: string } | undefined): Promise<string | undefined> {
  const password_hash = superadmin ? await hashPassword(superadmin.password) : '';
  return transact(db, async (tx) => {
    await lockFirstAccess(tx);
    const isEmpty = await lacksSuperadmin(tx);
    // Invalidates codes printed earlier, also once a superadmin exists.
    await tx.deleteFrom('one_time_tokens').where('purpose', '=', FIRST_ACCESS).execute();
    if (!isEmpty) return undefined;
    if (superadmin) {
      await insertSuperadmin(tx, { full_name: 'Administrador', email: superadmin.email, password_hash });
      return undefined;
    }
    const token = newToken();
    await tx
      .insertInto('one_time_tokens')
      .values({ purpose: FIRST_ACCESS, token_hash: hashToken(token) })
      .execute();
    return token;
  });
}

/** Returns true if no superadmin exists. */
export const lacksSuperadmin = async (db: Db | Tx): Promise<boolean> =>
  !(await db
    .selectFrom('users')
    .select('id')
    .where('role', 'in', rolesOf('user:manage'))
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst());

/** Creates the first superadmin and signs in. Throws 409 without a code in force, 422 (code or password), 429 by network. */
export async function useFirstAccess(
  db: Db,
  secretKey: string,
  { token, ...input }: BodyOut<typeof firstAccess>,
  from: From,
  previous: Session | null,
): Promise<SignedIn> {
  if (!(await lacksSuperadmin(db))) throw conflict(EXISTS);
  const trier: Trier = { account: `${FIRST_ACCESS}|${networkKey(from.ip)}`, ip: from.ip, device: undefined };
  return inPasswordQueue(attemptQueues(trier), async () => {
    await refuseIfBlocked(db, trier);
    const known = await db.selectFrom('one_time_tokens').select('token_hash').where('purpose', '=', FIRST_ACCESS).executeTakeFirst();
    if (!known) throw conflict((await lacksSuperadmin(db)) ? NO_CODE : EXISTS);
    // Checks the code before the costly password hash, so that bad requests cannot keep the server busy.
    if (!timingSafeEqual(Buffer.from(known.token_hash), Buffer.from(hashToken(token)))) {
      await countFailure(db, trier, (await readSettings(db)).maxLoginAttempts);
      throw invalid('token', WRONG_CODE);
    }
    await refuseGuessablePassword(db, input.password, input);
    const { password, ...person } = { ...input, password_hash: await hashPassword(input.password, FIRST_ACCESS) };
    const device = randomUUID();
    return transact(db, async (tx) => {
      await lockFirstAccess(tx);
      if (!(await lacksSuperadmin(tx))) throw conflict(EXISTS);
      const { numDeletedRows } = await tx
        .deleteFrom('one_time_tokens')
        .where('purpose', '=', FIRST_ACCESS)
        .where('token_hash', '=', known.token_hash)
        .executeTakeFirst();
      if (!numDeletedRows) throw invalid('token', WRONG_CODE);
      const id = await insertSuperadmin(tx, person);
      const session = await enterSession(tx, { id, role: 'superadmin', full_name: person.full_name }, { ...from, device }, previous);
      // The password of the new account was typed just now: the first steps do not ask for the password again.
      await markProven(tx, hashToken(session));
      return {
        token: session,
        userId: id,
        mark: deviceMark(secretKey, { id, password_hash: person.password_hash }, device),
        remembered: false,
      };
    });
  });
}

// Serialises instances that start on the same empty database.
const lockFirstAccess = (tx: Tx) => tx.selectFrom('settings').select('id').forUpdate().execute();

async function insertSuperadmin(tx: Tx, values: { full_name: string; email: string; password_hash: string }): Promise<string> {
  const id = await insertPerson(tx, { ...values, username: null, role: 'superadmin', is_active: true });
  await audit(tx, SISTEMA, { action: 'create', entity_type: 'profile', description: `Primer administrador creado: ${values.email}` });
  return id;
}

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
      action: 'update',
      entity_type: 'profile',
      entity_id: id,
      description: `Invitación aceptada: ${full_name}`,
      despues: { password: 'nueva' },
    });
    emit(tx, { topic: 'users', roles: rolesOf('user:manage') });
    // The link is opened on the person's own device, which stays signed in, unless the account can manage others.
    const remembered = !mayEver(actor, 'user:manage');
    const session = await enterSession(tx, { id, full_name, role }, { ...from, device, remembered }, previous);
    return { token: session, userId: id, mark: deviceMark(secretKey, { id, password_hash }, device), remembered };
  });
}
