import type { Selectable } from 'kysely';
import type { proveIdentity as endpoint } from '../../contract/account/account.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import type { Person } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import type { UsersTable } from '../db/schema.ts';
import { DomainError, forbidden, invalid } from '../kit/errors.ts';
import { inPasswordQueue } from '../session/password-queue.ts';
import { verifyPassword } from '../session/passwords.ts';
import { spendCode } from '../session/recovery-codes.ts';
import { markProven } from '../session/sessions.ts';
import { clearFailures, countFailure, refuseIfBlocked, type Trier } from '../session/throttle.ts';
import { readSettings } from '../settings/settings.ts';

export type OwnRow = Selectable<UsersTable>;

/** Returns the caller's row. Throws 403 for a person deleted meanwhile. */
export async function readOwn(db: Db, actor: Person): Promise<OwnRow> {
  const own = await db.selectFrom('users').selectAll().where('id', '=', actor.id).where('deleted_at', 'is', null).executeTakeFirst();
  if (!own) throw forbidden();
  return own;
}

/** Runs `attempt` under the sign-in throttle: an open session must not allow guessing. Throws 422, 429. */
export async function throttled<T>(db: Db, actor: Person, own: OwnRow, attempt: () => Promise<T>): Promise<T> {
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
        audit(tx, actor, {
          type: 'configuracion',
          action: 'denied',
          entity_type: 'profile',
          entity_id: own.id,
          description: `Mi cuenta: ${outcome.message}`,
        }),
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
