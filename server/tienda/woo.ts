import { z } from 'zod';
import { IVA, type TipoIva } from '../../contract/iva/fields.ts';
import { WOO_ESTADOS, WOO_METODOS } from '../../contract/tienda/fields.ts';
import { invalid } from '../kit/errors.ts';
import type { WebLine, WebOrder } from './order.ts';
import { countryOf, provinceOf } from './places.ts';

/* WooCommerce's order as its REST API and webhooks write it (versions 3.5 to 10): amounts are decimal texts, taxes apart. */

const text = z.preprocess((value) => (value === null || value === undefined ? '' : String(value).trim()), z.string());
const amount = z.preprocess((value) => Number(value === '' || value === null || value === undefined ? 0 : value), z.number());
const address = z
  .object({
    first_name: text,
    last_name: text,
    company: text,
    address_1: text,
    address_2: text,
    city: text,
    state: text,
    postcode: text,
    country: text,
    phone: text,
  })
  .partial()
  .default({});

const line = z.object({
  name: text,
  product_id: text,
  variation_id: text,
  sku: text,
  quantity: amount,
  subtotal: amount,
  subtotal_tax: amount,
});

const charge = z.object({ name: text, total: amount, total_tax: amount });

const order = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  number: text,
  status: text,
  currency: text,
  date_modified_gmt: text,
  date_created_gmt: text,
  discount_total: amount,
  discount_tax: amount,
  shipping_total: amount,
  shipping_tax: amount,
  total: amount,
  customer_note: text,
  payment_method: text,
  payment_method_title: text,
  transaction_id: text,
  date_paid_gmt: text,
  billing: address,
  shipping: address,
  line_items: z.array(line).default([]),
  fee_lines: z.array(charge).default([]),
  meta_data: z.array(z.object({ key: text, value: z.unknown() })).default([]),
  refunds: z.array(z.object({ total: amount })).default([]),
});
type Woo = z.output<typeof order>;

const cents = (...parts: number[]) => Math.round(parts.reduce((sum, part) => sum + part, 0) * 100);

/** Reads WooCommerce's order. Throws 422 with a Spanish sentence for anything else. */
export function readWoo(content: unknown): WebOrder {
  const read = order.safeParse(content);
  if (!read.success) throw invalid('pedido', 'Lo que ha enviado la tienda no es un pedido de WooCommerce');
  const woo = read.data;
  const metodo = methodOf(woo.payment_method);
  const situacion = WOO_ESTADOS[woo.status.replace(/^wc-/, '')];
  const isPaid = situacion === 'pagado' || situacion === 'terminado';
  const fees = woo.fee_lines.map((fee) => ({ name: fee.name, cents: cents(fee.total, fee.total_tax), iva: rateOf(fee) }));
  return {
    externo_id: woo.id,
    numero: woo.number || woo.id,
    modificado: instantOf(woo.date_modified_gmt || woo.date_created_gmt),
    situacion,
    estado: woo.status,
    moneda: woo.currency || 'EUR',
    cliente: customerOf(woo),
    instrucciones: woo.customer_note || null,
    lineas: [...woo.line_items.map(lineOf), ...fees.filter((fee) => fee.cents > 0).map(feeOf)],
    envio_cents: cents(woo.shipping_total, woo.shipping_tax),
    descuento_cents: cents(woo.discount_total, woo.discount_tax) - fees.reduce((sum, fee) => sum + Math.min(fee.cents, 0), 0),
    total_cents: cents(woo.total),
    contra_reembolso: metodo === 'reembolso',
    pago:
      isPaid && metodo !== 'reembolso'
        ? { metodo, referencia: woo.transaction_id || woo.payment_method_title || woo.payment_method }
        : null,
    devuelto_cents: -cents(...woo.refunds.map(({ total }) => -Math.abs(total))),
  };
}

const instantOf = (gmt: string) => (gmt ? new Date(/[zZ]|[+-]\d\d:\d\d$/.test(gmt) ? gmt : `${gmt}Z`) : new Date()).toISOString();

const lineOf = (item: z.output<typeof line>): WebLine => ({
  clave: item.sku || `#${[item.product_id, item.variation_id].filter((id) => id && id !== '0').join('/')}`,
  nombre: item.name,
  cantidad: item.quantity,
  total_cents: cents(item.subtotal, item.subtotal_tax),
});

type Fee = { name: string; cents: number; iva: TipoIva | undefined };
const feeOf = ({ name, cents: total_cents, iva }: Fee): WebLine => ({
  clave: '',
  nombre: name || 'Recargo de la tienda',
  cantidad: 1,
  total_cents,
  isFee: true,
  ...(iva && { iva }),
});

/** Returns the VAT rate that explains the tax of a charge, within a cent; undefined if no rate does. */
const rateOf = ({ total, total_tax }: z.output<typeof charge>): TipoIva | undefined =>
  IVA.find(({ percent }) => percent > 0 && Math.abs((total * percent) / 100 - total_tax) < 0.011)?.tipo;

function methodOf(id: string) {
  const known = Object.keys(WOO_METODOS).filter((start) => id.toLowerCase().startsWith(start));
  const [longest] = known.toSorted((a, b) => b.length - a.length);
  return (longest && WOO_METODOS[longest]) || 'otro';
}

const NIF_KEY = /^_?(billing_)?(nif|cif|dni|nif_cif|nif_cif_dni|vat|vat_number|eu_vat_number)$/i;

// Uses the shipping address, or the billing address of an order without shipping address.
function customerOf({ shipping, billing, meta_data }: Woo): WebOrder['cliente'] {
  const to = shipping.address_1 ? shipping : billing;
  // Each plugin stores the NIF under its own name.
  const nif = meta_data.find(({ key, value }) => NIF_KEY.test(key) && typeof value === 'string' && value.trim())?.value;
  const name = [to.first_name, to.last_name].filter(Boolean).join(' ');
  return {
    cliente_nombre: name || to.company || [billing.first_name, billing.last_name].filter(Boolean).join(' '),
    cliente_telefono: to.phone || billing.phone || null,
    cliente_direccion: to.address_1 ?? '',
    cliente_direccion2: [to.address_2, name && to.company].filter(Boolean).join(' · ') || null,
    cliente_codigo_postal: to.postcode || null,
    cliente_ciudad: to.city || null,
    cliente_provincia: provinceOf(to.country ?? '', to.state ?? ''),
    cliente_pais: countryOf(to.country ?? ''),
    ...(typeof nif === 'string' && { cliente_nif: nif.trim() }),
  };
}
