import { sql } from 'kysely';
import webpush from 'web-push';
import type { Settings } from '../../contract/settings.ts';
import type { Db } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { readSettings } from '../settings/settings.ts';
import { type PushRequest, type Send, sendPush } from './send.ts';
import { type Vapid, vapidKeys } from './vapid.ts';

const LEASE = '2 minutes';
const AT_ONCE = 10;
/** A push that is a day old tells nobody anything new. */
const TTL_SECONDS = 24 * 3600;
/** What fits into a push whatever its characters are (RFC 8030, section 7.2: 4096 bytes at least). */
const MAX_TEXT = 600;

type Row = {
  notification_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  texto: string;
  enlace: string;
  /** Nobody is told who is out, who has read it already, or so late. */
  wanted: boolean;
};

/**
 * Sends what is due. A push is leased, sent, then forgotten: a process killed in between leaves the lease to run
 * out, and the second sending carries the same tag, under which a browser shows one. A failure is tried again,
 * later each time, for a day; a subscription that its service no longer knows is forgotten. Returns how many were sent.
 */
export async function sendDuePushes(db: Db, config: Pick<Config, 'secretKey' | 'publicUrl'>, send: Send = sendPush): Promise<number> {
  const settings = await readSettings(db);
  if (!settings.pushNotifications) {
    await db.deleteFrom('pushes').execute();
    return 0;
  }
  const keys = vapidKeys(config.secretKey);
  const subject = subjectOf(settings, config.publicUrl);
  let sent = 0;
  for (;;) {
    const rows = await lease(db);
    if (rows.length === 0) return sent;
    const results = await Promise.all(rows.map((row) => deliver(db, row, async () => send(requestOf(row, settings, keys, subject)))));
    sent += results.filter(Boolean).length;
  }
}

async function lease(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    WITH next AS (SELECT notification_id, endpoint FROM pushes WHERE due_at <= now() ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
    UPDATE pushes p SET due_at = now() + ${LEASE}::interval, attempts = p.attempts + 1
    FROM next x JOIN notifications n ON n.id = x.notification_id JOIN push_subscriptions s ON s.endpoint = x.endpoint
      JOIN users u ON u.id = s.user_id
    WHERE p.notification_id = x.notification_id AND p.endpoint = x.endpoint
    RETURNING p.notification_id, p.endpoint, s.p256dh, s.auth, n.texto, n.enlace,
      u.is_active AND u.deleted_at IS NULL AND n.read_at IS NULL
        AND n.created_at > now() - make_interval(secs => ${TTL_SECONDS}) AS wanted`.execute(db);
  return rows;
}

/** True when it was sent. */
async function deliver(db: Db, row: Row, send: () => Promise<number>): Promise<boolean> {
  const { notification_id, endpoint } = row;
  const forget = () => db.deleteFrom('pushes').where('notification_id', '=', notification_id).where('endpoint', '=', endpoint).execute();
  if (!row.wanted) {
    await forget();
    return false;
  }
  const status = await send().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  if (typeof status === 'number' && status >= 200 && status < 300) {
    await forget();
    return true;
  }
  // The browser has ended it, or its service has: what waits for it goes with it. The keys are looked at because
  // somebody may have subscribed anew in the meantime.
  if (status === 404 || status === 410)
    await db.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).where('auth', '=', row.auth).execute();
  else await postpone(db, row, typeof status === 'number' ? `El servicio respondió ${status}` : status);
  return false;
}

async function postpone(db: Db, { notification_id, endpoint }: Row, error: string) {
  await sql`
    UPDATE pushes SET error = ${error.slice(0, 300)}, due_at = now() + least(interval '1 hour', interval '30 seconds' * power(2, least(attempts, 10) - 1))
    WHERE notification_id = ${notification_id} AND endpoint = ${endpoint}`.execute(db);
}

function requestOf(row: Row, { companyName }: Settings, { publicKey, privateKey }: Vapid, subject: string): PushRequest {
  const { notification_id: tag, endpoint, p256dh, auth, texto, enlace } = row;
  const payload = JSON.stringify({ title: companyName || 'Enruta', body: texto.slice(0, MAX_TEXT), url: enlace, tag });
  const { headers, body } = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject, publicKey, privateKey },
    TTL: TTL_SECONDS,
    // While it has not been shown, a repeated one takes the place of the first.
    topic: tag.replaceAll('-', ''),
  });
  return { endpoint, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), body };
}

// Whom a push service may write to about this installation (RFC 8292, section 2.1).
function subjectOf({ companyEmail }: Settings, publicUrl: string | undefined): string {
  if (companyEmail) return `mailto:${companyEmail}`;
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:avisos@enruta.invalid';
}
