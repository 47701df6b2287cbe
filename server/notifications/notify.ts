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
  /** The order it tells of, which reads it when it is opened. */
  pedido_id?: string;
  /** Also send by e-mail, if the settings allow it. */
  mail?: boolean;
};

/**
 * Notifies people in the app, by push and by e-mail, in the transaction of the event itself. A role is told in one row,
 * whoever has it.
 */
export async function notify(tx: Tx, notice: Notice): Promise<void> {
  const { tipo, texto, enlace, roles = [], users = [], except = null, pedido_id = null, mail = false } = notice;
  const ids = users.filter((id) => id !== null);
  if (roles.length === 0 && ids.length === 0) return;
  // One statement: every order made or moved passes here. Answers only whom something is sent to.
  const { rows: told } = await sql<{ id: string; user_id: string; email: string; push: boolean }>`
    WITH told AS (
      INSERT INTO notifications (user_id, role, except_id, tipo, texto, enlace, pedido_id)
      SELECT id, NULL, NULL::uuid, ${tipo}, ${texto}, ${enlace}, ${pedido_id}::uuid FROM users
      WHERE id = ANY (${ids}::uuid[]) AND is_active AND deleted_at IS NULL AND id IS DISTINCT FROM ${except}::uuid
      UNION ALL
      SELECT NULL, role, ${except}::uuid, ${tipo}, ${texto}, ${enlace}, ${pedido_id}::uuid FROM unnest(${roles}::text[]) AS role
      RETURNING id, user_id, role),
    people AS (
      SELECT t.id, u.id AS user_id, u.email, EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = u.id) AS push
      FROM told t JOIN users u ON u.id = t.user_id OR u.role = t.role
      WHERE u.is_active AND u.deleted_at IS NULL AND u.id IS DISTINCT FROM ${except}::uuid)
    SELECT * FROM people WHERE push OR ${mail}`.execute(tx);
  if (told.length) {
    const settings = await readSettings(tx);
    const pushed = told.filter(({ push }) => push);
    if (pushed.length) await queuePushes(tx, settings, pushed);
    if (mail) await queueMails(tx, settings, told, { asunto: texto, texto, enlace });
  }
  // Send roles rather than every person's id: a NOTIFY payload is limited to 8000 bytes.
  emit(tx, { topic: 'notifications', roles, users: ids });
}

/** Tells a role of many things at once, each in a row of its own, without push and e-mail. */
export async function notifyRole(
  tx: Tx,
  role: Role,
  notices: readonly Pick<Notice, 'tipo' | 'texto' | 'enlace' | 'pedido_id'>[],
  except_id: string | null,
): Promise<void> {
  if (notices.length === 0) return;
  await tx
    .insertInto('notifications')
    .values(notices.map((notice) => ({ ...notice, role, except_id })))
    .execute();
  emit(tx, { topic: 'notifications', roles: [role] });
}

/** Takes back that an order may be taken: it is on offer no longer. */
export async function withdrawOffer(tx: Tx, pedido_id: string): Promise<void> {
  await tx.deleteFrom('notifications').where('pedido_id', '=', pedido_id).where('tipo', '=', 'pedido_disponible').execute();
  emit(tx, { topic: 'notifications', roles: ['transportista'] });
}
