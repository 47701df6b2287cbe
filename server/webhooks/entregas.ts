import { type Selectable, sql } from 'kysely';
import type { Answer, QueryOut } from '../../contract/kit/endpoint.ts';
import { asPage } from '../../contract/kit/endpoint.ts';
import { type Actor, can, rolesOf } from '../../contract/policy/policy.ts';
import { TEST_EVENT } from '../../contract/webhooks/fields.ts';
import type { Entrega, listEntregas as listEndpoint, testWebhook as testEndpoint } from '../../contract/webhooks/webhooks.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { deliverNow, requeue } from '../outbox/outbox.ts';
import { deliver } from './deliver.ts';
import { type Payload, payloadOf } from './payload.ts';
import type { Sending } from './send.ts';

/** Returns the deliveries of a webhook, newest first. Throws 404. */
export async function listEntregas(
  db: Db,
  actor: Actor,
  id: string,
  query: QueryOut<typeof listEndpoint>,
): Promise<Answer<typeof listEndpoint>> {
  await hookOf(db, actor, id);
  const { page, per_page } = query;
  const { rows } = await sql<Entrega>`
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
export async function resend(db: Db, actor: Actor, id: string): Promise<void> {
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
    await requeue(tx, 'webhook', id);
    await told(tx, actor, recipient, `Webhook reenviado (${payload.tipo}): ${new URL(hook.url).host}`);
  });
}

/** Sends a test at once, even to an inactive webhook, and returns the result. Throws 404. */
export async function testWebhook(db: Db, actor: Actor, id: string, given: Sending): Promise<Answer<typeof testEndpoint>> {
  const { url } = await hookOf(db, actor, id);
  const message = { recipient: id, payload: payloadOf(TEST_EVENT, { mensaje: 'Prueba de Enruta' }) };
  const error = await deliverNow<Payload>(db, 'webhook', message, (one) => deliver(db, one, given, { anyway: true }));
  await transact(db, (tx) => told(tx, actor, id, `Webhook probado: ${new URL(url).host}`));
  return error === undefined
    ? { message: 'La prueba ha llegado', data: { enviado: true, error: null } }
    : { message: `La prueba no ha llegado. ${error}.`, data: { enviado: false, error } };
}

async function told(tx: Tx, actor: Actor, id: string, description: string): Promise<void> {
  await audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'webhook', entity_id: id, description });
  emit(tx, { topic: 'webhooks', roles: rolesOf('webhook:manage') });
}

async function hookOf(db: Db | Tx, actor: Actor, id: string): Promise<Pick<Selectable<Tables['webhooks']>, 'url' | 'is_active'>> {
  const hook = await db.selectFrom('webhooks').select(['url', 'is_active', 'api_key_id']).where('id', '=', id).executeTakeFirst();
  if (!hook || !can(actor, 'webhook:manage', hook)) throw notFound();
  return hook;
}
