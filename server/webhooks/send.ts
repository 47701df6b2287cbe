import { Webhook } from 'standardwebhooks';
import { FIELDS_CARRIED } from '../../contract/pedidos.access.ts';
import type { Pedido } from '../../contract/pedidos.ts';
import type { Config } from '../kit/config.ts';
import { sentenceOfNoAnswer, Undeliverable } from '../kit/no-answer.ts';
import { post } from '../kit/post.ts';
import { decrypt } from '../kit/secrets.ts';
import type { Message } from '../outbox/outbox.ts';
import type { Payload } from './queue.ts';

export type Sending = Pick<Config, 'secretKey' | 'publicUrl' | 'webhooksPrivate'> & { timeoutMs?: number };
type Hook = { url: string; secreto: string; con_precios: boolean };

/** The address did not answer. */
export class NoAnswer extends Undeliverable {}

/** Signs and posts a message (Standard Webhooks). Returns the status; throws `NoAnswer` with a Spanish sentence. */
export async function sendWebhook(hook: Hook, { id, payload }: Pick<Message<Payload>, 'id' | 'payload'>, given: Sending): Promise<number> {
  const { url, secreto, con_precios } = hook;
  const { tipo, timestamp, data } = payload;
  const shown = 'pedido' in data ? { pedido: con_precios ? withOrigin(data.pedido, given.publicUrl) : withoutPrices(data.pedido) } : data;
  const body = JSON.stringify({ type: tipo, timestamp, data: shown });
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

const withOrigin = (pedido: Pedido, origin = ''): Pedido => ({
  ...pedido,
  payment_link: pedido.payment_link && `${origin}${pedido.payment_link}`,
});

const SEEN_WITHOUT_PRICES: readonly string[] = [...FIELDS_CARRIED, 'seguimiento_url'];

// An allow-list, so that new prices stay hidden. Applied on sending, so that pending messages follow the current setting.
const withoutPrices = ({ lineas = [], ...pedido }: Pedido) => ({
  ...Object.fromEntries(Object.entries(pedido).filter(([name]) => SEEN_WITHOUT_PRICES.includes(name))),
  lineas: lineas.map(({ numero, producto, cantidad }) => ({ numero, producto, cantidad })),
});
