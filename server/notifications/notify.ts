import type { NotificationType } from '../../contract/notifications.ts';
import type { Role } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { emit } from '../live/emit.ts';
import { queueMails } from '../mail/queue.ts';
import { queuePushes } from '../push/queue.ts';
import { readSettings } from '../settings/settings.ts';

type Notice = {
  tipo: NotificationType;
  /** Spanish sentence without prices, as carriers may read it. */
  texto: string;
  /** Path of the related screen; must be valid for every recipient's role. */
  enlace: string;
  roles?: Role[];
  users?: (string | null)[];
  /** Id to leave out: whoever caused it. */
  except?: string | null;
  /** Also send by e-mail, if the settings allow it. */
  mail?: boolean;
};

/** Notifies people in the app, by push and by e-mail, in the transaction of the event itself. */
export async function notify(tx: Tx, { tipo, texto, enlace, roles = [], users = [], except, mail = false }: Notice): Promise<void> {
  const ids = users.filter((id) => id !== null);
  if (roles.length === 0 && ids.length === 0) return;
  const people = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where((eb) => eb.or([...(roles.length ? [eb('role', 'in', roles)] : []), ...(ids.length ? [eb('id', 'in', ids)] : [])]))
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .execute();
  const told = people.filter((person) => person.id !== except);
  if (told.length === 0) return;
  const written = await tx
    .insertInto('notifications')
    .values(told.map(({ id }) => ({ user_id: id, tipo, texto, enlace, read_at: null })))
    .returning('id')
    .execute();
  const settings = await readSettings(tx);
  await queuePushes(tx, settings, written);
  // Send roles rather than every person's id: a NOTIFY payload is limited to 8000 bytes.
  await emit(tx, { topic: 'notifications', roles, users: ids });
  if (mail) await queueMails(tx, settings, told, { asunto: texto, texto, enlace });
}
