import { createHmac } from 'node:crypto';

/* Orders in the format of WooCommerce's webhooks, from its documentation, with invented people. */

export const WOO_SECRET = 'un secreto de la tienda';

export const sign = (body: string, secret = WOO_SECRET): string => createHmac('sha256', secret).update(body).digest('base64');

type Line = {
  sku?: string;
  name?: string;
  product_id?: number;
  variation_id?: number;
  quantity?: number;
  subtotal?: string;
  subtotal_tax?: string;
};
export const wooLine = ({ sku = 'ACEITE-6', name = 'Aceite 6 botellas', product_id = 93, variation_id = 0, ...fields }: Line = {}) => ({
  id: 315,
  name,
  product_id,
  variation_id,
  quantity: 1,
  tax_class: 'reducido',
  subtotal: '40.00',
  subtotal_tax: '4.00',
  total: '40.00',
  total_tax: '4.00',
  sku,
  price: 40,
  ...fields,
});

/** An order of WooCommerce 9: one line of 44 €, shipping 4,95 €, paid by card. */
export const wooOrder = (fields: Record<string, unknown> = {}) => ({
  id: 7271,
  parent_id: 0,
  number: '7271',
  status: 'processing',
  currency: 'EUR',
  version: '9.4.2',
  prices_include_tax: true,
  date_created_gmt: '2026-11-20T09:12:31',
  date_modified_gmt: '2026-11-20T09:13:02',
  discount_total: '0.00',
  discount_tax: '0.00',
  shipping_total: '4.09',
  shipping_tax: '0.86',
  total: '48.95',
  total_tax: '4.86',
  customer_note: '',
  billing: {
    first_name: 'Lola',
    last_name: 'Prado',
    company: '',
    address_1: 'Calle Factura 1',
    address_2: '',
    city: 'Madrid',
    state: 'M',
    postcode: '28004',
    country: 'ES',
    email: 'lola@example.com',
    phone: '600 11 22 33',
  },
  shipping: {
    first_name: 'Mateo',
    last_name: 'Ruiz',
    company: 'Taller Ruiz',
    address_1: 'Calle Destino 9',
    address_2: '2º B',
    city: 'València',
    state: 'V',
    postcode: '46001',
    country: 'ES',
    phone: '',
  },
  payment_method: 'redsys',
  payment_method_title: 'Tarjeta',
  transaction_id: '991234',
  date_paid_gmt: '2026-11-20T09:13:00',
  line_items: [wooLine()],
  shipping_lines: [{ id: 318, method_title: 'Envío', total: '4.09', total_tax: '0.86' }],
  fee_lines: [] as { name: string; total: string; total_tax: string }[],
  coupon_lines: [],
  refunds: [] as { id: number; total: string }[],
  meta_data: [],
  ...fields,
});
