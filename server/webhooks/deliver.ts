import { type Selectable, sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { type Answer, asPage, type QueryOut } from '../../contract/kit/endpoint.ts';
import { type Actor, can, mayEver, rolesOf, SISTEMA } from '../../contract/policy/policy.ts';
import { eventAction, TEST_EVENT } from '../../contract/webhooks/fields.ts';
import type { EntregaWebhook, listEntregas as listEndpoint, testWebhook as testEndpoint } from '../../contract/webhooks/webhooks.ts';
import { findProgramById } from '../api-keys/api-keys.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import type { Config } from '../kit/config.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { sentenceOfNoAnswer, Undeliverable } from '../kit/no-answer.ts';
import { postToUrl } from '../kit/post.ts';
import { decrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { deliverNow, type Message, requeueMessages } from '../outbox/outbox.ts';
import { type Payload, webhookPayload } from './payload.ts';
import { shownTo } from './shown.ts';
import { deactivateWebhook } from './webhooks.ts';

const mayHear = (owner: Actor, tipo: Payload['tipo']) => tipo === TEST_EVENT || mayEver(owner, eventAction(tipo));

/** Sends a message; false if the webhook or its key is gone. Throws a Spanish sentence unless 2xx; a 410 deactivates the webhook. */
export async function deliverWebhook(db: Db, message: Message<Payload>, sending: Sending, { anyway = false } = {}): Promise<boolean> {
  const id = message.recipient;
  const hook = await db
    .selectFrom('webhooks')
    .select(['url', 'secreto', 'con_precios', 'is_active', 'api_key_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!hook) return false;
  const { url, secreto, con_precios, is_active, api_key_id } = hook;
  const owner = api_key_id ? await findProgramById(db, api_key_id) : SISTEMA;
  if (!owner || !mayHear(owner, message.payload.tipo)) {
    if (anyway) throw new Error('La clave que lo creó ya no vale');
    return false;
  }
  if (!secreto) throw new Error('No tiene secreto con el que firmar');
  if (!is_active && !anyway) throw new Error('El webhook está desactivado');
  const status = await sendWebhook({ url, secreto, con_precios, owner }, message, sending);
  if (status >= 200 && status < 300) return true;
  if (status === 410) await gone(db, id, url);
  throw new Undeliverable(`Ha respondido ${status}`, new URL(url).host);
}

async function gone(db: Db, id: string, url: string): Promise<void> {
  await transact(db, async (tx) => {
    // The address may have changed meanwhile.
    const row = await tx.selectFrom('webhooks').selectAll().where('id', '=', id).where('url', '=', url).forUpdate().executeTakeFirst();
    if (!row?.is_active) return;
    await deactivateWebhook(tx, SISTEMA, row);
    await notify(tx, {
      tipo: 'webhook_desactivado',
      texto: `Webhook desactivado: ${new URL(url).host} dice que ya no quiere los avisos`,
      roles: ['superadmin'],
      enlace: '/configuracion?tab=integrations',
      mail: true,
    });
  });
}

export type Sending = Pick<Config, 'secretKey' | 'publicUrl' | 'webhooksPrivate'> & { timeoutMs?: number };
/** `owner` is the program that created the webhook, or `sistema`. Only data that the owner may see is sent. */
type Hook = { url: string; secreto: string; con_precios: boolean; owner: Actor };

/** Thrown if the address does not answer. */
export class NoAnswer extends Undeliverable {}

/** Signs and posts a message (Standard Webhooks). Returns the status; throws `NoAnswer` with a Spanish sentence. */
export async function sendWebhook(hook: Hook, message: Pick<Message<Payload>, 'id' | 'payload'>, sending: Sending): Promise<number> {
  const { url, secreto, con_precios, owner } = hook;
  const { evento: id = message.id, tipo, timestamp, data } = message.payload;
  const body = JSON.stringify({
    type: tipo,
    timestamp,
    data: shownTo(owner, data, { at: timestamp, con_precios, origin: sending.publicUrl }),
  });
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Enruta',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(decrypt(sending.secretKey, secreto)).sign(id, at, body),
  };
  return postToUrl({ url, headers, body, anywhere: sending.webhooksPrivate, timeoutMs: sending.timeoutMs }).catch((error: unknown) => {
    throw new NoAnswer(sentenceOfNoAnswer(error), new URL(url).host);
  });
}

/** Returns the deliveries of a webhook, newest first. Throws 404. */
export async function listEntregas(
  db: Db,
  actor: Actor,
  id: string,
  query: QueryOut<typeof listEndpoint>,
): Promise<Answer<typeof listEndpoint>> {
  await hookOf(db, actor, id);
  const { page, per_page } = query;
  const { rows } = await sql<EntregaWebhook>`
    SELECT o.id, o.payload->>'tipo' AS tipo, o.created_at, o.attempts AS intentos,
      coalesce(o.payload->'data'->'pedido'->>'numero_orden', o.payload->'data'->'producto'->>'name') AS asunto,
      CASE WHEN o.sent_at IS NOT NULL THEN 'enviado' WHEN o.failed_at IS NOT NULL THEN 'fallido' ELSE 'esperando' END AS estado,
      CASE WHEN o.sent_at IS NULL THEN o.error END AS error,
      CASE WHEN o.sent_at IS NULL AND o.failed_at IS NULL THEN o.due_at END AS proximo_at
    FROM outbox o WHERE o.channel = 'webhook' AND o.recipient = ${id}
    ORDER BY o.created_at DESC, o.id LIMIT ${per_page} OFFSET ${(page - 1) * per_page}`.execute(db);
  const { total } = await db
    .selectFrom('outbox')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('channel', '=', 'webhook')
    .where('recipient', '=', id)
    .executeTakeFirstOrThrow();
  return asPage(rows, total, query);
}

/** Resends a delivery under its `webhook-id`. Throws 404, 409 while the delivery is pending or its webhook inactive. */
export async function resendWebhook(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const { recipient, payload, sent_at, failed_at } = await tx
      .selectFrom('outbox')
      .select(['recipient', 'payload', 'sent_at', 'failed_at'])
      .where('id', '=', id)
      .where('channel', '=', 'webhook')
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    const hook = await hookOf(tx, actor, recipient);
    if (!sent_at && !failed_at) throw conflict('Todavía se está intentando enviar');
    if (!hook.is_active) throw conflict('El webhook está desactivado: actívalo antes');
    await requeueMessages(tx, 'webhook', id);
    await recordTest(tx, actor, recipient, `Webhook reenviado (${payload.tipo}): ${new URL(hook.url).host}`);
  });
}

/** Sends a test at once, even to an inactive webhook, and returns the result. Throws 404. */
export async function testWebhook(db: Db, actor: Actor, id: string, sending: Sending): Promise<Answer<typeof testEndpoint>> {
  const { url } = await hookOf(db, actor, id);
  const message = { recipient: id, payload: webhookPayload(TEST_EVENT, { mensaje: 'Prueba de Enruta' }) };
  const error = await deliverNow<Payload>(db, 'webhook', message, (taken) => deliverWebhook(db, taken, sending, { anyway: true }));
  await transact(db, (tx) => recordTest(tx, actor, id, `Webhook probado: ${new URL(url).host}`));
  return error === undefined
    ? { message: 'La prueba ha llegado', data: { enviado: true, error: null } }
    : { message: `La prueba no ha llegado. ${error}.`, data: { enviado: false, error } };
}

async function recordTest(tx: Tx, actor: Actor, id: string, description: string): Promise<void> {
  await audit(tx, actor, { action: 'update', entity_type: 'webhook', entity_id: id, description });
  emit(tx, { topic: 'webhooks', roles: rolesOf('webhook:manage') });
}

async function hookOf(db: Db | Tx, actor: Actor, id: string): Promise<Pick<Selectable<Tables['webhooks']>, 'url' | 'is_active'>> {
  const hook = await db.selectFrom('webhooks').select(['url', 'is_active', 'api_key_id']).where('id', '=', id).executeTakeFirst();
  if (!hook || !can(actor, 'webhook:manage', hook)) throw notFound();
  return hook;
}
