import { sql } from 'kysely';
import { ESTADO, type Estado } from '../../contract/pedidos/estados.ts';
import { type Db, transact } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { sentenceOfNoAnswer, Undeliverable } from '../kit/no-answer.ts';
import { post } from '../kit/post.ts';
import { drain, enqueue, type Message } from '../outbox/outbox.ts';
import { readSecretSettings } from '../settings/settings.ts';

type Given = Pick<Config, 'secretKey' | 'webhooksPrivate'>;
/** Id of a row of `tienda_pedidos`. Estado and tracking number are read when sending, so that the queue holds no customer data. */
type Payload = { tienda: string };

/** WooCommerce's status by estado. Other estados change no status; the shop gets them as metadata and a note. */
const WOO_STATUS: Partial<Record<Estado, string>> = { completado: 'completed', cancelado: 'cancelled' };

const said = sql<string>`p.estado || ' ' || coalesce(p.numero_seguimiento, '')`;

/** Sends the web shop the changed estado or tracking number of its orders. Skipped if `storeActive` is off or a key of the REST API is missing. */
export async function tellShop(db: Db, given: Given): Promise<void> {
  const { storeActive, storeUrl, storeKey, storeKeySecret } = await readSecretSettings(db, given.secretKey);
  if (!storeActive || !storeUrl || !storeKey || !storeKeySecret) return;
  await transact(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      UPDATE tienda_pedidos t SET dicho = ${said} FROM pedidos p
      WHERE p.id = t.pedido_id AND t.dicho IS DISTINCT FROM ${said} AND (t.dicho IS NOT NULL OR p.estado NOT IN ('pendiente_pago', 'pendiente'))
      RETURNING t.id`.execute(tx);
    await enqueue(
      tx,
      'tienda',
      rows.map(({ id }) => ({ recipient: storeUrl, payload: { tienda: id } satisfies Payload })),
    );
  });
  const keys = {
    url: storeUrl.replace(/\/+$/, ''),
    authorization: `Basic ${Buffer.from(`${storeKey}:${storeKeySecret}`).toString('base64')}`,
  };
  await drain<Payload>(db, 'tienda', (message) => tell(db, message, keys, given));
}

async function tell(db: Db, { payload }: Message<Payload>, keys: { url: string; authorization: string }, given: Given): Promise<boolean> {
  const row = await db
    .selectFrom('tienda_pedidos as t')
    .innerJoin('pedidos as p', 'p.id', 't.pedido_id')
    .select(['t.externo_id', 'p.estado', 'p.numero_orden', 'p.numero_seguimiento'])
    .where('t.id', '=', payload.tienda)
    .executeTakeFirst();
  if (!row) return false;
  const order = `${keys.url}/wp-json/wc/v3/orders/${encodeURIComponent(row.externo_id)}`;
  const status = WOO_STATUS[row.estado];
  const meta_data = [
    { key: '_enruta_estado', value: row.estado },
    { key: '_enruta_seguimiento', value: row.numero_seguimiento ?? '' },
  ];
  await send(order, { ...(status && { status }), meta_data }, keys.authorization, given);
  const tracking = row.numero_seguimiento ? ` · Seguimiento ${row.numero_seguimiento}` : '';
  await send(`${order}/notes`, { note: `Enruta ${row.numero_orden}: ${ESTADO[row.estado].label}${tracking}` }, keys.authorization, given);
  return true;
}

async function send(url: string, body: object, authorization: string, { webhooksPrivate }: Given): Promise<void> {
  const { host } = new URL(url);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Enruta', authorization };
  const status = await post({ url, headers, body: JSON.stringify(body), anywhere: webhooksPrivate }).catch((error: unknown) => {
    throw new Undeliverable(sentenceOfNoAnswer(error), host);
  });
  if (status < 200 || status > 299) throw new Undeliverable(`La tienda ha respondido ${status}`, host);
}
