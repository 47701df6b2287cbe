import type { Selectable } from 'kysely';
import type { proveIdentity as endpoint } from '../../contract/account/account.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, type Person, type Role, rolesOf, SECOND_FACTOR } from '../../contract/policy/policy.ts';
import type { Settings } from '../../contract/settings/values.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { UsersTable } from '../db/schema.ts';
import { conflict, DomainError, forbidden, invalid } from '../kit/errors.ts';
import { decrypt, encrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { notifySuperadmins } from '../notifications/notify.ts';
import { inPasswordQueue } from '../session/password-queue.ts';
import { verifyPassword } from '../session/passwords.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes, spendCode } from '../session/recovery-codes.ts';
import { endSessionsOf, markProven, updatePerson } from '../session/sessions.ts';
import { clearFailures, countFailure, refuseIfBlocked, type Trier } from '../session/throttle.ts';
import { newSecret, totpStep, totpUri } from '../session/totp.ts';
import { readSettings } from '../settings/settings.ts';

/** True if the settings require a second factor of `role`; `findSession` repeats the rule in SQL. */
export const isRequiredOf = (role: Role, { twoFactorAuth }: Pick<Settings, 'twoFactorAuth'>): boolean =>
  twoFactorAuth && SECOND_FACTOR.includes(role);

/** Stores a new authenticator secret as pending, encrypted. The current secret stays valid until a code confirms the new one. */
export async function startSecondFactor(db: Db, actor: Person, secretKey: string): Promise<{ secret: string; uri: string; qr: string }> {
  const own = await readOwn(db, actor);
  const secret = newSecret();
  const uri = totpUri(secret, own.email);
  const { toString: drawQr } = await import('qrcode');
  const svg = await drawQr(uri, { type: 'svg', margin: 2 });
  await transact(db, async (tx) => {
    await updatePerson(tx, own.id, { totp_pending: encrypt(secretKey, secret) });
    await note(tx, actor, own.id, 'Verificación en dos pasos: configuración empezada');
  });
  return { secret, uri, qr: `data:image/svg+xml,${encodeURIComponent(svg)}` };
}

/** Activates the pending secret and returns recovery codes. Ends the other sessions, because no code opened them. Throws 409, 422. */
export async function confirmSecondFactor(
  db: Db,
  actor: Person,
  secretKey: string,
  { code }: { code: string },
  ownSession: string,
): Promise<string[]> {
  const own = await readOwn(db, actor);
  const sealed = own.totp_pending;
  if (!sealed) throw conflict('No hay ninguna verificación por confirmar: empieza de nuevo');
  const step = await throttled(db, actor, own, async () => {
    const found = totpStep(decrypt(secretKey, sealed), code);
    if (found === undefined) throw invalid('code', 'El código no es correcto');
    return found;
  });
  return transact(db, async (tx) => {
    const confirmed = { totp_secret: sealed, totp_pending: null, totp_last_step: step };
    if (!(await updatePerson(tx, own.id, confirmed, { totp_pending: sealed })))
      throw conflict('La verificación se ha empezado de nuevo desde otro sitio');
    await endSessionsOf(tx, own.id, ownSession);
    await note(tx, actor, own.id, 'Verificación en dos pasos activada');
    return replaceRecoveryCodes(tx, secretKey, own.id);
  });
}

export async function renewRecoveryCodes(db: Db, actor: Person, secretKey: string): Promise<string[]> {
  const own = await readOwn(db, actor);
  return transact(db, async (tx) => {
    await lockSecondFactor(tx, own.id);
    await note(tx, actor, own.id, 'Códigos de recuperación renovados');
    return replaceRecoveryCodes(tx, secretKey, own.id);
  });
}

/** Removes the caller's second factor and notifies the superadmins. Throws 409 if the settings require it or none is set up. */
export async function removeSecondFactor(db: Db, actor: Person): Promise<void> {
  const own = await readOwn(db, actor);
  await transact(db, async (tx) => {
    if (isRequiredOf(own.role, await readSettings(tx))) throw conflict('La configuración exige la verificación en dos pasos a tu cuenta');
    await lockSecondFactor(tx, own.id);
    await clearSecondFactor(tx, own.id);
    await notifyRemoved(tx, actor, `${own.full_name} ha quitado la verificación en dos pasos de su cuenta`);
    await note(tx, actor, own.id, 'Verificación en dos pasos quitada');
  });
}

/** Clears secrets, active and pending, and recovery codes. */
export async function clearSecondFactor(tx: Tx, userId: string): Promise<void> {
  await updatePerson(tx, userId, { totp_secret: null, totp_pending: null, totp_last_step: null });
  await deleteRecoveryCodes(tx, userId);
}

/** Notifies the superadmins, except `actor`, that a second factor was removed. */
export const notifyRemoved = (tx: Tx, actor: Actor, texto: string): Promise<void> =>
  notifySuperadmins(tx, actor, 'segundo_factor_quitado', texto, '/gestion-usuarios');

async function lockSecondFactor(tx: Tx, userId: string): Promise<void> {
  const found = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('totp_secret', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!found) throw conflict('Tu cuenta no tiene verificación en dos pasos');
}

async function note(tx: Tx, actor: Actor, userId: string, description: string): Promise<void> {
  await audit(tx, actor, { action: 'update', entity_type: 'profile', entity_id: userId, description });
  emit(tx, { topic: 'users', roles: rolesOf('user:manage') });
}

type OwnRow = Selectable<UsersTable>;

/** Returns the caller's row. Throws 403 for a person deleted meanwhile. */
export async function readOwn(db: Db, actor: Person): Promise<OwnRow> {
  const own = await db.selectFrom('users').selectAll().where('id', '=', actor.id).where('deleted_at', 'is', null).executeTakeFirst();
  if (!own) throw forbidden();
  return own;
}

/** Runs `attempt` under the sign-in throttle: an open session must not allow guessing. Throws 422, 429. */
async function throttled<T>(db: Db, actor: Person, own: OwnRow, attempt: () => Promise<T>): Promise<T> {
  const trier: Trier = { account: own.id, ip: actor.ip ?? '', device: actor.device };
  return inPasswordQueue([own.id], async () => {
    await refuseIfBlocked(db, trier);
    const outcome = await attempt().catch((error: unknown) => error);
    if (!(outcome instanceof Error)) {
      await clearFailures(db, trier);
      return outcome as T;
    }
    if (outcome instanceof DomainError && outcome.status === 422) {
      const { maxLoginAttempts } = await readSettings(db);
      await countFailure(db, trier, maxLoginAttempts);
      await transact(db, (tx) =>
        audit(tx, actor, { action: 'denied', entity_type: 'profile', entity_id: own.id, description: `Mi cuenta: ${outcome.message}` }),
      );
    }
    throw outcome;
  });
}

async function verifyOwn(own: OwnRow, password: string, field: string): Promise<OwnRow> {
  if (!(await verifyPassword(password, own.password_hash))) throw invalid(field, 'La contraseña actual no es correcta');
  return own;
}

/** Returns the caller's row after verifying `password` under the throttle. Throws 422 under `field`. */
export async function provePassword(db: Db, actor: Person, password: string, field: string): Promise<OwnRow> {
  const own = await readOwn(db, actor);
  return throttled(db, actor, own, () => verifyOwn(own, password, field));
}

/** Verifies password and second factor; `ownSession` (a token hash) is then trusted for five minutes. Throws 422 under the field, 429. */
export async function proveIdentity(
  db: Db,
  actor: Person,
  secretKey: string,
  { password, code }: BodyOut<typeof endpoint>,
  ownSession: string,
): Promise<void> {
  const own = await readOwn(db, actor);
  const { id, totp_secret } = own;
  if (totp_secret !== null && code === undefined) throw invalid('code', 'Escribe el código de tu aplicación de verificación');
  await throttled(db, actor, own, async () => {
    await verifyOwn(own, password, 'password');
    const isSpent = await transact(db, async (tx) => {
      if (totp_secret !== null && !(await spendCode(tx, secretKey, { id, totp_secret }, code ?? ''))) return false;
      await markProven(tx, ownSession);
      return true;
    });
    if (!isSpent) throw invalid('code', 'El código no es correcto o ya se ha usado');
  });
}
