import { EDITABLE_FIELDS, pedidoField } from '../../contract/pedidos/fields.ts';
import type { Format } from '../../contract/sheets/formats.ts';
import { dictionaryPairs, wordKey } from '../../contract/sheets/words.ts';

/*
 * Headings of the files that other programs write, exactly as they write them; a person is asked about any other. At most 150 for all uses,
 * with those of the order's fields in contract/pedidos/.
 */

/** What a file is read for. */
export type Use = Format['uso'];

/** Headings by the program that writes them, as `target: heading, heading; target: …`. */
export const HEADINGS: Record<Use, Record<string, string>> = {
  pedidos: {
    Enruta: 'total: Total, Total (€); pago: Pagado (€); pedido: Nº de pedido; situacion: Estado',
    'sheets by hand':
      'cliente_nombre: Apellidos; cliente_telefono: Teléfono móvil; cliente_direccion: N.º; pack: Productos; pedido: Nº pedido, Número de pedido; ' +
      'pago: Pago, Pagado, Forma de pago, Método de pago, Estado del pago, Anticipo, Fecha de pago; ' +
      'contra_reembolso: COD, Importe reembolso, A cobrar; situacion: Estado del pedido, Situación, Forma de envío; moneda: Moneda; ' +
      'envio: Gastos de envío',
    Shopify:
      'pedido: Name; situacion: Fulfillment Status, Shipping Method; anulado: Cancelled at; moneda: Currency; ' +
      'pago: Financial Status, Paid at, Payment Method; envio: Shipping; descuento: Discount Amount; ' +
      'pack: Lineitem name; cantidad: Lineitem quantity; cliente_nombre: Shipping Name; cliente_direccion: Shipping Address1; ' +
      'cliente_direccion2: Shipping Address2; cliente_ciudad: Shipping City; cliente_codigo_postal: Shipping Zip; ' +
      'cliente_pais: Shipping Country; cliente_telefono: Shipping Phone; instrucciones: Notes',
    WooCommerce:
      'pedido: Order Number; situacion: Order Status; cliente_nombre: First Name (Shipping), Last Name (Shipping); ' +
      'cliente_direccion: Address 1&2 (Shipping); cliente_ciudad: City (Shipping); cliente_codigo_postal: Postcode (Shipping); ' +
      'cliente_telefono: Phone (Billing); pago: Payment Method Title; ' +
      'envio: Order Shipping Amount; total: Order Total Amount; pack: Item Name; cantidad: Quantity; instrucciones: Customer Note',
    PrestaShop:
      'pedido: id_order; cliente_nombre: firstname, lastname; cliente_direccion: address1; cliente_direccion2: address2; ' +
      'cliente_codigo_postal: postcode; cliente_ciudad: city; cliente_telefono: phone, phone_mobile; pack: product_name; ' +
      'cantidad: product_quantity',
    Amazon:
      'pedido: order-id; cliente_nombre: recipient-name; cliente_direccion: ship-address-1; cliente_direccion2: ship-address-2, ship-address-3; ' +
      'cliente_ciudad: ship-city; cliente_codigo_postal: ship-postal-code; cliente_pais: ship-country; cantidad: quantity-to-ship',
  },
  respuesta: {
    'Correos, SEUR, GLS, MRW':
      'referencia: Referencia, Referencia cliente; seguimiento: Número de seguimiento, ' +
      'Localizador, Expedición, Código de envío; estado: Estado, Situación, Incidencia, Motivo',
    'programs in English': 'referencia: Reference; seguimiento: Tracking number',
  },
  remesa: {},
  // A person says what each column of a bank's sheet is.
  banco: {},
};

/** Key by which two headings are compared: without case, accents, spaces and punctuation. */
export const headingKey = (title: string): string => wordKey(title).replace(/[ €]/g, '');

/** Fields of contract/ whose headings mean a column with another name. */
const WRITTEN_AS = { producto: 'pack', pack_id: 'pack', numero_orden: 'pedido', precio_total: 'total' } as const;
const OF_FIELDS = [
  ...[...EDITABLE_FIELDS, 'cantidad', 'contra_reembolso', 'envio', 'descuento'].map((name) => [name, name]),
  ...Object.entries(WRITTEN_AS),
].flatMap(([name, target]) => {
  const { label, exported, headings = [] } = pedidoField(name as 'cantidad');
  return [label, exported?.heading ?? label, ...headings].map((title) => [headingKey(title), target as string] as const);
});

const writtenIn = (use: Use) => Object.values(HEADINGS[use]).flatMap((text) => dictionaryPairs(text, headingKey));
const OF_COMPANIES = new Map(writtenIn('respuesta'));
const KNOWN: Record<Use, ReadonlyMap<string, string>> = {
  pedidos: new Map([...OF_FIELDS, ...writtenIn('pedidos')]),
  respuesta: OF_COMPANIES,
  // The same companies name the number of a parcel in the same way; a person says where the money is.
  remesa: OF_COMPANIES,
  banco: new Map(writtenIn('banco')),
};

/** Number of headings of all uses. */
export const knownHeadings = (): number => [...new Set(Object.values(KNOWN))].reduce((sum, { size }) => sum + size, 0);

/** Field that an exact heading means; undefined for a heading to ask about. */
export const headingTarget = (use: Use, title: string): string | undefined => KNOWN[use].get(headingKey(title));

/** Number of fields that the headings of a row mean. */
export const countTargets = (use: Use, row: readonly string[]): number =>
  new Set(row.map((title) => headingTarget(use, title)).filter(Boolean)).size;
