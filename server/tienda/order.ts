import type { TipoIva } from '../../contract/iva/fields.ts';
import type { METODOS_PAGO } from '../../contract/payments/fields.ts';
import type { Situacion } from '../../contract/tienda/fields.ts';

export type WebLine = {
  /** SKU, or the product's id: the key to which a person assigns a pack. */
  clave: string;
  nombre: string;
  cantidad: number;
  /** Total of the line in the shop, taxes included, before the order's discount. */
  total_cents: number;
  /** A charge of the shop without goods, such as its fee for paying on delivery. */
  isFee?: true;
  /** Rate of VAT that the shop charged; for charges only, because goods have the rate of their product. */
  iva?: TipoIva;
};

/** An order of a web shop, in one form for all shops. */
export type WebOrder = {
  externo_id: string;
  numero: string;
  /** ISO 8601, UTC. Tells which of two messages about the order is newer. */
  modificado: string;
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
  contra_reembolso: boolean;
  /** Payment made in the shop; null while unpaid or paid on delivery. */
  pago: { metodo: (typeof METODOS_PAGO)[number]; referencia: string } | null;
  /** Refunded in the shop, in cents. */
  devuelto_cents: number;
};
