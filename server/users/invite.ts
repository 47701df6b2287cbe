import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, ROLE_LABEL, roleMay } from '../../contract/policy/policy.ts';
import { INVITE_DAYS } from '../../contract/session/fields.ts';
import type { inviteUser as endpoint, Invitation, User } from '../../contract/users/users.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { conflict } from '../kit/errors.ts';
import { queueSecretLink } from '../mail/queue.ts';
import { endInvitation, newInvitation } from '../session/invitations.ts';
import { hashPassword } from '../session/passwords.ts';
import { insertPerson } from '../session/people.ts';
import { newToken } from '../session/sessions.ts';
import { readSettings } from '../settings/settings.ts';
import { lockUser } from './lock-user.ts';
import { readUser, recordPerson, refuseTaken } from './users.ts';

type Sending = Pick<Config, 'secretKey' | 'publicUrl'>;

/** Creates a person without a password and returns an invitation link. Throws 422 for a taken e-mail or user name. */
export async function inviteUser(db: Db, actor: Actor, config: Sending, fields: BodyOut<typeof endpoint>): Promise<Invitation> {
  // Hashes a random token, so that no password matches.
  const password_hash = await hashPassword(newToken(), actor.id ?? undefined);
  return refuseTaken(() =>
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
  // Without PUBLIC_URL a mail cannot contain the full link.
  const correo =
    publicUrl !== undefined &&
    (await queueSecretLink(tx, settings, secretKey, user.email, {
      asunto: `Invitación de ${company}`,
      texto: `Hola, ${user.full_name}: ${actor.full_name} te invita a entrar en el panel de ${company} como ${role}. Abre el enlace y elige tu contraseña. Vale ${INVITE_DAYS} días y una sola vez.`,
      enlace: path,
    }));
  return { user, enlace: `${publicUrl ?? ''}${path}`, correo };
}
