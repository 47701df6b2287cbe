import type { Field } from '../kit/fields.ts';
import type { METODOS_PAGO } from '../payments/fields.ts';

/* Orders that a web shop sends automatically (decision 087), behind the setting `storeActive`. */

/** Meaning of a shop's state. `espera`: no order yet. `terminado`: finished in the shop before Enruta received the order. */
export const SITUACIONES = ['espera', 'por_pagar', 'pagado', 'terminado', 'cancelado'] as const;
export type Situacion = (typeof SITUACIONES)[number];

/** WooCommerce's states; an order in an unlisted state waits for a person. */
export const WOO_ESTADOS: Readonly<Record<string, Situacion>> = {
  'checkout-draft': 'espera',
  'auto-draft': 'espera',
  pending: 'espera',
  'on-hold': 'por_pagar',
  processing: 'pagado',
  completed: 'terminado',
  cancelled: 'cancelado',
  refunded: 'cancelado',
  failed: 'cancelado',
  trash: 'cancelado',
};

export type MetodoTienda = (typeof METODOS_PAGO)[number] | 'reembolso';

/** WooCommerce's payment methods by the prefix of their id; the longest match wins. Unlisted methods are «otro». */
export const WOO_METODOS: Readonly<Record<string, MetodoTienda>> = {
  bacs: 'transferencia',
  cod: 'reembolso',
  bizum: 'bizum',
  redsys_bizum: 'bizum',
  bizumredsys: 'bizum',
  redsys: 'tarjeta',
  stripe: 'tarjeta',
  woocommerce_payments: 'tarjeta',
  ppcp: 'otro',
  paypal: 'otro',
};

/** Outcome of a shop's order. `recibido`: stored, not read yet. */
export const ESTADOS_TIENDA = ['recibido', 'por_revisar', 'creado', 'ignorado'] as const;

/** Estados in which a cancellation in the shop still cancels the order. */
export const ANTES_DE_SALIR = ['pendiente_pago', 'pendiente', 'asignado', 'en_proceso'] as const;

export const MAX_TIENDA_BYTES = 1024 * 1024;

/** Number of days after which a waiting order is discarded with its content, because the content holds a customer's data. */
export const TIENDA_DAYS = 90;

export const TIENDA_FIELDS = {
  clave: { label: 'Producto de la tienda', kind: 'text', max: 200, required: 'Falta el producto de la tienda' },
  pack_id: { label: 'Pack', kind: 'id', required: 'Selecciona un pack válido' },
} as const satisfies Record<string, Field>;
