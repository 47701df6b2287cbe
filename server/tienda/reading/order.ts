import type { ShopTax } from '../../../contract/iva/charged.ts';
import type { TipoIva } from '../../../contract/iva/fields.ts';
import type { METODOS_PAGO } from '../../../contract/payments/fields.ts';
import type { Situacion } from '../../../contract/tienda/fields.ts';

export type WebLine = {
  /** SKU, or the product's ids: the key to which a person assigns a pack. Empty without either. */
  clave: string;
  /** SKU as a hint for the pack; a variation can have the SKU of its product. */
  sku?: string;
  nombre: string;
  /** Choices and texts of the customer, such as a size or an engraving. */
  texto?: string;
  cantidad: number;
  /** Total of the line in the shop, taxes included, before the order's discount. */
  total_cents: number;
  /** True for a charge without goods, such as the fee for paying on delivery. */
  isFee?: true;
  /** VAT rate that the shop charged, if it is a Spanish rate. */
  iva?: TipoIva;
  /** Pack that a person chose for only this line. */
  pack_id?: string;
  /** True if a person said that the line is no merchandise. */
  sin_mercancia?: boolean;
};

/** An order of a web shop, in one form for all shops. */
export type WebOrder = {
  externo_id: string;
  numero: string;
  /** Time of the last change, ISO 8601, UTC; absent if the shop does not send one. Decides which of two messages is newer. */
  modificado?: string;
  /** Undefined for an unknown state, which needs a person's decision. */
  situacion: Situacion | undefined;
  /** Name of the state in the shop. */
  estado: string;
  moneda: string;
  cliente: {
    cliente_nombre: string;
    cliente_telefono: string | null;
    cliente_direccion: string;
    cliente_direccion2: string | null;
    cliente_codigo_postal: string | null;
    cliente_ciudad: string | null;
    cliente_provincia: string | null;
    cliente_pais: string | null;
    /** NIF as stored in the shop, perhaps invalid. */
    cliente_nif?: string;
  };
  instrucciones: string | null;
  lineas: WebLine[];
  envio_cents: number;
  descuento_cents: number;
  total_cents: number;
  /** VAT that the shop charged, in cents; absent if the shop does not send it. */
  cuota_cents?: number;
  /** VAT by rate, shipping and charges included; absent if the shop does not send it. */
  impuestos?: ShopTax[];
  contra_reembolso: boolean;
  /** Unknown payment method, present until a person has said how it pays. */
  forma?: { clave: string; titulo: string };
  /** Place where the customer wants to collect the order, which then needs no van. */
  recogida?: string;
  /** Payment made in the shop, with its instant or day; null while unpaid or paid on delivery. */
  pago: { metodo: (typeof METODOS_PAGO)[number]; referencia: string; fecha?: string } | null;
  /** Total of the refunds in the shop, in cents. */
  devuelto_cents: number;
  /** Refunds with the shop's ids, oldest first; absent if the shop sends only their total. */
  reembolsos?: { id: string; cents: number }[];
  /** What the customer chose besides, such as a day of delivery or a gift's message, in Spanish words. */
  elegido?: { que: string; texto: string }[];
  /** Refunds, newest first; absent unless the shop's API was asked for them. */
  devoluciones?: Refund[];
};

/** Refund in the shop: amount in cents, and the goods in words, such as «1 × Aceite»; '' if none are named. */
export type Refund = { cents: number; de: string };

/** Message that names an order only to say that the shop has deleted it. */
export type Deletion = { externo_id: string; borrado: true };

/** Returns an order without anything of its customer, because the customer was erased here. */
export const withoutPerson = ({ elegido: _, recogida: __, ...order }: WebOrder): WebOrder => ({
  ...order,
  cliente: NOBODY,
  instrucciones: null,
  lineas: order.lineas.map(({ texto: _, ...line }) => line),
  pago: order.pago && { ...order.pago, referencia: '' },
});

const NOBODY: WebOrder['cliente'] = {
  cliente_nombre: '',
  cliente_telefono: null,
  cliente_direccion: '',
  cliente_direccion2: null,
  cliente_codigo_postal: null,
  cliente_ciudad: null,
  cliente_provincia: null,
  cliente_pais: null,
};
