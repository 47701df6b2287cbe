import type { Field } from '../kit/fields.ts';
import type { METODOS_PAGO } from '../payments/fields.ts';

/* Orders that web shops send automatically (decisions 103, 104, 112 and 113), behind the setting `storeActive`. */

/** Kinds of shops: WooCommerce, and the plain form of docs/api.md. `asked`: has a REST API that can be asked. */
export const CONECTOR = {
  woo: { label: 'WooCommerce', asked: true },
  plano: { label: 'Otra tienda, por la API', asked: false },
} as const;
export type Conector = keyof typeof CONECTOR;
export const CONECTORES = Object.keys(CONECTOR) as [Conector, ...Conector[]];

/** `por_confirmar`: what comes to the common address under another name than its shop’s; the orders wait until a person says whose they are. */
export const ESTADOS_FUENTE = ['activa', 'por_confirmar', 'ignorada'] as const;

/**
 * Meaning of a shop's state, from first to last. Of two messages of the same second, the later state counts. `espera`: no order yet, or a
 * failed payment that the customer may try again. `terminado`: finished in the shop.
 */
export const SITUACIONES = ['espera', 'por_pagar', 'pagado', 'terminado', 'cancelado', 'reembolsado', 'borrado'] as const;
export type Situacion = (typeof SITUACIONES)[number];

/** States in which the shop wants no delivery. */
export const ACABADAS: readonly (Situacion | null)[] = ['cancelado', 'reembolsado', 'borrado'];

/** WooCommerce's states; an order in an unlisted state waits for a person. */
export const WOO_ESTADOS: Readonly<Record<string, Situacion>> = {
  'checkout-draft': 'espera',
  'auto-draft': 'espera',
  pending: 'espera',
  failed: 'espera',
  'on-hold': 'por_pagar',
  processing: 'pagado',
  completed: 'terminado',
  cancelled: 'cancelado',
  refunded: 'reembolsado',
  trash: 'borrado',
};

export type MetodoTienda = (typeof METODOS_PAGO)[number] | 'reembolso';

/** WooCommerce's payment methods by the beginning of their id; the first match wins. An unlisted method needs a person's answer, once per shop. */
export const WOO_METODOS: Readonly<Record<string, MetodoTienda>> = {
  bacs: 'transferencia',
  bizum: 'bizum',
  redsys_bizum: 'bizum',
  bizumredsys: 'bizum',
  redsys: 'tarjeta',
  stripe: 'tarjeta',
  woocommerce_payments: 'tarjeta',
  ppcp: 'otro',
  paypal: 'otro',
};

/** How a payment method of a shop pays: in the shop, at the door, or by money still to arrive. */
export const TRATOS = ['pagado', 'reembolso', 'espera'] as const;
export type Trato = (typeof TRATOS)[number];
export const TRATO_LABEL: Readonly<Record<Trato, string>> = {
  pagado: 'Ya está pagado en la tienda',
  reembolso: 'Se cobra al entregar',
  espera: 'Falta el dinero: espera el pago',
};

/** Answers about an order that the customer wants to collect. */
export const ENTREGAS = ['enviar', 'recoge'] as const;

/** State of a shop's order in Enruta. `recibido`: stored, not yet processed. */
export const ESTADOS_TIENDA = ['recibido', 'por_revisar', 'creado', 'ignorado'] as const;

/** Parts of an order that can differ between the shop and Enruta. */
export const PARTES = ['direccion', 'nif', 'productos', 'importe', 'instrucciones', 'pago', 'estado'] as const;
export type ParteWeb = (typeof PARTES)[number];
export const PARTE_LABEL: Readonly<Record<ParteWeb, string>> = {
  direccion: 'el cliente o su dirección',
  nif: 'el NIF',
  productos: 'algún producto',
  importe: 'el importe',
  instrucciones: 'la nota del cliente',
  pago: 'el pago',
  estado: 'el estado',
};

export const MAX_TIENDA_BYTES = 4 * 1024 * 1024;

/** Number of days after which a waiting order is discarded with its content, because the content holds a customer's data. */
export const TIENDA_DAYS = 90;
/** Number of days for which received messages are listed. */
export const MENSAJE_DAYS = 30;

export const TIENDA_FIELDS = {
  clave: { label: 'Producto de la tienda', kind: 'text', max: 200, required: 'Falta el producto de la tienda' },
  pack_id: { label: 'Pack', kind: 'id' },
  tienda_id: { label: 'Tienda', kind: 'id' },
  sin_mercancia: { label: 'No es mercancía', kind: 'flag' },
  motivo: { label: 'Motivo', kind: 'text', max: 200 },
  nombre: { label: 'Nombre de la tienda', kind: 'text', max: 80, required: 'Pon un nombre a la tienda' },
  conector: { label: 'Qué tienda es', kind: 'choice', options: CONECTORES, required: 'Elige qué tienda es' },
  secreto: { label: 'Secreto de los webhooks', kind: 'password', min: 16, max: 200 },
  url: {
    label: 'Dirección de la tienda',
    kind: 'text',
    max: 300,
    pattern: /^https?:\/\/[^\s/]+/,
    invalid: 'La dirección empieza por https://',
  },
  clave_api: { label: 'Clave de cliente (ck_…)', kind: 'text', max: 100 },
  clave_secreta: { label: 'Clave secreta de cliente (cs_…)', kind: 'password', max: 200 },
} as const satisfies Record<string, Field>;
