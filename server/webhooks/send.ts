import { Webhook } from 'standardwebhooks';
import type { Actor } from '../../contract/policy/policy.ts';
import type { Config } from '../kit/config.ts';
import { sentenceOfNoAnswer, Undeliverable } from '../kit/no-answer.ts';
import { post } from '../kit/post.ts';
import { decrypt } from '../kit/secrets.ts';
import type { Message } from '../outbox/outbox.ts';
import type { Payload } from './payload.ts';
import { shownTo } from './shown.ts';

export type Sending = Pick<Config, 'secretKey' | 'publicUrl' | 'webhooksPrivate'> & { timeoutMs?: number };
/** `owner` is the program that created the webhook, or `sistema`. Only data that the owner may see is sent. */
type Hook = { url: string; secreto: string; con_precios: boolean; owner: Actor };

/** Thrown if the address does not answer. */
export class NoAnswer extends Undeliverable {}

/** Signs and posts a message (Standard Webhooks). Returns the status; throws `NoAnswer` with a Spanish sentence. */
export async function sendWebhook(hook: Hook, message: Pick<Message<Payload>, 'id' | 'payload'>, given: Sending): Promise<number> {
  const { url, secreto, con_precios, owner } = hook;
  const { evento: id = message.id, tipo, timestamp, data } = message.payload;
  const body = JSON.stringify({ type: tipo, timestamp, data: shownTo(owner, data, { con_precios, origin: given.publicUrl }) });
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Enruta',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(decrypt(given.secretKey, secreto)).sign(id, at, body),
  };
  return post({ url, headers, body, anywhere: given.webhooksPrivate, timeoutMs: given.timeoutMs }).catch((error: unknown) => {
    throw new NoAnswer(sentenceOfNoAnswer(error), new URL(url).host);
  });
}
