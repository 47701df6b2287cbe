import { type ShopTax, rateByAmounts as spanishRate } from '../../../../contract/iva/charged.ts';
import { IVA, type TipoIva } from '../../../../contract/iva/fields.ts';
import { countryNamed } from '../../../../contract/text/country.ts';
import { provinciaOfCode } from '../../../../contract/text/provincias.ts';
import { type MetodoTienda, WOO_ESTADOS, WOO_METODOS } from '../../../../contract/tienda/fields.ts';
import { invalid } from '../../../kit/errors.ts';
import type { Deletion, WebLine, WebOrder } from '../order.ts';
import { isPlain, plainText } from '../text.ts';
import { type Woo, type WooLine, wooOrder } from './shape.ts';

const cents = (...parts: number[]) => Math.round(parts.reduce((sum, part) => sum + part, 0) * 100);

/** Reads WooCommerce's order, or its deletion. Throws 422 with a Spanish sentence for anything else. */
export function readWoo(content: unknown): WebOrder | Deletion {
  const read = wooOrder.safeParse(content);
  if (!read.success) throw invalid('pedido', `Lo que ha enviado la tienda no es un pedido de WooCommerce${saidIn(content)}`);
  const woo = read.data;
  // The body of a deletion has only the id.
  if ((!woo.status || woo.status === 'trash') && woo.line_items.length === 0 && woo.total === 0)
    return { externo_id: woo.id, borrado: true };
  if (!woo.status) throw invalid('pedido', 'El pedido de WooCommerce viene sin su estado');
  const situacion = WOO_ESTADOS[woo.status.replace(/^wc-/, '')];
  const isPaid = situacion === 'pagado' || situacion === 'terminado';
  const fees = woo.fee_lines.map((fee) => ({
    name: fee.name,
    cents: cents(fee.total, fee.total_tax),
    iva: rateOf(fee.total, fee.total_tax),
  }));
  const total_cents = cents(woo.total);
  const metodo = methodOf(woo.payment_method, woo.payment_method_title);
  const modificado = instantOf(woo.date_modified_gmt || woo.date_created_gmt);
  const fecha = instantOf(woo.date_paid_gmt);
  const referencia = woo.transaction_id || woo.payment_method_title || woo.payment_method;
  const recogida = pickupOf(woo);
  const elegido = choicesIn(woo);
  return {
    externo_id: woo.id,
    numero: woo.number || woo.id,
    ...(modificado && { modificado }),
    situacion,
    estado: woo.status,
    moneda: woo.currency.toUpperCase() || 'EUR',
    cliente: customerOf(woo),
    instrucciones: woo.customer_note || null,
    lineas: [...woo.line_items.map(lineOf), ...fees.filter((fee) => fee.cents > 0).map(feeOf)],
    envio_cents: cents(woo.shipping_total, woo.shipping_tax),
    descuento_cents: discountOf(woo) - fees.reduce((sum, fee) => sum + Math.min(fee.cents, 0), 0),
    total_cents,
    ...(isPlain(woo.total_tax) &&
      woo.total_tax !== '' &&
      Number.isFinite(Number(woo.total_tax)) && { cuota_cents: cents(Number(woo.total_tax)), impuestos: taxesOf(woo) }),
    contra_reembolso: metodo === 'reembolso',
    ...(!metodo && total_cents > 0 && { forma: { clave: woo.payment_method, titulo: woo.payment_method_title || woo.payment_method } }),
    // equivalent ({ recogida }): read by its name alone
    ...(recogida && { recogida }),
    pago: isPaid && metodo !== 'reembolso' ? { metodo: metodo ?? 'otro', referencia, ...(fecha && { fecha }) } : null,
    devuelto_cents: cents(...woo.refunds.map(({ total }) => Math.abs(total))),
    ...(woo.refunds.length > 0 && {
      reembolsos: woo.refunds.map(({ id, total }) => ({ id, cents: cents(Math.abs(total)) })).filter(({ id }) => id),
    }),
    ...(elegido.length > 0 && { elegido }),
  };
}

// WordPress sends an error instead of the order if the webhook's user may no longer see orders.
const saidIn = (content: unknown) => {
  const message = plainText((content as { message?: unknown } | null)?.message);
  return message && `: dice «${message.slice(0, 200)}»`;
};

/** Returns the instant, ISO 8601; undefined without a valid date, before 2000 or more than a day ahead. */
function instantOf(gmt: string): string | undefined {
  const at = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(gmt) ? gmt : `${gmt}Z`);
  return at.getTime() > Date.UTC(2000, 0, 1) && at.getTime() < Date.now() + 86_400_000 ? at.toISOString() : undefined;
}

const COLLECTED = /pick.?up|collect|recog|recoj|retir|buscar|en (la |mi |nuestra )?tienda/i;

/** Returns where the customer collects the order; undefined for an order to deliver. */
function pickupOf({ shipping_lines }: Woo): string | undefined {
  const found = shipping_lines.find(({ method_id, method_title }) => COLLECTED.test(method_id) || COLLECTED.test(method_title));
  if (!found) return undefined;
  const where = found.meta_data.filter(({ key }) => /^_?pickup_(location|address)$/.test(key)).map(({ value }) => plainText(value));
  return [found.method_title || 'Recogida', ...where].filter(Boolean).join(' · ');
}

/**
 * What customers choose in a checkout: keys of delivery, gift and pickup plugins, and by name (Order Delivery Date, Delivery Slots, Local
 * Pickup, Gift Message). Only shown: nothing of it decides a day or a price.
 */
const CHOSEN: readonly [que: string, key: RegExp][] = [
  [
    'Día de entrega',
    /(deliver\w*|entrega|env[ií]o|shipping|pickup|recogida)[ _-]*(date|day|fecha|d[ií]a)|fecha[ _]de[ _](entrega|recogida)/i,
  ],
  [
    'Hora de entrega',
    /(deliver\w*|entrega|env[ií]o|shipping|pickup|recogida)[ _-]*(time|hour|slot|hora|franja)|time[ _-]?(slot|frame|range)|franja/i,
  ],
  ['Mensaje de regalo', /gift|regalo|dedicatoria/i],
  ['Recogida', /pickup[ _-]*(location|store|point|address)|punto[ _]de[ _](recogida|entrega)/i],
];

/** Returns what the customer chose besides the goods: meta of the order and of its shipping. */
function choicesIn({ meta_data, shipping_lines }: Woo): NonNullable<WebOrder['elegido']> {
  const all = [...meta_data, ...shipping_lines.flatMap((shipping) => shipping.meta_data)];
  const found = all.flatMap(({ key, value }) => {
    const que = CHOSEN.find(([, known]) => known.test(key))?.[0];
    const texto = wordsIn(value).replace(/\s+/g, ' ').trim().slice(0, 300);
    return que && texto && !/^(no|0|false)$/i.test(texto) ? [{ que, texto: /^(yes|1|true)$/i.test(texto) ? 'sí' : texto }] : [];
  });
  return found.filter(({ que, texto }, i) => found.findIndex((other) => other.que === que && other.texto === texto) === i);
}

const lineOf = (item: WooLine): WebLine => {
  const ids = [item.product_id, item.variation_id].filter((id) => id && id !== '0');
  // A variation may have its product's SKU, so only its ids identify it.
  const clave = ids.length === 2 || !item.sku ? ids.length && `#${ids.join('/')}` : item.sku;
  const texto = choicesOf(item);
  const iva = rateOf(item.subtotal, item.subtotal_tax);
  return {
    clave: clave || '',
    ...(item.sku && { sku: item.sku }),
    nombre: item.name || item.sku || 'Artículo sin nombre',
    ...(texto && { texto }),
    cantidad: item.quantity,
    total_cents: cents(item.subtotal, item.subtotal_tax),
    ...(iva && { iva }),
  };
};

/** Returns the texts in a value, list or object, joined by commas. */
const wordsIn = (value: unknown, depth = 0): string =>
  typeof value === 'object' && value !== null && depth < 4
    ? Object.values(value)
        .map((inner) => wordsIn(inner, depth + 1))
        .filter(Boolean)
        .join(', ')
    : plainText(value);

/** Returns the customer's choices and texts of a line, without those of plugins (`_…`) and those in the line's name. */
function choicesOf({ name, meta_data }: WooLine): string {
  const choices = meta_data
    .filter(({ key }) => key && !key.startsWith('_'))
    .map(({ key, value, display_key, display_value }) => ({
      label: plainText(display_key) || key.replace(/^pa_/, ''),
      value: (wordsIn(display_value) || wordsIn(value)).replace(/\s+/g, ' ').trim(),
    }));
  const named = name
    .toLowerCase()
    .split(/ [-–] |, /)
    .slice(1);
  return choices
    .filter(({ value }) => value && !named.includes(value.toLowerCase()))
    .map(({ label, value }) => `${label}: ${value}`)
    .join(' · ');
}

/** Returns the discount in cents; the lines' discount if a plugin leaves the order's empty and the total adds up only with it. */
function discountOf({ discount_total, discount_tax, line_items, fee_lines, shipping_total, shipping_tax, total: whole }: Woo): number {
  const declared = cents(discount_total, discount_tax);
  if (declared) return declared;
  const gross = line_items.reduce((sum, { subtotal, subtotal_tax }) => sum + cents(subtotal, subtotal_tax), 0);
  const net = line_items.reduce(
    (sum, { subtotal, subtotal_tax, total = subtotal, total_tax = subtotal_tax }) => sum + cents(total, total_tax),
    0,
  );
  const fees = fee_lines.reduce((sum, { total, total_tax }) => sum + cents(total, total_tax), 0);
  const rest = net + fees + cents(shipping_total, shipping_tax) - cents(whole);
  return Math.abs(rest) <= line_items.length + 1 ? Math.max(0, gross - net) : 0;
}

type Fee = { name: string; cents: number; iva: TipoIva | undefined };
const feeOf = ({ name, cents: total_cents, iva }: Fee): WebLine => ({
  clave: '',
  nombre: name || 'Recargo de la tienda',
  cantidad: 1,
  total_cents,
  isFee: true,
  ...(iva && { iva }),
});

/** Returns the Spanish VAT rate of a tax; undefined for another rate, or without a net amount. */
const rateOf = (net: number, tax: number): TipoIva | undefined =>
  net === 0 ? undefined : spanishRate(Math.round(Math.abs(net) * 100), Math.round(Math.abs(tax) * 100));

/** Returns the VAT that the shop charged, in cents by rate; `percent` -1 for a rate that is not Spanish. */
function taxesOf({ line_items, fee_lines, shipping_total, shipping_tax }: Woo): ShopTax[] {
  const parts = [
    ...line_items.map(({ total, total_tax, subtotal, subtotal_tax }) => [total ?? subtotal, total_tax ?? subtotal_tax] as const),
    ...fee_lines.map(({ total, total_tax }) => [total, total_tax] as const),
    [shipping_total, shipping_tax] as const,
  ].filter(([net]) => net !== 0);
  const rows = new Map<number, ShopTax>();
  for (const [net, tax] of parts) {
    const tipo = rateOf(net, tax);
    const percent = IVA.find((rate) => rate.tipo === tipo)?.percent ?? -1;
    const row = rows.get(percent) ?? { percent, base_cents: 0, cuota_cents: 0 };
    rows.set(percent, { percent, base_cents: row.base_cents + cents(net), cuota_cents: row.cuota_cents + cents(tax) });
  }
  return [...rows.values()];
}

const AT_THE_DOOR = /reembolso|(al|cuando) (recib|entreg)|en (la entrega|destino|mano)/i;
/** Returns how a payment method pays; undefined for an unlisted one, and for another than `cod` whose title says «on delivery». */
function methodOf(id: string, title: string): MetodoTienda | undefined {
  if (id !== 'cod' && AT_THE_DOOR.test(title)) return undefined;
  return id === 'cod' ? 'reembolso' : Object.entries(WOO_METODOS).find(([start]) => id.toLowerCase().startsWith(start))?.[1];
}

const NIF_KEY = /(^|[_\W])(nif|cif|dni|nie|vat|vat[_ ]?(number|id|no)|tax_?id)$/i;

// Uses the shipping address, or the billing address of an order without shipping address.
function customerOf({ shipping, billing, meta_data }: Woo): WebOrder['cliente'] {
  const to = shipping.address_1 ? shipping : billing;
  // Each plugin stores the NIF under its own name.
  const nif = plainText(meta_data.find(({ key, value }) => NIF_KEY.test(key) && /\d/.test(plainText(value)))?.value);
  const name = [to.first_name, to.last_name].filter(Boolean).join(' ');
  return {
    cliente_nombre: name || to.company || [billing.first_name, billing.last_name].filter(Boolean).join(' '),
    cliente_telefono: to.phone || billing.phone || null,
    cliente_direccion: to.address_1,
    cliente_direccion2: [to.address_2, name && to.company].filter(Boolean).join(' · ') || null,
    cliente_codigo_postal: to.postcode || null,
    cliente_ciudad: to.city || null,
    cliente_provincia: (to.country === 'ES' && provinciaOfCode(to.state)) || to.state || null,
    cliente_pais: countryNamed(to.country) || null,
    ...(nif && { cliente_nif: nif }),
  };
}
