import { z } from 'zod';
import { plainText } from '../text.ts';

/* Shape of WooCommerce's order in its REST API and webhooks (versions 3.5 to 10). Amounts are decimal texts, with taxes in separate fields. */

const text = z.preprocess(plainText, z.string());
const amount = z.preprocess((value) => Number(value ?? 0), z.number());
// PHP writes a list with gaps as an object, and an empty object as a list.
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []), z.array(item));
const address = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}),
  z.object({
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
  }),
);

const meta = list(
  z.object({ key: text, value: z.unknown().optional(), display_key: z.unknown().optional(), display_value: z.unknown().optional() }),
);

const line = z.object({
  name: text,
  product_id: text,
  variation_id: text,
  sku: text,
  quantity: amount,
  subtotal: amount,
  subtotal_tax: amount,
  total: amount.optional(),
  total_tax: amount.optional(),
  meta_data: meta,
});

const charge = z.object({ name: text, total: amount, total_tax: amount });

export const wooOrder = z.object({
  id: z
    .union([z.number(), z.string()])
    .transform(String)
    .pipe(z.string().regex(/^[1-9]\d{0,19}$/)),
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
  total_tax: z.unknown().optional(),
  customer_note: text,
  payment_method: text,
  payment_method_title: text,
  transaction_id: text,
  date_paid_gmt: text,
  billing: address,
  shipping: address,
  line_items: list(line),
  fee_lines: list(charge),
  shipping_lines: list(z.object({ method_id: text, method_title: text, meta_data: meta })),
  meta_data: meta,
  refunds: list(z.object({ id: text, total: amount })),
});
export type Woo = z.output<typeof wooOrder>;
export type WooLine = z.output<typeof line>;
