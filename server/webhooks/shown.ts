import { FIELDS_UNPRICED, sees, visibleFields } from '../../contract/pedidos/access.ts';
import { FIELDS } from '../../contract/pedidos/fields.ts';
import type { Pedido } from '../../contract/pedidos/pedidos.ts';
import type { SituationOrder } from '../../contract/pedidos/situation.ts';
import { type Actor, can, SISTEMA } from '../../contract/policy/policy.ts';
import { presentSituation } from '../kit/situation.ts';
import type { Data } from './payload.ts';

/** `at`: time of the event. */
type Asked = { at: string; con_precios?: boolean; origin?: string | undefined };

/** Returns the data of an event as `actor` sees it, hidden fields null; prices and links (of `origin`) only with `con_precios`. */
export function shownTo(actor: Actor, data: Data, { at, con_precios = true, origin }: Asked): Record<string, unknown> {
  if ('pago' in data) return con_precios ? data : { pago: { ...data.pago, importe: null } };
  if ('reembolso' in data) return con_precios ? data : { reembolso: { ...data.reembolso, importe: null } };
  if ('remesa' in data) return con_precios ? data : { remesa: { ...data.remesa, recibido: null, comision: null, aparte: null } };
  if (!('pedido' in data)) return data;
  const pedido = con_precios && can(actor, 'pedido:prices') ? withOrigin(data.pedido, origin) : withoutPrices(data.pedido);
  const seen: readonly string[] = visibleFields(actor);
  const hidden: readonly string[] = [
    ...FIELDS.filter((name) => !seen.includes(name)),
    ...(sees(actor, 'delivery') ? [] : ['seguimiento_url']),
  ];
  const shown = Object.fromEntries(Object.entries(pedido).map(([name, value]) => [name, hidden.includes(name) ? null : value]));
  if (!data.zona) return { pedido: shown };
  // Steps depend on who asks, and may be gone when the message arrives.
  const situacion = {
    ...presentSituation(shown as SituationOrder, SISTEMA, { now: new Date(at), zone: data.zona }),
    paso: null,
    otros: [],
  };
  return { pedido: { ...shown, situacion } };
}

const withOrigin = (pedido: Pedido, origin = ''): Pedido => ({
  ...pedido,
  payment_link: pedido.payment_link && `${origin}${pedido.payment_link}`,
});

const SEEN_WITHOUT_PRICES: readonly string[] = [...FIELDS_UNPRICED, 'seguimiento_url'];

// An allow-list, so that new prices stay hidden. Applied on sending, so that pending messages follow the current setting.
const withoutPrices = ({ lineas = [], ...pedido }: Pedido) => ({
  ...Object.fromEntries(Object.entries(pedido).filter(([name]) => SEEN_WITHOUT_PRICES.includes(name))),
  lineas: lineas.map(({ numero, producto, cantidad }) => ({ numero, producto, cantidad })),
});
