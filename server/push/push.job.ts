import { sql } from 'kysely';
import type { Settings } from '../../contract/settings/values.ts';
import type { Db } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { sentenceOfNoAnswer, Undeliverable } from '../kit/no-answer.ts';
import { postToUrl } from '../kit/post.ts';
import { abandonMessages, deliverDue } from '../outbox/outbox.ts';
import { readSettings } from '../settings/settings.ts';
import { pushContact, type Vapid, vapidKeys } from './push.ts';

/** Half of the database's connections, leaving the others to requests. */
const AT_ONCE = 5;
/** Pushes older than a day are no longer news. */
const TTL_SECONDS = 24 * 3600;
/** Characters that fit into a push in any script (RFC 8030, section 7.2: at least 4096 bytes). */
const MAX_TEXT = 600;

type Row = { tag: string; texto: string; enlace: string; endpoint: string; p256dh: string; auth: string };

/** Sends due pushes; returns how many. A retry keeps its tag, so that the browser shows the push once. Discards all while disabled. */
export async function sendDuePushes(db: Db, config: Pick<Config, 'secretKey' | 'publicUrl'>, send: Send = sendPush): Promise<number> {
  const settings = await readSettings(db);
  if (!settings.pushNotifications) {
    await abandonMessages(db, 'Avisos en el navegador desactivados', 'push');
    return 0;
  }
  const keys = vapidKeys(config.secretKey);
  const subject = pushContact(settings, config.publicUrl);
  const deliver = async (notification: string, endpoint: string): Promise<boolean> => {
    const row = await readWanted(db, notification, endpoint);
    if (!row) return false;
    const { host } = new URL(endpoint);
    const status = await send(await requestOf(row, settings, keys, subject)).catch((error: unknown) => {
      throw new Undeliverable(sentenceOfNoAnswer(error), host);
    });
    if (status >= 200 && status < 300) return true;
    if ((status === 404 || status === 410) && (await endSubscription(db, row))) return false;
    throw new Undeliverable(`El servicio respondió ${status}`, host);
  };
  return deliverDue<{ notification_id: string }>(
    db,
    'push',
    ({ recipient, payload }) => deliver(payload.notification_id, recipient),
    AT_ONCE,
  );
}

// Skips inactive people, read notices, reassigned browsers, and pushes past their TTL.
async function readWanted(db: Db, notification: string, endpoint: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    SELECT n.id AS tag, n.texto, n.enlace, s.endpoint, s.p256dh, s.auth
    FROM notifications n JOIN users u ON u.id = n.user_id OR u.role = n.role JOIN push_subscriptions s ON s.user_id = u.id
    LEFT JOIN notification_readers h ON h.user_id = u.id
    WHERE n.id = ${notification} AND s.endpoint = ${endpoint} AND u.is_active AND u.deleted_at IS NULL
      AND n.except_id IS DISTINCT FROM u.id AND (n.created_at <= h.read_until) IS NOT TRUE
      AND NOT EXISTS (SELECT FROM notification_reads r WHERE r.user_id = u.id AND r.notification_id = n.id)
      AND n.created_at > now() - make_interval(secs => ${TTL_SECONDS})`.execute(db);
  return rows[0];
}

// Returns false if the browser has resubscribed with other keys.
async function endSubscription(db: Db, { endpoint, auth }: Row): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM push_subscriptions WHERE endpoint = ${endpoint} AND auth = ${auth}`.execute(db);
  return numAffectedRows === 1n;
}

async function requestOf(row: Row, { companyName }: Settings, { publicKey, privateKey }: Vapid, subject: string): Promise<PushRequest> {
  const { tag, endpoint, p256dh, auth, texto, enlace } = row;
  const payload = JSON.stringify({ title: companyName || 'Enruta', body: texto.slice(0, MAX_TEXT), url: enlace, tag });
  const { default: webpush } = await import('web-push');
  const { headers, body } = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject, publicKey, privateKey },
    TTL: TTL_SECONDS,
    // A retry replaces a push that still waits at the push service.
    topic: tag.replaceAll('-', ''),
  });
  return { endpoint, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), body };
}

export type PushRequest = { endpoint: string; headers: Record<string, string>; body: Uint8Array };
/** Returns the push service's status; throws without a response. */
export type Send = (push: PushRequest) => Promise<number>;

export const sendPush: Send = ({ endpoint: url, headers, body }) => postToUrl({ url, headers, body });
