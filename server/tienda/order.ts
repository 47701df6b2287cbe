import type { ShopTax } from '../../contract/iva/charged.ts';
import type { TipoIva } from '../../contract/iva/fields.ts';
import type { METODOS_PAGO } from '../../contract/payments/fields.ts';
import type { Situacion } from '../../contract/tienda/fields.ts';

export type WebLine = {
  /** SKU, or the product's ids: the key to which a person assigns a pack. Empty without either. */
  clave: string;
  /** SKU as a hint for the pack; a variation can bear its parent's. */
  sku?: string;
  nombre: string;
  /** Choices and texts of the customer, such as a size or an engraving. */
  texto?: string;
  cantidad: number;
  /** Total of the line in the shop, taxes included, before the order's discount. */
  total_cents: number;
  /** A charge of the shop without goods, such as its fee for paying on delivery. */
  isFee?: true;
  /** Rate of VAT that the shop charged, if a Spanish one explains the tax. */
  iva?: TipoIva;
  /** Pack that a person chose for this line alone. */
  pack_id?: string;
  /** True if a person said that the line is no merchandise. */
  sin_mercancia?: boolean;
};

/** An order of a web shop, in one form for all shops. */
export type WebOrder = {
  externo_id: string;
  numero: string;
  /** ISO 8601, UTC. Tells which of two messages about the order is newer; absent if the shop does not say. */
  modificado?: string;
  /** Undefined for an unknown state of the shop, about which a person decides. */
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
    /** NIF as the shop has stored it, valid or not. */
    cliente_nif?: string;
  };
  instrucciones: string | null;
  lineas: WebLine[];
  envio_cents: number;
  descuento_cents: number;
  total_cents: number;
  /** VAT that the shop charged, in cents; absent if the shop does not say. */
  cuota_cents?: number;
  /** The VAT by rate, shipping and charges included; absent if the shop does not say. */
  impuestos?: ShopTax[];
  contra_reembolso: boolean;
  /** Payment method that a person has to name before the order can be paid or collected. */
  forma?: { clave: string; titulo: string };
  /** Place where the customer wants to collect the order, which then needs no van. */
  recogida?: string;
  /** Payment made in the shop, with its instant or day; null while unpaid or paid on delivery. */
  pago: { metodo: (typeof METODOS_PAGO)[number]; referencia: string; fecha?: string } | null;
  /** Refunded in the shop, in cents. */
  devuelto_cents: number;
  /** Goods of the refunds, newest refund first, as far as the shop says them. */
  devoluciones?: Refund[];
};

/** A refund of a shop: its amount in cents and what it was for, such as «1 × Aceite». */
export type Refund = { cents: number; de: string };

/** Message that names an order only to say that the shop has deleted it. */
export type Deletion = { externo_id: string; borrado: true };
