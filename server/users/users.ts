import { sql } from 'kysely';
import type { AuditType } from '../../contract/audit/fields.ts';
import type { BodyOut, QueryOut } from '../../contract/kit/endpoint.ts';
import { type Actor, type Role, roleMay, rolesOf } from '../../contract/policy/policy.ts';
import type {
  createUser as createEndpoint,
  listUsers as listEndpoint,
  User,
  updateUser as updateEndpoint,
} from '../../contract/users/users.ts';
import { clearSecondFactor, notifyRemoved } from '../account/second-factor.ts';
import { revokeKeysOf } from '../api-keys/api-keys.ts';
import { audit, changes } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { nextVersion, refuseStale } from '../kit/version.ts';
import { emit } from '../live/emit.ts';
import { renamePerson } from '../pedidos/escritura/pedidos.ts';
import { handOver } from '../pedidos/pasos/hand-over.ts';
import { endInvitation, inviteUntil } from '../session/invitations.ts';
import { hashPassword, refuseGuessablePassword } from '../session/passwords.ts';
import { insertPerson, updatePerson } from '../session/people.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { lockUser } from './lock-user.ts';
import { openOrders } from './open-orders.ts';

const lastAccess = sql<string | null>`greatest(
  (SELECT max(l.created_at) FROM audit_logs l WHERE l.action = 'login' AND l.entity_id = users.id::text),
  (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = users.id))`;

const selectUsers = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .leftJoin(openOrders(db).as('open'), (join) => join.onRef('open.ambito', '=', 'users.role').onRef('open.ambito_id', '=', 'users.id'))
    .select([
      'id',
      'id as user_id',
      'full_name',
      'email',
      'username',
      'role',
      'is_active',
      'contra_reembolso',
      'zonas',
      'created_at',
      'version',
    ])
    .select([sql<boolean>`totp_secret IS NOT NULL`.as('second_factor'), sql<number>`coalesce(abiertos, 0)`.as('pedidos_abiertos')])
    .select([lastAccess.as('last_access_at'), sql<boolean>`invited_at IS NOT NULL`.as('invited'), inviteUntil.as('invite_until')])
    .where('deleted_at', 'is', null);

const shown = (user: User): User => ({ ...user, email: shownEmail(user.email) });

export const readUser = async (tx: Tx, id: string): Promise<User> =>
  shown(await selectUsers(tx).where('id', '=', id).executeTakeFirstOrThrow());

type Values = Record<string, unknown>;
type Entry = { action: 'create' | 'update' | 'delete'; description: string; antes?: Values; despues?: Values };
const AUDITED_AS: Record<Role, AuditType> = { superadmin: 'configuracion', revendedor: 'revendedor', transportista: 'transportista' };

/** Logs a change of a person and refreshes the lists of people. */
export async function recordPerson(tx: Tx, actor: Actor, { id, role }: { id: string; role: Role }, entry: Entry): Promise<void> {
  await audit(tx, actor, { type: AUDITED_AS[role], entity_type: 'profile', entity_id: id, ...entry });
  emit(tx, { topic: 'users', roles: rolesOf('user:manage') });
}

/** Returns the people of one role or all, by name, without deleted ones. */
export async function listUsers(db: Db, { role }: QueryOut<typeof listEndpoint>): Promise<User[]> {
  let people = selectUsers(db);
  if (role) people = people.where('role', '=', role);
  return (await people.orderBy(sql`normaliza(full_name)`).orderBy('id').execute()).map(shown);
}

/** Creates a person. Throws 422 for a weak password or a taken e-mail or user name. */
export async function createUser(db: Db, actor: Actor, { password, ...fields }: BodyOut<typeof createEndpoint>): Promise<User> {
  refuseZonas(fields.role, fields.zonas);
  await refuseGuessablePassword(db, password, fields);
  const password_hash = await hashPassword(password, actor.id ?? undefined);
  return refuseTaken(() =>
    transact(db, async (tx) => {
      const id = await insertPerson(tx, { ...fields, password_hash });
      const description = `Usuario creado: ${fields.full_name}`;
      await recordPerson(tx, actor, { id, role: fields.role }, { action: 'create', description, despues: fields });
      return readUser(tx, id);
    }),
  );
}

/**
 * Edits a person, except the role. Deactivating, a new password or a second-factor reset ends the sessions; a new name is copied to orders.
 * Calls `requireProof` before changing the e-mail or activating a superadmin. Throws 404, 409 if stale, for the last superadmin or one's
 * own access, 422 like `createUser` and `handOver`.
 */
export async function updateUser(
  db: Db,
  actor: Actor,
  {
    id,
    version,
    password,
    reset_second_factor: reset,
    pedidos_a,
    revocar_claves,
    ...fields
  }: BodyOut<typeof updateEndpoint> & { id: string },
  requireProof: () => void,
): Promise<User> {
  if (password !== undefined && id === actor.id) throw conflict('La contraseña propia se cambia en «Mi cuenta»');
  const secret =
    password === undefined
      ? {}
      : { password_hash: await hashPassword(password, actor.id ?? undefined), password_changed_at: sql<string>`now()`, invited_at: null };
  return refuseTaken(() =>
    transact(db, async (tx) => {
      const { user: before, refuseLastSuperadmin } = await lockUser(tx, id);
      refuseStale(before, version, 'este usuario');
      refuseZonas(before.role, fields.zonas);
      if (fields.email !== undefined && fields.email !== before.email) requireProof();
      if (roleMay(before.role, 'user:manage') && !before.is_active && fields.is_active) requireProof();
      if (password !== undefined) await refuseGuessablePassword(tx, password, { ...before, ...fields });
      if (before.is_active && fields.is_active === false) {
        if (id === actor.id) throw conflict('No puedes desactivar tu propia cuenta');
        refuseLastSuperadmin();
      }
      if (pedidos_a !== undefined) {
        if (fields.is_active !== false) throw invalid('pedidos_a', 'Solo se pasan los pedidos de quien se desactiva');
        await handOver(tx, actor, before, pedidos_a);
      }
      if (revocar_claves) {
        if (fields.is_active !== false) throw invalid('revocar_claves', 'Solo se revocan las claves de quien se desactiva');
        await revokeKeysOf(tx, actor, id);
      }
      const { antes, despues } = changes(before, fields);
      const { full_name = before.full_name, is_active = before.is_active } = fields;
      await updatePerson(tx, id, { ...fields, ...secret, ...nextVersion(before, despues) });
      // A link sent to a former address, or made before the access was taken away, must not open the account.
      if (!is_active || password !== undefined || (fields.email ?? before.email) !== before.email) await endInvitation(tx, id);
      if (reset) {
        if (id === actor.id) throw conflict('El segundo factor propio se cambia en «Mi cuenta»');
        await clearSecondFactor(tx, id);
        await notifyRemoved(tx, actor, `${actor.full_name} ha quitado la verificación en dos pasos de ${before.full_name}`);
      }
      if (!is_active || password !== undefined || reset) await endSessionsOf(tx, id);
      if (full_name !== before.full_name) await renamePerson(tx, id, full_name);
      await recordPerson(tx, actor, before, {
        action: 'update',
        description: `Usuario actualizado: ${full_name}`,
        antes,
        despues: { ...despues, ...(password !== undefined && { password: 'nueva' }), ...(reset && { segundo_factor: 'quitado' }) },
      });
      return readUser(tx, id);
    }),
  );
}

function refuseZonas(role: Role, zonas: string | null | undefined): void {
  if (zonas && !roleMay(role, 'reparto:zonas')) throw invalid('zonas', 'Solo un transportista tiene zonas de reparto');
}

// Unique indexes decide, so that concurrent requests get the same message.
export async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'users_email') throw invalid('email', 'El email ya está en uso', 'duplicate');
    if (code === '23505' && constraint === 'users_username') throw invalid('username', 'El usuario ya está en uso', 'duplicate');
    throw error;
  }
}
