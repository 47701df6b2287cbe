import type { PedidoFieldName } from '../../../contract/pedidos/fields.ts';
import { MONEY_NAMES } from './headings-money.ts';
import type { Target } from './target.ts';

/*
 * Words in headings of sheets, compared without accents, case, spaces or punctuation. A heading counts only if all its words are known,
 * so «Fecha de envío», «Precio unidad» and «Dirección de correo» are ignored.
 */

/** Fields of contract/ whose headings mean a target with another name. */
export const WRITTEN_IN: Partial<Record<Target, readonly PedidoFieldName[]>> = {
  pack: ['producto', 'pack_id'],
  pedido: ['numero_orden'],
  total: ['precio_total'],
  pago: [],
  pago_referencia: [],
};

/** Further names of a target: Spanish abbreviations, English, and the exports of Shopify, WooCommerce, PrestaShop and Amazon. */
export const NAMES: Partial<Record<Target, readonly string[]>> = {
  ...MONEY_NAMES,
  cliente_nombre: ['nombre completo', 'nombre apellidos', 'nombre apellido', 'name', 'full name', 'first name', 'firstname', 'customer'],
  cliente_telefono: [
    ...['teléfono móvil', 'telf', 'tfno', 'tfn', 'tlfno', 'celular', 'whatsapp', 'teléfono 1', 'tel 1', 'número teléfono', 'n teléfono'],
    ...['no teléfono', 'phone', 'phone number', 'telephone', 'telephone number', 'mobile', 'mobile phone', 'mobile number'],
  ],
  cliente_direccion: [
    ...['dir', 'direc', 'domicilio', 'señas', 'dirección postal', 'dirección 1', 'dirección línea 1', 'calle número', 'calle no', 'vía'],
    ...['address', 'address 1', 'street 1', 'address line 1', 'address 1 2', 'street address', 'street number name'],
  ],
  cliente_direccion2: [
    ...['planta', 'escalera', 'piso letra', 'dirección línea 2', 'dirección adicional', 'complemento dirección', 'resto dirección'],
    ...['address 2', 'street 2', 'address line 2', 'apartment', 'apt', 'floor', 'address complement'],
  ],
  cliente_codigo_postal: ['zip postal code', 'cód postal', 'c postal', 'cod p', 'cpostal', 'zip', 'zip code', 'postal code', 'post code'],
  cliente_ciudad: ['pob', 'pobl', 'pueblo', 'city', 'town', 'suburb'],
  cliente_provincia: ['prov', 'province name', 'state', 'state name', 'county', 'region', 'región'],
  cliente_pais: ['country', 'country name', 'country code'],
  cliente_nif: ['nif cif', 'cif nif', 'dni nif', 'nif dni', 'número identificación fiscal', 'vat', 'vat number', 'tax id', 'vat id'],
  franja_horaria: ['franja', 'delivery window', 'time slot'],
  instrucciones: [
    ...['instrucción', 'observación', 'obs', 'nota', 'comentario', 'comentarios', 'indicaciones', 'aclaraciones'],
    ...['note', 'notes', 'note from', 'comment', 'comments', 'instructions', 'special instructions'],
  ],
  pack: [
    ...['nombre producto', 'nombre artículo', 'nombre pack', 'descripción producto', 'descripción artículo', 'productos', 'artículos'],
    ...['título artículo', 'título producto', 'qué quiere', 'qué quieres', 'qué pide', 'qué desea', 'encargo'],
    ...['product', 'product name', 'product title', 'item name', 'item title', 'line item', 'lineitem name', 'line item name'],
  ],
  cantidad: [
    ...[
      'ud',
      'cuántos',
      'cuántas',
      'cdad',
      'ctdad',
      'cantidades',
      'número unidades',
      'n unidades',
      'no unidades',
      'n uds',
      'no uds',
      'num uds',
      'num unidades',
    ],
    ...['cantidad producto', 'cantidad artículo', 'cantidad packs', 'número packs', 'no packs', 'n packs'],
    ...['quantity', 'qty', 'qty ordered', 'units', 'lineitem quantity', 'line item quantity', 'item quantity', 'item qty'],
    ...['product quantity', 'product qty', 'quantity purchased', 'quantity refund'],
  ],
  contra_reembolso: [
    ...[
      'cash on delivery',
      'cod amount',
      'amount cod',
      'importe cod',
      'importe reembolso',
      'importe contra reembolso',
      'reembolso importe',
    ],
    ...[
      'valor reembolso',
      'total reembolso',
      'reembolso euros',
      'reembolso eur',
      'contrareembolso',
      'importe contrareembolso',
      'c reembolso',
    ],
    ...['pago contra reembolso', 'pago contrareembolso', 'contra entrega', 'cobro en destino', 'pay on delivery', 'collect on delivery'],
  ],
  pedido: [
    ...['nº pedido', 'no pedido', 'n pedido', 'núm pedido', 'número pedido', 'id pedido', 'pedido id', 'código pedido', 'cód pedido'],
    ...['referencia pedido', 'ref pedido', 'pedido web', 'pedido cliente'],
    ...['order', 'order id', 'order number', 'order no', 'order name', 'order reference', 'id order', 'amazon order id'],
  ],
};

/** Less specific names, which yield to `NAMES` within the same tier. */
export const WEAK: Partial<Record<Target, readonly string[]>> = {
  cliente_nombre: ['razón social', 'persona contacto', 'contacto', 'contact'],
  cliente_telefono: ['teléfono fijo', 'fijo', 'teléfono 2', 'tel 2'],
  cliente_direccion: ['street', 'street name'],
  cliente_provincia: ['province'],
  pack: ['descripción', 'concepto', 'item', 'items', 'article'],
};

/** Names of last resort, which yield to `WEAK` too. */
export const LAST: Partial<Record<Target, readonly string[]>> = {
  pack: ['sku', 'seller sku', 'lineitem sku', 'código artículo', 'cód artículo', 'ref artículo', 'contenido', 'mercancía', 'contents'],
};

/** Headings that have another meaning in one program's export; only that export has the heading `mark`. */
export const EXPORTS: readonly { mark: string; names: Readonly<Record<string, Target>> }[] = [
  { mark: 'Lineitem name', names: { name: 'pedido' } },
];

/** Names that continue the field of the column before: «Nombre» and «Apellidos», «Calle» and «N.º». */
export const CONTINUES: Partial<Record<Target, readonly string[]>> = {
  cliente_nombre: [
    'apellidos',
    'apellido',
    'primer apellido',
    'segundo apellido',
    'apellido 1',
    'apellido 2',
    'last name',
    'lastname',
    'surname',
  ],
  cliente_direccion: ['N.º', 'núm.', 'número', 'portal', 'street number', 'house number'],
  cliente_direccion2: ['puerta', 'letra', 'address 3', 'address line 3'],
  pack: ['pack', 'producto'],
};

/** Words in headings of numbers that are not quantities. */
export const OTHER_NUMBERS = [
  ...['precio', 'importe', 'total', 'subtotal', 'coste', 'pvp', 'euros', 'iva', 'impuesto', 'dto', 'descuento', 'portes', 'gastos'],
  ...['peso', 'kg', 'edad', 'día', 'mes', 'semana', 'hora', 'piso', 'puerta', 'ruta', 'parada', 'id', 'número', 'no', 'código', 'cod'],
  ...['price', 'amount', 'cost', 'tax', 'taxes', 'discount', 'refund', 'weight', 'age', 'day', 'month', 'number', 'code', 'shipped'],
];

export const DAYS = ['fecha', 'fec', 'día', 'temporal', 'date', 'day', 'created', 'timestamp'];

/** Connecting words, which are ignored. */
export const JOINING = ['de', 'del', 'la', 'el', 'los', 'las', 'y', 'para', 'a', 'al', 'of', 'the', 'and', 'to', 'for'];
/** Ignored words such as «cliente», which mean neither delivery nor billing. */
export const AROUND = [
  ...['tu', 'su', 'your'],
  ...['cliente', 'clientes', 'comprador', 'contacto', 'pedido', 'pedida', 'pedidas', 'pedidos', 'solicitada', 'solicitadas', 'completa'],
  ...['customer', 'buyer', 'contact', 'order', 'ordered', 'completo', 'línea', 'líneas', 'line', 'lines'],
];
/** Words for the delivery. A column with such a word wins over other columns of its target. */
export const SHIPPING = [
  ...['envío', 'enviar', 'entrega', 'entregar', 'destino', 'destinatario', 'destinataria', 'receptor', 'consignatario', 'recibe'],
  ...['shipping', 'ship', 'shipto', 'shipment', 'deliver', 'delivery', 'deliverto', 'recipient', 'receiver', 'consignee'],
];
/** Words for the billing. A column with such a word is used only if its target has no other column. */
export const BILLING = ['facturación', 'factura', 'fiscal', 'billing', 'bill', 'invoice'];
