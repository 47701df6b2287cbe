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

/** The caller's own row. Throws 403 for the program itself, which has no account. */
export async function readOwn(db: Db, actor: Actor): Promise<OwnRow> {
  const own = await db.selectFrom('users').selectAll().where('id', '=', actor.id).where('deleted_at', 'is', null).executeTakeFirst();
  if (!own) throw forbidden();
  return own;
}

/**
 * Runs `attempt` under the throttle of the sign-in: an account found open must not be a place to guess at
 * leisure. A failed one is counted and noted. Throws 429 with Retry-After, and 422 with `sentence` under `field`.
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
  // Others may have failed while this one waited for its turn.
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

/** The caller's own row once `password` is theirs. Throws as `throttled`. */
export async function provePassword(db: Db, actor: Actor, password: string, field = 'password'): Promise<OwnRow> {
  const own = await readOwn(db, actor);
  return throttled(db, actor, own, { field, sentence: 'La contraseña actual no es correcta' }, async () =>
    (await verifyPassword(password, own.password_hash)) ? own : undefined,
  );
}
