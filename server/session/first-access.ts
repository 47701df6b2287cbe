import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { rolesOf, SISTEMA } from '../../contract/policy/policy.ts';
import type { firstAccess } from '../../contract/session/session.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { readSettings } from '../settings/settings.ts';
import { markOf } from './device.ts';
import { inPasswordQueue } from './password-queue.ts';
import { hashPassword, refuseGuessablePassword } from './passwords.ts';
import { insertPerson } from './people.ts';
import { enter, type From, type SignedIn } from './session.ts';
import { hashToken, newToken, type Session } from './sessions.ts';
import { countFailure, networkOf, queuesOf, refuseIfBlocked, type Trier } from './throttle.ts';

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
  const trier: Trier = { account: `${FIRST_ACCESS}|${networkOf(from.ip)}`, ip: from.ip, device: undefined };
  return inPasswordQueue(queuesOf(trier), async () => {
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
      const session = await enter(tx, { id, role: 'superadmin', full_name: person.full_name }, { ...from, device }, previous);
      return {
        token: session,
        userId: id,
        mark: markOf(secretKey, { id, password_hash: person.password_hash }, device),
        remembered: false,
      };
    });
  });
}

// Serialises instances that start on the same empty database.
const lockFirstAccess = (tx: Tx) => tx.selectFrom('settings').select('id').forUpdate().execute();

async function insertSuperadmin(tx: Tx, values: { full_name: string; email: string; password_hash: string }): Promise<string> {
  const id = await insertPerson(tx, { ...values, username: null, role: 'superadmin', is_active: true });
  await audit(tx, SISTEMA, {
    type: 'configuracion',
    action: 'create',
    entity_type: 'profile',
    description: `Primer administrador creado: ${values.email}`,
  });
  return id;
}
