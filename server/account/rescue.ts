import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { rolesOf, SISTEMA } from '../../contract/policy/policy.ts';
import { storedEmail } from '../../contract/text/email.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { endInvitation } from '../session/invitations.ts';
import { hashPassword } from '../session/passwords.ts';
import { updatePerson } from '../session/people.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { unblock } from '../session/throttle.ts';
import { clearSecondFactor } from './second-factor.ts';

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
    await unblock(tx, user.id);
    await audit(tx, SISTEMA, {
      type: 'configuracion',
      action: 'update',
      entity_type: 'profile',
      entity_id: user.id,
      description: `Acceso recuperado desde el servidor: ${user.full_name}`,
      despues: { password: 'nueva', segundo_factor: 'quitado' },
    });
    return { email: user.email, password };
  });
}
