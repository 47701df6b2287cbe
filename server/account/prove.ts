import type { Selectable } from 'kysely';
import type { Actor } from '../../contract/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import type { UsersTable } from '../db/schema.ts';
import { forbidden, invalid } from '../kit/errors.ts';
import { verifyPassword } from '../session/passwords.ts';
import { countFailure, forgetFailures, refuseIfBlocked } from '../session/throttle.ts';
import { readSettings } from '../settings/settings.ts';

export type OwnRow = Selectable<UsersTable>;

/** Reads the caller's own row; refuses the program itself, which has no account. */
export async function readOwn(db: Db, actor: Actor): Promise<OwnRow> {
  const own = await db.selectFrom('users').selectAll().where('id', '=', actor.id).where('deleted_at', 'is', null).executeTakeFirst();
  if (!own) throw forbidden();
  return own;
}

/**
 * Runs `attempt` under the sign-in throttle, so that a session left open cannot be used to guess the password.
 * Counts and audits a failure, and reports it as `sentence` under `field`.
 */
export async function throttled<T>(
  db: Db,
  actor: Actor,
  own: OwnRow,
  { field, sentence }: { field: string; sentence: string },
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  const ip = actor.ip ?? '';
  await refuseIfBlocked(db, own.email, ip);
  const proven = await attempt();
  // Check again: other attempts may have failed while this one was queued.
  await refuseIfBlocked(db, own.email, ip);
  if (proven !== undefined) {
    await forgetFailures(db, own.email, ip);
    return proven;
  }
  const { maxLoginAttempts } = await readSettings(db);
  await countFailure(db, own.email, ip, maxLoginAttempts);
  await transact(db, (tx) =>
    audit(tx, actor, {
      type: 'configuracion',
      action: 'denied',
      entity_type: 'profile',
      entity_id: own.id,
      description: `Mi cuenta: ${sentence}`,
    }),
  );
  throw invalid(field, sentence);
}

/** Returns the caller's own row after verifying `password`, under the throttle. */
export async function provePassword(db: Db, actor: Actor, password: string, field = 'password'): Promise<OwnRow> {
  const own = await readOwn(db, actor);
  return throttled(db, actor, own, { field, sentence: 'La contraseña actual no es correcta' }, async () =>
    (await verifyPassword(password, own.password_hash)) ? own : undefined,
  );
}
