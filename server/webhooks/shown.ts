import { FIELDS_CARRIED, sees, visible } from '../../contract/pedidos.access.ts';
import { FIELDS } from '../../contract/pedidos.fields.ts';
import type { Pedido } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import type { Payload } from './queue.ts';

type Data = Payload['data'];

/** Data of an event as a webhook sends it: with prices, and then payment links from `origin`, or without. */
export function shown(data: Data, con_precios: boolean, origin?: string): object {
  if (!('pedido' in data)) return data;
  return { pedido: con_precios ? withOrigin(data.pedido, origin) : withoutPrices(data.pedido) };
}

/** Data of an event as `actor` may see it: what a webhook would send, with hidden fields null. */
export function shownTo(actor: Actor, data: Data, origin?: string): Record<string, unknown> {
  const told = shown(data, can(actor, 'pedido:prices'), origin) as Record<string, unknown>;
  if (!('pedido' in told)) return told;
  const seen: readonly string[] = visible(actor);
  const hidden: readonly string[] = [
    ...FIELDS.filter((name) => !seen.includes(name)),
    ...(sees(actor, 'delivery') ? [] : ['seguimiento_url']),
  ];
  const pedido = Object.entries(told.pedido as Pedido).map(([name, value]) => [name, hidden.includes(name) ? null : value]);
  return { pedido: Object.fromEntries(pedido) };
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
