import { type Selectable, sql } from 'kysely';
import type { AuditType } from '../../contract/audit/fields.ts';
import type { BodyOut, QueryOut } from '../../contract/kit/endpoint.ts';
import { type Actor, can, ROLE_LABEL, type Role, roleMay, rolesOf } from '../../contract/policy/policy.ts';
import { INVITE_DAYS } from '../../contract/session/fields.ts';
import { plural } from '../../contract/text/plural.ts';
import type * as api from '../../contract/users/users.ts';
import { type Invitation, MUST_HAND_OVER, type User } from '../../contract/users/users.ts';
import { clearSecondFactor, notifyRemoved } from '../account/second-factor.ts';
import { revokeKeysOf } from '../api-keys/api-keys.ts';
import { audit, changedValues } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { UsersTable } from '../db/schema.ts';
import { type Config, sharedUrl } from '../kit/config.ts';
import { shownEmail } from '../kit/email.ts';
import { conflict, invalid, nextVersion, notFound, refuseStale } from '../kit/errors.ts';
import { inEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { queueSecretLink } from '../mail/queue.ts';
import { renamePerson } from '../pedidos/escritura/pedidos.ts';
import { cashInHand } from '../pedidos/pagos/cash.ts';
import { handOver } from '../pedidos/pasos/hand-over.ts';
import { endInvitation, inviteUntil, newInvitation } from '../session/first-access.ts';
import { hashPassword, refuseGuessablePassword } from '../session/passwords.ts';
import { endSessionsOf, insertPerson, newToken, updatePerson } from '../session/sessions.ts';
import { readSettings } from '../settings/settings.ts';
import { openOrders, openOrdersOf } from './open-orders.ts';

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
export async function listUsers(db: Db, { role }: QueryOut<typeof api.listUsers>): Promise<User[]> {
  let people = selectUsers(db);
  if (role) people = people.where('role', '=', role);
  return (await people.orderBy(sql`normaliza(full_name)`).orderBy('id').execute()).map(shown);
}

/** Creates a person. Throws 422 for a weak password or a taken e-mail or user name. */
export async function createUser(db: Db, actor: Actor, { password, ...fields }: BodyOut<typeof api.createUser>): Promise<User> {
  refuseZonas(fields.role, fields.zonas);
  await refuseGuessablePassword(db, password, fields);
  const password_hash = await hashPassword(password, actor.id ?? undefined);
  return refuseTakenLogin(() =>
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
  }: BodyOut<typeof api.updateUser> & { id: string },
  requireProof: () => void,
): Promise<User> {
  if (password !== undefined && id === actor.id) throw conflict('La contraseña propia se cambia en «Mi cuenta»');
  const secret =
    password === undefined
      ? {}
      : { password_hash: await hashPassword(password, actor.id ?? undefined), password_changed_at: sql<string>`now()`, invited_at: null };
  return refuseTakenLogin(() =>
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
      const { antes, despues } = changedValues(before, fields);
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
export async function refuseTakenLogin<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'users_email') throw invalid('email', 'El email ya está en uso', 'duplicate');
    if (code === '23505' && constraint === 'users_username') throw invalid('username', 'El usuario ya está en uso', 'duplicate');
    throw error;
  }
}

type Leaving = { id: string } & QueryOut<typeof api.deleteUser>;

/** Soft-deletes a person (design, section 4.15). Throws 404, 409 for oneself, the last superadmin, open orders or cash in hand, 422 like `handOver`. */
export async function deleteUser(db: Db, actor: Actor, { id, pedidos_a, revocar_claves }: Leaving): Promise<void> {
  await transact(db, async (tx) => {
    const { user, refuseLastSuperadmin } = await lockUser(tx, id);
    if (!can(actor, 'user:delete', user)) throw conflict('No puedes eliminar tu propia cuenta');
    refuseLastSuperadmin();
    if (pedidos_a !== undefined) await handOver(tx, actor, user, pedidos_a);
    if (revocar_claves) await revokeKeysOf(tx, actor, id);
    const open = await openOrdersOf(tx, user);
    if (open > 0 && MUST_HAND_OVER.includes(user.role)) {
      const orders = plural(open, 'pedido sin entregar: reasígnalo', 'pedidos sin entregar: reasígnalos');
      throw conflict(`${user.full_name} tiene ${orders} antes de eliminar el usuario`);
    }
    const cents = await cashInHand(tx, id);
    if (cents > 0) throw conflict(`${user.full_name} tiene ${inEuros(cents)} en efectivo: recíbelos en Caja antes de eliminar el usuario`);
    await updatePerson(tx, id, { deleted_at: sql`now()` });
    await endSessionsOf(tx, id);
    await endInvitation(tx, id);
    await recordPerson(tx, actor, user, { action: 'delete', description: `Usuario eliminado: ${user.full_name}` });
  });
}

type Sending = Pick<Config, 'secretKey' | 'publicUrl'>;

/** Creates a person without a password and returns an invitation link. Throws 422 for a taken e-mail or user name. */
export async function inviteUser(db: Db, actor: Actor, config: Sending, fields: BodyOut<typeof api.inviteUser>): Promise<Invitation> {
  // Hashes a random token, so that no password matches.
  const password_hash = await hashPassword(newToken(), actor.id ?? undefined);
  return refuseTakenLogin(() =>
    transact(db, async (tx) => {
      const id = await insertPerson(tx, { ...fields, password_hash, is_active: true, invited_at: new Date().toISOString() });
      const description = `Usuario invitado: ${fields.full_name}`;
      await recordPerson(tx, actor, { id, role: fields.role }, { action: 'create', description, despues: fields });
      return makeLink(tx, actor, config, id);
    }),
  );
}

/** Replaces an invitation link; people managers need `requireProof` (decision 052). Throws 404, 409 with a password or inactive. */
export const renewInvitation = async (db: Db, actor: Actor, config: Sending, id: string, requireProof: () => void): Promise<Invitation> =>
  transact(db, async (tx) => {
    const { user } = await lockUser(tx, id);
    if (!user.invited_at) throw conflict(`${user.full_name} ya tiene su contraseña`);
    if (!user.is_active) throw conflict(`${user.full_name} no está activo: actívalo antes de invitarlo de nuevo`);
    if (roleMay(user.role, 'user:manage')) requireProof();
    await recordPerson(tx, actor, user, { action: 'update', description: `Enlace de invitación nuevo: ${user.full_name}` });
    return makeLink(tx, actor, config, id);
  });

/** Revokes an invitation link. Throws 404, 409 for a person who already has a password. */
export const withdrawInvitation = async (db: Db, actor: Actor, id: string): Promise<User> =>
  transact(db, async (tx) => {
    const { user } = await lockUser(tx, id);
    if (!user.invited_at) throw conflict(`${user.full_name} ya tiene su contraseña`);
    if (await endInvitation(tx, id))
      await recordPerson(tx, actor, user, { action: 'update', description: `Invitación anulada: ${user.full_name}` });
    return readUser(tx, id);
  });

async function makeLink(tx: Tx, actor: Actor, { secretKey, publicUrl }: Sending, id: string): Promise<Invitation> {
  const path = await newInvitation(tx, id);
  const user = await readUser(tx, id);
  const settings = await readSettings(tx);
  const company = settings.companyName || 'Enruta';
  const role = ROLE_LABEL[user.role].toLowerCase();
  // Without an address that others open, a mail has no link.
  const correo =
    sharedUrl({ publicUrl }) !== undefined &&
    (await queueSecretLink(tx, settings, secretKey, user.email, {
      asunto: `Invitación de ${company}`,
      texto: `Hola, ${user.full_name}: ${actor.full_name} te invita a entrar en el panel de ${company} como ${role}. Abre el enlace y elige tu contraseña. Vale ${INVITE_DAYS} días y una sola vez.`,
      enlace: path,
    }));
  return { user, enlace: `${publicUrl ?? ''}${path}`, correo };
}

const isIn = ({ is_active, invited_at }: Pick<Selectable<UsersTable>, 'is_active' | 'invited_at'>) => is_active && invited_at === null;

/** Locks the person `id` and everyone who can manage people, in a fixed order, so that two superadmins cannot remove each other. Throws 404. */
async function lockUser(tx: Tx, id: string): Promise<{ user: Selectable<UsersTable>; refuseLastSuperadmin: () => void }> {
  const people = await tx
    .selectFrom('users')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('id', '=', id), eb('role', 'in', rolesOf('user:manage'))]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const user = people.find((person) => person.id === id);
  if (!user) throw notFound();
  const refuseLastSuperadmin = () => {
    // Ignores invited people, who may never accept.
    const isOther = people.some((person) => roleMay(person.role, 'user:manage') && isIn(person) && person.id !== id);
    if (roleMay(user.role, 'user:manage') && !isOther) throw conflict('Es el último administrador activo: crea o activa otro antes');
  };
  return { user, refuseLastSuperadmin };
}
