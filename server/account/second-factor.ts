import { type Actor, type Person, type Role, rolesOf, SECOND_FACTOR } from '../../contract/policy/policy.ts';
import type { Settings } from '../../contract/settings/values.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { decrypt, encrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { notifySuperadmins } from '../notifications/notify.ts';
import { updatePerson } from '../session/people.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from '../session/recovery-codes.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { newSecret, stepOf, uriOf } from '../session/totp.ts';
import { readSettings } from '../settings/settings.ts';
import { readOwn, throttled } from './prove.ts';

/** True if the settings require a second factor of `role`; `findSession` repeats the rule in SQL. */
export const isRequiredOf = (role: Role, { twoFactorAuth }: Pick<Settings, 'twoFactorAuth'>): boolean =>
  twoFactorAuth && SECOND_FACTOR.includes(role);

/** Stores a new authenticator secret as pending, encrypted. The current secret stays valid until a code confirms the new one. */
export async function startSecondFactor(db: Db, actor: Person, secretKey: string): Promise<{ secret: string; uri: string; qr: string }> {
  const own = await readOwn(db, actor);
  const secret = newSecret();
  const uri = uriOf(secret, own.email);
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
    const found = stepOf(decrypt(secretKey, sealed), code);
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
  await audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'profile', entity_id: userId, description });
  emit(tx, { topic: 'users', roles: rolesOf('user:manage') });
}
