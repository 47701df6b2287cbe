import { createECDH, createPublicKey, hkdfSync } from 'node:crypto';
import { sql } from 'kysely';
import type { Answer, BodyOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { MAX_SUBSCRIPTIONS } from '../../contract/push/fields.ts';
import type { getPush, subscribePush as subscribe } from '../../contract/push/push.ts';
import type { Settings } from '../../contract/settings/values.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { conflict, DomainError, forbidden, invalid } from '../kit/errors.ts';
import { queueMessages } from '../outbox/outbox.ts';
import { readSettings } from '../settings/settings.ts';

/** Placeholder in a shop without e-mail and https address; Apple refuses this contact. */
const NO_CONTACT = 'mailto:avisos@enruta.invalid';

/** Contact for push services about this installation (RFC 8292, section 2.1). */
export function pushContact({ companyEmail }: Settings, publicUrl: string | undefined): string {
  if (companyEmail) return `mailto:${companyEmail}`;
  return publicUrl?.startsWith('https:') ? publicUrl : NO_CONTACT;
}

type Keys = Pick<Config, 'secretKey' | 'publicUrl'>;
/** Returns whether push is enabled, the public key and the caller's browsers. */
export async function readPush(db: Db, actor: Actor, { secretKey, publicUrl }: Keys): Promise<Answer<typeof getPush>['data']> {
  const settings = await readSettings(db);
  const enabled = settings.pushNotifications;
  const devices = await db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'user_agent', 'created_at'])
    .where('user_id', '=', personOf(actor))
    .orderBy('created_at', 'desc')
    .orderBy('endpoint')
    .execute();
  return { enabled, public_key: vapidKeys(secretKey).publicKey, apple: pushContact(settings, publicUrl) !== NO_CONTACT, devices };
}

/** `session` is a token hash. */
type From = { session: string; userAgent: string | undefined };

/** Subscribes a browser; takes over another user's subscription only with the same keys. Throws 409 while push is off, 422 for wrong keys, 401 without session. */
export async function subscribePush(db: Db, actor: Actor, { endpoint, keys }: BodyOut<typeof subscribe>, from: From): Promise<void> {
  const user_id = personOf(actor);
  const [p256dh, auth] = [keys.p256dh.replace(/=+$/, ''), keys.auth.replace(/=+$/, '')];
  if (!isPoint(p256dh)) throw invalid('keys', 'Clave no válida');
  await transact(db, async (tx) => {
    const { pushNotifications } = await readSettings(tx);
    if (!pushNotifications) throw conflict('Los avisos en el navegador están desactivados en la configuración');
    // Locks the session, so that ending it also ends this subscription.
    const session = await tx.selectFrom('sessions').select('user_id').where('token_hash', '=', from.session).forShare().executeTakeFirst();
    if (!session) throw new DomainError(401, 'Usuario no autenticado');
    const known = await tx.selectFrom('push_subscriptions').selectAll().where('endpoint', '=', endpoint).forUpdate().executeTakeFirst();
    const same = known?.p256dh === p256dh && known.auth === auth;
    const made = { session_hash: from.session, user_agent: from.userAgent?.slice(0, 300) ?? null };
    if (known?.user_id === user_id && same) {
      await tx.updateTable('push_subscriptions').set(made).where('endpoint', '=', endpoint).execute();
      return;
    }
    if (known && known.user_id !== user_id && !same) throw invalid('endpoint', 'Esta suscripción es de otro navegador');
    // Drops pending pushes of the previous user: push.job.ts requires a subscription of the recipient.
    if (known) await tx.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute();
    await tx
      .insertInto('push_subscriptions')
      .values({ endpoint, user_id, p256dh, auth, ...made })
      .onConflict((on) => on.doNothing())
      .execute();
    await sql`
      DELETE FROM push_subscriptions WHERE user_id = ${user_id} AND endpoint NOT IN (
        SELECT endpoint FROM push_subscriptions WHERE user_id = ${user_id}
        ORDER BY endpoint = ${endpoint} DESC, created_at DESC LIMIT ${MAX_SUBSCRIPTIONS})`.execute(tx);
    await note(tx, actor, 'Avisos en un navegador activados');
  });
}

export async function unsubscribePush(db: Db, actor: Actor, endpoint: string): Promise<void> {
  await transact(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('push_subscriptions')
      .where('endpoint', '=', endpoint)
      .where('user_id', '=', personOf(actor))
      .executeTakeFirst();
    if (numDeletedRows) await note(tx, actor, 'Avisos en un navegador desactivados');
  });
}

/** Ends a person's subscriptions, except those of the session `except` (a token hash). */
export async function endSubscriptionsOf(tx: Tx, userId: string, except?: string): Promise<void> {
  let query = tx.deleteFrom('push_subscriptions').where('user_id', '=', userId);
  if (except !== undefined) query = query.where('session_hash', 'is distinct from', except);
  await query.execute();
}

/** Ends the subscriptions of a session (a token hash): after sign-out, a shared browser shows no more orders. */
export async function endSubscriptionsMadeIn(tx: Tx, tokenHash: string): Promise<void> {
  await tx.deleteFrom('push_subscriptions').where('session_hash', '=', tokenHash).execute();
}

const note = (tx: Parameters<typeof audit>[0], actor: Actor, description: string) =>
  audit(tx, actor, { action: 'update', entity_type: 'profile', entity_id: actor.id, description });

function personOf({ id }: Actor): string {
  if (id === null) throw forbidden();
  return id;
}

/** True for an uncompressed point on the curve; encrypting to anything else would fail. */
function isPoint(p256dh: string): boolean {
  const bytes = Buffer.from(p256dh, 'base64url');
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  const [x, y] = [bytes.subarray(1, 33).toString('base64url'), bytes.subarray(33).toString('base64url')];
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }).type === 'public';
  } catch {
    return false;
  }
}

/** Queues notices for the browsers of their recipients in the caller's transaction, if push is enabled. */
export async function queuePushes(tx: Tx, { pushNotifications }: Settings, notices: { id: string; user_id: string }[]): Promise<void> {
  if (!pushNotifications) return;
  const people = notices.map(({ user_id }) => user_id);
  const browsers = await tx.selectFrom('push_subscriptions').select(['user_id', 'endpoint']).where('user_id', 'in', people).execute();
  const messages = notices.flatMap(({ id: notification_id, user_id }) =>
    browsers
      .filter((browser) => browser.user_id === user_id)
      .map(({ endpoint: recipient }) => ({ recipient, payload: { notification_id } })),
  );
  await queueMessages(tx, 'push', messages);
}

// Order of the P-256 curve.
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export type Vapid = { publicKey: string; privateKey: string };

/** Key pair of this installation (RFC 8292), in base64url; derived from `SECRET_KEY`, so that all instances share it. */
export function vapidKeys(secretKey: string): Vapid {
  // 16 bytes more than the order needs, so that the remainder is unbiased (FIPS 186-5, A.2.1).
  const seed = BigInt(`0x${Buffer.from(hkdfSync('sha256', secretKey, '', 'enruta vapid', 48)).toString('hex')}`);
  const privateKey = Buffer.from(((seed % (ORDER - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}
