import { sql } from 'kysely';
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
  // One statement: every order made or moved passes here.
  const { rows: told } = await sql<{ id: string; email: string; push: boolean }>`
    WITH told AS (
      INSERT INTO notifications (user_id, tipo, texto, enlace)
      SELECT id, ${tipo}, ${texto}, ${enlace} FROM users
      WHERE (role = ANY (${roles}::text[]) OR id = ANY (${ids}::uuid[])) AND is_active AND deleted_at IS NULL
        AND id IS DISTINCT FROM ${except ?? null}::uuid
      RETURNING id, user_id)
    SELECT t.id, u.email, EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = u.id) AS push
    FROM told t JOIN users u ON u.id = t.user_id`.execute(tx);
  if (told.length === 0) return;
  const pushed = told.filter(({ push }) => push);
  if (mail || pushed.length) {
    const settings = await readSettings(tx);
    if (pushed.length) await queuePushes(tx, settings, pushed);
    if (mail) await queueMails(tx, settings, told, { asunto: texto, texto, enlace });
  }
  // Send roles rather than every person's id: a NOTIFY payload is limited to 8000 bytes.
  emit(tx, { topic: 'notifications', roles, users: ids });
}
