import { sql } from 'kysely';
import type { NotificationType } from '../../contract/notifications.ts';
import type { Role } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { emit } from '../live/emit.ts';
import { queueMails } from '../mail/queue.ts';
import { queuePushes } from '../push/queue.ts';
import { type StoredSettings, settingsFrom } from '../settings/settings.ts';

export type Notice = {
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
  /** Send nothing by push: another notice of the same event does. */
  quiet?: boolean;
};

/**
 * Notifies people in the app, by push and by e-mail, in the transaction of the event itself. A role is told in one row,
 * whoever has it.
 */
export async function notify(tx: Tx, ...notices: Notice[]): Promise<void> {
  const asked = notices.flatMap((notice, n) => rowsOf(notice).map((row) => ({ n, ...row })));
  if (asked.length === 0) return;
  // One statement: every order made or moved passes here. Answers only whom something is sent to.
  const { rows: told } = await sql<{
    n: number;
    id: string;
    user_id: string;
    email: string;
    push: boolean;
    mail: boolean;
    settings: StoredSettings | null;
  }>`
    WITH asked AS MATERIALIZED (
      SELECT gen_random_uuid() AS id, a.* FROM json_to_recordset(${JSON.stringify(asked)}) AS a (
        n int, user_id uuid, role text, except_id uuid, tipo text, texto text, enlace text, pedido_id uuid, push boolean, mail boolean)),
    told AS (
      INSERT INTO notifications (id, user_id, role, except_id, tipo, texto, enlace, pedido_id)
      SELECT id, user_id, role, CASE WHEN role IS NOT NULL THEN except_id END, tipo, texto, enlace, pedido_id FROM asked a
      WHERE role IS NOT NULL OR EXISTS (SELECT FROM users u WHERE u.id = a.user_id AND u.is_active AND u.deleted_at IS NULL)
      RETURNING id),
    people AS (
      SELECT a.n, a.id, u.id AS user_id, u.email, a.mail,
        a.push AND EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = u.id) AS push
      FROM told JOIN asked a USING (id) JOIN users u ON u.id = a.user_id OR u.role = a.role
      WHERE u.is_active AND u.deleted_at IS NULL AND u.id IS DISTINCT FROM a.except_id)
    SELECT *, CASE row_number() OVER () WHEN 1 THEN (SELECT data FROM settings) END AS settings
    FROM people WHERE push OR mail`.execute(tx);
  const [first] = told;
  if (first?.settings) {
    const settings = settingsFrom(first.settings);
    const pushed = told.filter(({ push }) => push);
    if (pushed.length) await queuePushes(tx, settings, pushed);
    for (const [n, { texto, enlace }] of notices.entries()) {
      const mailed = told.filter((one) => one.mail && one.n === n);
      if (mailed.length) await queueMails(tx, settings, mailed, { asunto: texto, texto, enlace });
    }
  }
  // Send roles rather than every person's id: a NOTIFY payload is limited to 8000 bytes.
  const [roles, users] = [asked.flatMap(({ role }) => role ?? []), asked.flatMap(({ user_id }) => user_id ?? [])];
  emit(tx, { topic: 'notifications', roles: [...new Set(roles)], users: [...new Set(users)] });
}

function rowsOf({ roles = [], users = [], except = null, quiet = false, mail = false, ...notice }: Notice) {
  const row = { ...notice, except_id: except, push: !quiet, mail };
  return [
    ...users.filter((id) => id && id !== except).map((user_id) => ({ ...row, user_id, role: null })),
    ...roles.map((role) => ({ ...row, user_id: null, role })),
  ];
}

/** Takes back that an order may be taken, in one round trip with the statement that is built on `query`. */
export function withOfferWithdrawn<T extends Pick<Tx, 'with'>>(tx: Tx, query: T, pedido_id: string) {
  emit(tx, { topic: 'notifications', roles: ['transportista'] });
  return query.with('withdrawn', (db) =>
    db.deleteFrom('notifications').where('pedido_id', '=', pedido_id).where('tipo', '=', 'pedido_disponible'),
  );
}
