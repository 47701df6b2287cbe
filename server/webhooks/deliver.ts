import { type Actor, mayEver, SISTEMA } from '../../contract/policy/policy.ts';
import { eventAction, TEST_EVENT } from '../../contract/webhooks/fields.ts';
import { findProgramById } from '../api-keys/find.ts';
import { type Db, transact } from '../db/open.ts';
import { Undeliverable } from '../kit/no-answer.ts';
import { notify } from '../notifications/notify.ts';
import type { Message } from '../outbox/outbox.ts';
import type { Payload } from './payload.ts';
import { type Sending, sendWebhook } from './send.ts';
import { deactivate } from './webhooks.ts';

const mayHear = (owner: Actor, tipo: Payload['tipo']) => tipo === TEST_EVENT || mayEver(owner, eventAction(tipo));

/** Sends a message; false if the webhook or its key is gone. Throws a Spanish sentence unless 2xx; a 410 deactivates the webhook. */
export async function deliver(db: Db, message: Message<Payload>, given: Sending, { anyway = false } = {}): Promise<boolean> {
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
  const status = await sendWebhook({ url, secreto, con_precios, owner }, message, given);
  if (status >= 200 && status < 300) return true;
  if (status === 410) await gone(db, id, url);
  throw new Undeliverable(`Ha respondido ${status}`, new URL(url).host);
}

async function gone(db: Db, id: string, url: string): Promise<void> {
  await transact(db, async (tx) => {
    // The address may have changed meanwhile.
    const row = await tx.selectFrom('webhooks').selectAll().where('id', '=', id).where('url', '=', url).forUpdate().executeTakeFirst();
    if (!row?.is_active) return;
    await deactivate(tx, SISTEMA, row);
    await notify(tx, {
      tipo: 'webhook_desactivado',
      texto: `Webhook desactivado: ${new URL(url).host} dice que ya no quiere los avisos`,
      roles: ['superadmin'],
      enlace: '/configuracion?tab=integrations',
      mail: true,
    });
  });
}
