import { withoutEntities } from '../../../../contract/text/entities.ts';
import { sentenceOfNoAnswer, Undeliverable } from '../../../kit/no-answer.ts';
import { requestUrl } from '../../../kit/post.ts';
import type { Answered, OrdersNow, SentState, ShopApi } from '../../connector.ts';
import type { Refund } from '../order.ts';

/* WooCommerce's REST API (wc/v3), with the keys of one shop. */

const PER_PAGE = 50;
/** Number of pages after which a shop is taken to answer without end. */
const MAX_PAGES = 400;

async function call(api: ShopApi, method: string, path: string, body?: object): Promise<unknown> {
  const url = `${api.url.replace(/\/+$/, '')}/wp-json/wc/v3/${path}`;
  const host = URL.canParse(url) ? new URL(url).host : api.url;
  const headers = {
    accept: 'application/json',
    'user-agent': 'Enruta',
    authorization: `Basic ${Buffer.from(`${api.key}:${api.secret}`).toString('base64')}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  // equivalent JSON.stringify(body): a request without a body ends alike
  const sent = { url, headers, body: body ? JSON.stringify(body) : '', anywhere: api.anywhere };
  const { status, text } = await requestUrl(method, sent).catch((error: unknown) => {
    throw new Undeliverable(sentenceOfNoAnswer(error), host);
  });
  const answer = jsonIn(text);
  // Any other 404, such as that of a moved shop or of switched-off permalinks, is no answer.
  if (status === 404 && /_invalid_id$/.test(String((answer as { code?: unknown } | undefined)?.code))) return undefined;
  if (REFUSED.includes(status) && method !== 'GET')
    return { refused: wordsOf(answer) || `La tienda ha respondido ${status}` } satisfies Refused;
  if (status > 299) throw new Undeliverable(`La tienda ha respondido ${status}`, host);
  if (typeof answer !== 'object' || answer === null) throw new Undeliverable('La tienda no ha respondido con JSON', host);
  return answer;
}

/** Statuses of a write that the shop will not accept later either. */
const REFUSED = [400, 403, 409, 422];
type Refused = { refused: string };
const refusalIn = (answer: unknown) => (answer as Refused | undefined)?.refused;
const wordsOf = (answer: unknown) => withoutEntities(String((answer as { message?: unknown } | undefined)?.message ?? '')).slice(0, 200);

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Order = { id?: number; status?: string; meta_data?: { key?: string; value?: unknown }[]; refunds?: { total?: string }[] };

const FINAL = ['cancelled', 'refunded', 'completed', 'failed', 'trash'];
const STATUS = { completado: 'completed', cancelado: 'cancelled' } as const;
const WORDS: Readonly<Record<string, string>> = {
  cancelled: 'cancelado',
  refunded: 'reembolsado',
  completed: 'completado',
  failed: 'fallido',
};

/** Sends an order's state, tracking number and refund. Never overwrites a final state; repeats a note only if its mark was not stored. */
export async function sendBack(api: ShopApi, order: SentState): Promise<Answered> {
  const path = `orders/${encodeURIComponent(order.externo_id)}`;
  const there = (await call(api, 'GET', path)) as Order | undefined;
  if (!there) return { contradiction: 'La tienda ya no tiene este pedido' };
  if (there.status === undefined) throw new Undeliverable('La tienda no responde con el pedido por el que se le pregunta');
  // equivalent STATUS[order.aims]: no status is named undefined
  const wanted = order.aims && STATUS[order.aims];
  const isFinal = FINAL.includes(there.status);
  const situacion = `${order.estado} ${order.seguimiento ?? ''}`;
  const known = (there.meta_data ?? []).find(({ key }) => key === '_enruta_dicho')?.value;
  const meta_data = [
    { key: '_enruta_estado', value: order.estado },
    { key: '_enruta_seguimiento', value: order.seguimiento ?? '' },
    { key: '_enruta_dicho', value: situacion },
  ];
  const back = (there.refunds ?? []).reduce((sum, { total }) => sum + Math.abs(Math.round(Number(total ?? 0) * 100)), 0);
  let refund: unknown;
  const refused: string[] = [];
  if (order.devuelto_cents > back) {
    const amount = ((order.devuelto_cents - back) / 100).toFixed(2);
    // The customer already has the money: the shop's gateway must not send it again.
    refund = await call(api, 'POST', `${path}/refunds`, { amount, reason: `Enruta ${order.numero_orden}`, api_refund: false });
    const why = refusalIn(refund);
    if (why) refused.push(`La tienda no ha anotado el reembolso de ${amount.replace('.', ',')} €: ${why}`);
  }
  const changes = !!wanted && !isFinal;
  if (changes || known !== situacion) {
    // Sends the note first, because the mark in the order (`_enruta_dicho`) confirms the note.
    const tracking = order.seguimiento ? ` · Seguimiento ${order.seguimiento}` : '';
    if (known !== situacion)
      await call(api, 'POST', `${path}/notes`, { note: `Enruta ${order.numero_orden}: ${order.estado_label}${tracking}` });
    const why = refusalIn(await call(api, 'PUT', path, { ...(changes && { status: wanted }), meta_data }));
    if (why) refused.push(`La tienda no ha cambiado su estado: ${why}`);
  }
  if (wanted && isFinal && there.status !== wanted)
    refused.push(`En la tienda está ${WORDS[there.status] ?? there.status}: no se ha cambiado`);
  // A delivery or cancellation that was taken back here; the shop's final state stays.
  const [before = ''] = String(known ?? '').split(' ');
  if (!wanted && before !== order.estado && STATUS[before as keyof typeof STATUS] === there.status)
    // equivalent WORDS[there.status]: the states that this program sets have words
    refused.push(`Aquí se ha deshecho y en la tienda sigue ${WORDS[there.status] ?? ''}: cámbialo allí`);
  const id = (refund as { id?: number } | undefined)?.id;
  return { ...(refused.length > 0 && { contradiction: refused.join('. ') }), ...(id !== undefined && { refund: String(id) }) };
}

/** Yields the pages of a list. Throws `Undeliverable` rather than leave out what is on further pages. */
async function* pagesOf<T>(api: ShopApi, list: string): AsyncGenerator<T[]> {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = await call(api, 'GET', `${list}${list.includes('?') ? '&' : '?'}per_page=${PER_PAGE}&page=${page}`);
    if (!Array.isArray(found)) throw new Undeliverable('La tienda no ha respondido con una lista');
    yield found;
    if (found.length < PER_PAGE) return;
  }
  throw new Undeliverable(`Da más de ${MAX_PAGES * PER_PAGE} resultados: no se han leído todos`);
}

async function listOf<T>(api: ShopApi, list: string): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pagesOf<T>(api, list)) all.push(...page);
  return all;
}

type Refunded = { amount?: string; line_items?: { name?: string; quantity?: number }[] };

/** Returns the refunds of an order with their lines, which the order itself leaves out. */
export async function readRefunds(api: ShopApi, externo_id: string): Promise<Refund[]> {
  const found = await listOf<Refunded>(api, `orders/${encodeURIComponent(externo_id)}/refunds`);
  return found.map(({ amount, line_items = [] }) => ({
    cents: Math.round(Math.abs(Number(amount ?? 0)) * 100),
    de: line_items.map(({ name = '', quantity = 1 }) => `${Math.abs(quantity) || 1} × ${withoutEntities(name)}`).join(', '),
  }));
}

/** Yields pages of the orders changed since `since` (ISO 8601, UTC), by id. */
export const changedOrders = (api: ShopApi, since: string): AsyncGenerator<unknown[]> =>
  pagesOf(api, `orders?modified_after=${encodeURIComponent(since)}&dates_are_gmt=true&status=any&orderby=id&order=asc`);

/** Asks for orders by id, in any state and in the bin; those in neither list one by one, because a plugin may hide orders from lists. */
export async function ordersNow(api: ShopApi, ids: readonly string[]): Promise<OrdersNow> {
  const found = new Map<string, object>();
  const wanted = `orders?include=${ids.join(',')}&status=`;
  for (const status of ['any', 'trash'])
    for (const order of await listOf<Order>(api, `${wanted}${status}`))
      if (ids.includes(String(order.id))) found.set(String(order.id), order);
  const gone: string[] = [];
  for (const id of ids.filter((each) => !found.has(each))) {
    const order = (await call(api, 'GET', `orders/${encodeURIComponent(id)}`)) as Order | undefined;
    if (!order) gone.push(id);
    else if (String(order.id) === id) found.set(id, order);
  }
  return { there: [...found.values()], gone };
}

type Hook = { id?: number; status?: string; delivery_url?: string; topic?: string };
const hooksOf = async (api: ShopApi): Promise<Hook[]> =>
  (await listOf<Hook>(api, 'webhooks')).filter(({ delivery_url }) => delivery_url?.includes('/api/tienda/'));

export const isOff = async (api: ShopApi): Promise<boolean> => (await hooksOf(api)).some(({ status }) => status !== 'active');

/** Switches this program's disabled webhooks on again; returns their number. */
export async function switchOn(api: ShopApi): Promise<number> {
  const off = (await hooksOf(api)).filter(({ status }) => status !== 'active');
  // equivalent id: a webhook of the list has its number
  for (const { id } of off) await call(api, 'PUT', `webhooks/${id ?? ''}`, { status: 'active' });
  return off.length;
}

type Product = { id?: number; name?: string; sku?: string; type?: string; variations?: number[] };

/** Returns the published products; for a variable product, its variations. */
export async function publishedProducts(api: ShopApi): Promise<{ clave: string; sku: string; nombre: string }[]> {
  const all: { clave: string; sku: string; nombre: string }[] = [];
  for (const product of await listOf<Product>(api, 'products?status=publish')) all.push(...(await keysOf(api, product)));
  return all;
}

async function keysOf(api: ShopApi, { id = 0, name = '', sku = '', type, variations = [] }: Product) {
  const nombre = withoutEntities(name);
  if (type !== 'variable') return [{ clave: sku || `#${id}`, sku, nombre }];
  const found = await listOf<Product & { attributes?: { option?: string }[] }>(api, `products/${id}/variations`);
  const known = found.length ? found : variations.map((variation) => ({ id: variation, sku: '', attributes: [] }));
  return known.map((product) => {
    const options = (product.attributes ?? []).map(({ option }) => option).filter(Boolean);
    return {
      // equivalent product.id: a variation has its number
      clave: `#${id}/${product.id ?? ''}`,
      sku: product.sku ?? '',
      nombre: [nombre, options.join(', ')].filter(Boolean).join(' – '),
    };
  });
}
