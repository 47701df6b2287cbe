import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import type { ErrorCode } from '../../contract/kit/errors.ts';
import { type Actor, mayEver, type Role, SISTEMA } from '../../contract/policy/policy.ts';
import type { login as loginEndpoint } from '../../contract/session/session.ts';
import { storedEmail } from '../../contract/text/email.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { readSettings } from '../settings/settings.ts';
import { deviceMark, readMark } from './device.ts';
import { inPasswordQueue } from './password-queue.ts';
import { verifyPassword } from './passwords.ts';
import { spendCode } from './recovery-codes.ts';
import { closeSession, openSession, type Session } from './sessions.ts';
import { attemptQueues, clearFailures, countFailure, refuseIfBlocked, type Trier, triedAccount } from './throttle.ts';

const WRONG = 'Credenciales incorrectas. Verifica tu usuario y contraseña.';
const ASK_CODE = 'Escribe el código de tu aplicación de verificación';
const WRONG_CODE = 'El código no es correcto o ya se ha usado';

/** `mark` reads the cookie of an earlier sign-in in this browser. */
export type From = { ip: string; userAgent: string | undefined; mark: (userId: string) => string | undefined };
export type SignedIn = { token: string; userId: string; mark: string; remembered: boolean };

/** Signs in; unknown, wrong and inactive accounts look and take the same. Throws 401 (`second_factor`: only the code is wrong), 429. */
export async function signIn(
  db: Db,
  secretKey: string,
  input: BodyOut<typeof loginEndpoint>,
  from: From,
  previous: Session | null,
): Promise<SignedIn> {
  const name = storedEmail(input.email);
  const user = await db
    .selectFrom('users')
    .select(['id', 'full_name', 'role', 'password_hash', 'is_active', 'totp_secret'])
    .where((eb) => eb.or([eb('email', '=', name), eb('username', '=', name)]))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const known = user && readMark(secretKey, user, from.mark(user.id));
  const trier: Trier = { account: triedAccount(user, name, secretKey), ip: from.ip, device: known };
  const fail = async (sentence: string, code: ErrorCode = 'bad_credentials'): Promise<never> => {
    await noteFailure(db, trier, name, user?.id);
    throw new DomainError(401, sentence, { code });
  };

  // Counts a failure before the next attempt starts, so that parallel guessing is no faster.
  return inPasswordQueue(attemptQueues(trier), async () => {
    await refuseIfBlocked(db, trier);
    const matches = await verifyPassword(input.password, user?.password_hash);
    if (!user || !matches || !user.is_active) return fail(WRONG);
    const { id, role, full_name, totp_secret } = user;
    const code = input.code?.trim();
    // A missing code is neither failure nor success: only the right code clears failures.
    if (totp_secret && !code) throw new DomainError(401, ASK_CODE, { code: 'second_factor' });
    const device = known ?? randomUUID();
    const remembered = input.remember ?? mayEver({ id, role, full_name }, 'device:outbox');
    const token = await transact(db, async (tx) => {
      // The account may have changed during verification.
      const { rows } = await sql`
        SELECT 1 FROM users WHERE id = ${id} AND password_hash = ${user.password_hash} AND is_active AND deleted_at IS NULL
          AND totp_secret IS NOT DISTINCT FROM ${totp_secret} FOR NO KEY UPDATE`.execute(tx);
      if (rows.length === 0) throw new DomainError(401, WRONG, { code: 'bad_credentials' });
      if (totp_secret && !(await spendCode(tx, secretKey, { id, totp_secret }, code ?? ''))) return undefined;
      return enterSession(tx, { id, role, full_name }, { ...from, device, remembered }, previous);
    });
    if (!token) return fail(WRONG_CODE, 'second_factor');
    await clearFailures(db, trier);
    return { token, userId: id, mark: deviceMark(secretKey, user, device), remembered };
  });
}

/** Opens a session that replaces `previous`, logs the sign-in, and returns the token. */
export async function enterSession(
  tx: Tx,
  person: { id: string; role: Role; full_name: string },
  from: Pick<From, 'ip' | 'userAgent'> & { device: string; remembered?: boolean },
  previous: Session | null,
): Promise<string> {
  if (previous) await closeSession(tx, previous.token_hash);
  await audit(
    tx,
    { ...person, ip: from.ip },
    { action: 'login', entity_type: 'session', entity_id: person.id, description: 'Inicio de sesión' },
  );
  return openSession(tx, person.id, from);
}

async function noteFailure(db: Db, trier: Trier, name: string, userId: string | undefined): Promise<void> {
  const { maxLoginAttempts } = await readSettings(db);
  await countFailure(db, trier, maxLoginAttempts);
  if (!userId) return countUnknown(db, 1);
  await transact(db, (tx) =>
    audit(tx, SISTEMA, {
      action: 'login_failed',
      entity_type: 'session',
      entity_id: userId,
      description: `Acceso fallido de «${name}»`,
      despues: { ip: trier.ip },
    }),
  );
}

/** Ends the session, if any, and runs `end` with its token hash in the same transaction. */
export async function signOut(
  db: Db,
  session: Session | null,
  actor: Actor | null,
  end: (tx: Tx, tokenHash: string) => Promise<void>,
): Promise<void> {
  if (!session || !actor) return;
  await transact(db, async (tx) => {
    await closeSession(tx, session.token_hash);
    await end(tx, session.token_hash);
    await audit(tx, actor, { action: 'logout', entity_type: 'session', entity_id: session.id, description: 'Cierre de sesión' });
  });
}

/** Counts failed sign-ins with unknown names, which are often passwords and are not stored. Logs at most once a minute; 0 flushes. */
export async function countUnknown(db: Db, failures: 0 | 1): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<{ fallos: number; due: boolean }>`
      SELECT untold + ${failures} AS fallos, told_at IS NULL OR told_at < now() - interval '1 minute' AS due
      FROM unknown_logins FOR UPDATE`.execute(tx);
    const { fallos, due } = rows[0] ?? { fallos: failures, due: false };
    const tells = due && fallos > 0;
    await sql`UPDATE unknown_logins SET untold = ${tells ? 0 : fallos}, told_at = CASE WHEN ${tells} THEN now() ELSE told_at END`.execute(
      tx,
    );
    if (!tells) return;
    await audit(tx, SISTEMA, {
      action: 'login_failed',
      entity_type: 'session',
      description: `Acceso fallido con un usuario que no existe${fallos > 1 ? ` (${fallos} veces)` : ''}`,
      despues: { fallos },
    });
  });
}
