import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Account, changePassword as endpoint, OwnSession } from '../../contract/account/account.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Person, rolesOf, SISTEMA } from '../../contract/policy/policy.ts';
import { storedEmail } from '../../contract/text/email.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import { conflict, invalid, notFound } from '../kit/errors.ts';
import { endSubscriptionsOf } from '../push/push.ts';
import { endInvitation } from '../session/first-access.ts';
import { hashPassword, refuseGuessablePassword } from '../session/passwords.ts';
import { endSessionsOf, listSessionsOf, updatePerson } from '../session/sessions.ts';
import { unblockAccount } from '../session/throttle.ts';
import { readSettings } from '../settings/settings.ts';
import { clearSecondFactor, isRequiredOf, provePassword, readOwn } from './second-factor.ts';

const DAY_MS = 24 * 3600_000;

/** Returns the caller's own account. Throws 403 for a person deleted meanwhile. */
export async function readAccount(db: Db, actor: Person): Promise<Account> {
  const [own, settings] = await Promise.all([readOwn(db, actor), readSettings(db)]);
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)`.as('left'))
    .where('user_id', '=', own.id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  const { full_name, email, role, password_changed_at } = own;
  return {
    full_name,
    email: shownEmail(email),
    role,
    password_changed_at,
    password_expires_at: settings.passwordExpiry
      ? new Date(Date.parse(password_changed_at) + settings.passwordExpiry * DAY_MS).toISOString()
      : null,
    second_factor: own.totp_secret !== null,
    second_factor_required: isRequiredOf(role, settings),
    recovery_codes_left: left,
  };
}

/** Changes the password; ends other sessions than `ownSession` (a token hash) and push. Throws 422, 429; 409 if changed meanwhile. */
export async function changePassword(
  db: Db,
  actor: Person,
  { current_password, password }: BodyOut<typeof endpoint>,
  ownSession: string,
): Promise<void> {
  const own = await provePassword(db, actor, current_password, 'current_password');
  await refuseGuessablePassword(db, password, own);
  if (password.normalize('NFKC') === current_password.normalize('NFKC'))
    throw invalid('password', 'La contraseña nueva tiene que ser distinta de la actual');
  const password_hash = await hashPassword(password, own.id);
  await transact(db, async (tx) => {
    const changed = { password_hash, password_changed_at: sql<string>`now()` };
    if (!(await updatePerson(tx, own.id, changed, { password_hash: own.password_hash })))
      throw conflict('Tu contraseña se ha cambiado mientras tanto desde otro sitio');
    await endSessionsOf(tx, own.id, ownSession);
    // Ends the subscriptions of this session too: the old password may have leaked.
    await endSubscriptionsOf(tx, own.id);
    await audit(tx, actor, { action: 'update', entity_type: 'profile', entity_id: own.id, description: 'Contraseña propia cambiada' });
  });
}

export async function listSessions(db: Db, actor: Person, ownSession: string): Promise<OwnSession[]> {
  const own = await readOwn(db, actor);
  return listSessionsOf(db, own.id, ownSession);
}

/** Ends every session of the caller except `ownSession` (a token hash). */
export async function closeOtherSessions(db: Db, actor: Person, ownSession: string): Promise<void> {
  const own = await readOwn(db, actor);
  await transact(db, async (tx) => {
    await endSessionsOf(tx, own.id, ownSession);
    await audit(tx, actor, {
      action: 'logout',
      entity_type: 'session',
      entity_id: own.id,
      description: 'Cierre de las demás sesiones propias',
    });
  });
}

/** Gives a locked-out superadmin a new password, and returns it. Throws 404. Only for operators with shell access: no endpoint may call this. */
export async function rescueSuperadmin(db: Db, account: string): Promise<{ email: string; password: string }> {
  const name = storedEmail(account);
  const password = randomBytes(16).toString('base64url');
  const password_hash = await hashPassword(password);
  return transact(db, async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email', 'full_name'])
      .where('role', 'in', rolesOf('user:manage'))
      .where('deleted_at', 'is', null)
      .where((eb) => eb.or([eb('email', '=', name), eb('username', '=', name)]))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) throw notFound(`No hay ningún administrador «${account}»`);
    await updatePerson(tx, user.id, { password_hash, password_changed_at: sql`now()`, invited_at: null, is_active: true });
    await endInvitation(tx, user.id);
    await clearSecondFactor(tx, user.id);
    await endSessionsOf(tx, user.id);
    await unblockAccount(tx, user.id);
    await audit(tx, SISTEMA, {
      action: 'update',
      entity_type: 'profile',
      entity_id: user.id,
      description: `Acceso recuperado desde el servidor: ${user.full_name}`,
      despues: { password: 'nueva', segundo_factor: 'quitado' },
    });
    return { email: user.email, password };
  });
}
