import { type Expression, type SqlBool, sql } from 'kysely';
import type { NotificationType } from '../../contract/notifications/notifications.ts';
import type { Actor, Role } from '../../contract/policy/policy.ts';
import { provenWords } from '../../contract/settings/values.ts';
import { dropCtes, type Tx } from '../db/open.ts';
import type { SettingsChange } from '../kit/feature.ts';
import { emit } from '../live/emit.ts';
import { queueMails } from '../mail/queue.ts';
import { queuePushes } from '../push/push.ts';
import { settingSql } from '../settings/setting-sql.ts';
import { type StoredSettings, settingsFrom } from '../settings/settings.ts';

export type Notice = {
  tipo: NotificationType;
  /** Spanish sentence; no prices, since carriers may read it. */
  texto: string;
  /** Path valid for the role of every recipient. */
  enlace: string;
  roles?: Role[];
  users?: (string | null)[];
  /** Id of the author, who is not notified. */
  except?: string | null;
  /** Opening this order marks the notice as read. */
  pedido_id?: string;
  mail?: boolean;
  /** Limits `roles` to carriers who deliver to this postcode, if orders are offered by zone only (decision 067). */
  postcode?: string | null;
  /** Replaces today's notice of the same type and order, without sending again. */
  renews?: boolean;
  /** True to send no push, because another notice of the same event sends one. */
  quiet?: boolean;
};

/** Notifies people in the app, by push and by e-mail, in the transaction of the event. Stores one row per role, not per person. */
export async function notify(tx: Tx, ...notices: Notice[]): Promise<void> {
  const { recipients } = await withNotices(tx, notices).selectNoFrom(RECIPIENTS).executeTakeFirstOrThrow();
  await sendNotices(tx, notices, recipients);
}

/** Like `notify`, as CTEs of the caller's statement, to save a round trip. The statement must return `RECIPIENTS` for `send`. */
export function withNotices(query: Pick<Tx, 'with'>, notices: readonly Notice[]) {
  const asked = JSON.stringify(notices.flatMap((notice, n) => rowsOf(notice).map((row) => ({ n, ...row }))));
  return query
    .with(
      'asked',
      () => sql`(SELECT gen_random_uuid() AS id, a.n, coalesce(a.user_id, z.id) AS user_id, CASE WHEN z.id IS NULL THEN a.role END AS role,
        a.except_id, a.tipo, a.texto, a.enlace, a.pedido_id, a.push, a.mail, a.renews
      FROM json_to_recordset(${asked}) AS a (n int, user_id uuid, role text, except_id uuid, tipo text, texto text, enlace text, pedido_id uuid,
        push boolean, mail boolean, renews boolean, zoned boolean, postcode text)
      LEFT JOIN users z ON a.zoned AND ${settingSql('deliveryZones')} = 'solo' AND z.role = a.role AND z.id IS DISTINCT FROM a.except_id
        AND (z.zonas IS NULL OR en_zonas(z.zonas, a.postcode))
      WHERE z.id IS NOT NULL OR NOT (a.zoned AND ${settingSql('deliveryZones')} = 'solo'))`,
    )
    .with(
      'renewed',
      () => sql`(DELETE FROM notifications o USING asked a
      WHERE a.renews AND o.tipo = a.tipo AND o.pedido_id = a.pedido_id AND (o.user_id = a.user_id OR o.role = a.role)
        AND dia_negocio(o.created_at) = dia_negocio(now())
      RETURNING a.id)`,
    )
    .with(
      'written',
      () => sql`(INSERT INTO notifications (id, user_id, role, except_id, tipo, texto, enlace, pedido_id)
      SELECT id, user_id, role, CASE WHEN role IS NOT NULL THEN except_id END, tipo, texto, enlace, pedido_id FROM asked a
      WHERE role IS NOT NULL OR EXISTS (SELECT FROM users u WHERE u.id = a.user_id AND u.is_active AND u.deleted_at IS NULL)
      RETURNING id)`,
    )
    .with(
      'people',
      () => sql`(SELECT a.n, a.id, u.id AS user_id, u.email, a.mail,
        a.push AND EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = u.id) AS push
      FROM written JOIN asked a ON a.id = written.id AND NOT EXISTS (SELECT FROM renewed r WHERE r.id = a.id) JOIN users u ON u.id = a.user_id OR u.role = a.role
      WHERE u.is_active AND u.deleted_at IS NULL AND u.id IS DISTINCT FROM a.except_id)`,
    );
}

export type Recipients = {
  settings: StoredSettings;
  people: { n: number; id: string; user_id: string; email: string; push: boolean; mail: boolean }[];
};

const recipients = sql<Recipients | null>`(
  SELECT json_build_object('people', json_agg(p), 'settings', (SELECT data FROM settings)) FROM people p WHERE push OR mail HAVING count(*) > 0)`;

/** Recipients of mail and push, with the settings; null if there are none. */
export const RECIPIENTS = recipients.as('recipients');

/** Like `RECIPIENTS`, for a statement that returns many rows: null except where `row` is true. */
export const recipientsIn = (row: Expression<SqlBool>) => sql<Recipients | null>`CASE WHEN ${row} THEN ${recipients} END`.as('recipients');

/** Queues push and e-mail for stored notices and updates the bells. */
export async function sendNotices(tx: Tx, notices: readonly Notice[], recipients: Recipients | null): Promise<void> {
  if (recipients) {
    const settings = settingsFrom(recipients.settings);
    const pushed = recipients.people.filter(({ push }) => push);
    if (pushed.length) await queuePushes(tx, settings, pushed);
    const mailed = recipients.people.filter(({ mail }) => mail);
    await queueMails(
      tx,
      settings,
      notices.map(({ texto, enlace }, n) => ({ people: mailed.filter((recipient) => recipient.n === n), asunto: texto, texto, enlace })),
    );
  }
  // Roles instead of ids: a NOTIFY payload is limited to 8000 bytes.
  const asked = notices.flatMap(rowsOf);
  const [roles, users] = [asked.flatMap(({ role }) => role ?? []), asked.flatMap(({ user_id }) => user_id ?? [])];
  if (asked.length) emit(tx, { topic: 'notifications', roles: [...new Set(roles)], users: [...new Set(users)] });
}

function rowsOf({ roles = [], users = [], except = null, quiet = false, mail = false, ...notice }: Notice) {
  const row = { ...notice, except_id: except, push: !quiet, mail, zoned: notice.postcode !== undefined };
  return [
    ...users.filter((id) => id && id !== except).map((user_id) => ({ ...row, user_id, role: null })),
    ...roles.map((role) => ({ ...row, user_id: null, role })),
  ];
}

/** Adds CTEs to `query` that delete the orders' offers, to save a round trip. */
export function withOffersWithdrawn(tx: Tx, query: Pick<Tx, 'with'>, pedidos: readonly string[]): Pick<Tx, 'with'> {
  emit(tx, { topic: 'notifications', roles: ['transportista'] });
  return dropCtes(
    query.with('withdrawn', (db) =>
      db.deleteFrom('notifications').where('pedido_id', '=', sql<string>`ANY (${pedidos}::uuid[])`).where('tipo', '=', 'pedido_disponible'),
    ),
  );
}

/** Deletes an author's notices of a type from the last `minutes` that name no order: a newer notice includes their count. */
export async function withdrawUnlinked(tx: Tx, tipo: NotificationType, author: string | null, minutes: number): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('tipo', '=', tipo)
    .where('except_id', '=', author)
    .where('pedido_id', 'is', null)
    .where('created_at', '>', sql<string>`now() - ${minutes} * interval '1 minute'`)
    .execute();
}

/** Notifies the superadmins, except the author, by bell and mail: the author may be an impostor. */
export const notifySuperadmins = (tx: Tx, actor: Actor, tipo: NotificationType, texto: string, enlace: string): Promise<void> =>
  notify(tx, { tipo, texto, enlace, roles: ['superadmin'], except: actor.id, mail: true });

/** Notifies the other superadmins of changed settings that require step-up, and of the network opened or closed. */
export async function notifyOfSettings(tx: Tx, { actor, changed, isShorter, opened }: SettingsChange): Promise<void> {
  if (opened !== undefined) {
    const done = opened ? 'abierto Enruta a los teléfonos de la misma wifi' : 'cerrado Enruta a los teléfonos de la wifi';
    return notifySuperadmins(tx, actor, 'configuracion_cambiada', `${actor.full_name} ha ${done}`, '/telefono');
  }
  const words = provenWords(changed);
  if (words.length === 0) return;
  const list = new Intl.ListFormat('es').format(words);
  const later = isShorter ? '. Lo que ahora se borra antes se conserva todavía un día' : '';
  await notifySuperadmins(tx, actor, 'configuracion_cambiada', `${actor.full_name} ha cambiado ${list}${later}`, '/configuracion');
}
