import { METADATA } from '../kit/fields.ts';
import { CLIENTE_ROWS } from './cliente.fields.ts';
import { ESTADO, ESTADOS, type Estado } from './estados.ts';
import type { PedidoField, Until, Writer } from './field.ts';
import { companyLabel, METODO_ENTREGA_LABEL, METODOS_ENTREGA, type MetodoEntrega } from './metodos.ts';

/* Single definition of an order's fields: schemas, forms, lists and exports derive from this table. Rows are in export order. */

const AT_CREATION = { by: 'terms', until: 'created' } as const;
const AMOUNT = { kind: 'money', always: true, seen: 'prices' } as const;
const PRICED = { ...AMOUNT, ...AT_CREATION, copied: true } as const;
const DELIVERY = { seen: 'delivery', recorded: true } as const;

export const PEDIDO_FIELDS = {
  id: { label: 'Identificador', kind: 'id', always: true, seen: 'order' },
  numero_orden: {
    label: 'Número de orden',
    kind: 'text',
    max: 40,
    always: true,
    seen: 'order',
    ...AT_CREATION,
    searched: true,
    erased: 'codigo',
    exported: { width: 16, heading: 'Nº de pedido' },
    headings: ['pedido'],
  },
  ...CLIENTE_ROWS,
  fecha_pedido: {
    label: 'Fecha de pedido',
    kind: 'instant',
    always: true,
    seen: 'order',
    ...AT_CREATION,
    exported: { width: 12, heading: 'Fecha' },
  },
  estado: {
    label: 'Estado',
    kind: 'choice',
    options: ESTADOS,
    invalid: 'Estado no válido',
    always: true,
    seen: 'order',
    ...AT_CREATION,
    erased: 'codigo',
    exported: { width: 16 },
    words: (estado: Estado) => ESTADO[estado].label,
  },
  precio_total: { label: 'Total', ...PRICED, searched: true, exported: { width: 12, heading: 'Total (€)' } },
  /** Sum of the order's payments; independent of `estado`. */
  pagado: { label: 'Pagado', ...AMOUNT, exported: { width: 12, heading: 'Pagado (€)' } },
  /** A return not yet refunded counts as paid; a cancelled order owes nothing. */
  pendiente: { label: 'Por cobrar', ...AMOUNT, exported: { width: 14, heading: 'Por cobrar (€)' } },
  producto: {
    label: 'Producto',
    kind: 'text',
    max: 200,
    always: true,
    seen: 'order',
    ...AT_CREATION,
    searched: true,
    copied: true,
    // A superadmin writes this text for lines without a pack, so it can hold personal data.
    erased: { rule: 'mascara' },
    exported: { width: 34 },
    headings: ['artículo', 'pack'],
  },
  cantidad: {
    label: 'Cantidad',
    kind: 'integer',
    min: 1,
    max: 9999,
    required: 'La cantidad debe ser un número entero entre 1 y 9999',
    invalid: 'La cantidad debe ser un número entero entre 1 y 9999',
    seen: 'order',
    by: 'seller',
    until: 'created',
    copied: true,
    exported: { width: 10 },
    headings: ['unidades', 'packs', 'uds', 'cant', 'ctd'],
  },
  metodo_entrega: {
    label: 'Método de entrega',
    kind: 'choice',
    options: METODOS_ENTREGA,
    ...DELIVERY,
    erased: 'codigo',
    exported: { width: 18 },
    words: (metodo: MetodoEntrega) => METODO_ENTREGA_LABEL[metodo],
  },
  numero_seguimiento: {
    label: 'Número de seguimiento',
    kind: 'text',
    max: 60,
    ...DELIVERY,
    searched: true,
    // Redacted, because the transport company's page for this number shows the recipient.
    erased: { rule: 'nulo', maskElsewhere: 6 },
    exported: { width: 20, heading: 'Nº de seguimiento' },
  },
  empresa_transporte: {
    label: 'Empresa de transporte',
    kind: 'text',
    max: 80,
    always: true,
    ...DELIVERY,
    erased: 'negocio',
    exported: { width: 22 },
    words: companyLabel,
  },
  franja_horaria: {
    label: 'Franja horaria',
    kind: 'text',
    max: 80,
    seen: 'delivery',
    by: 'seller',
    until: 'open',
    copied: true,
    erased: { rule: 'nulo' },
    exported: { width: 20 },
    headings: ['horario', 'hora de entrega'],
  },
  /** Number of the order in another program. */
  referencia_externa: {
    label: 'Referencia externa',
    kind: 'text',
    max: 100,
    seen: 'sale',
    by: 'office',
    until: 'open',
    searched: true,
    erased: { rule: 'mascara' },
    exported: { width: 22 },
    headings: ['referencia', 'ref. externa', 'su referencia'],
  },
  /** Web shop of the order: numbers of two shops can be the same. */
  tienda: { label: 'Tienda en línea', kind: 'text', max: 80, seen: 'delivery', erased: 'negocio', exported: { width: 20 } },
  metadata: { ...METADATA, seen: 'programs', by: 'office', editedBy: 'office', until: 'completed', erased: { rule: 'nulo' } },
  instrucciones: {
    label: 'Instrucciones',
    kind: 'multiline',
    max: 1000,
    seen: 'contact',
    by: 'seller',
    until: 'completed',
    copied: true,
    erased: { rule: 'nulo', maskElsewhere: 6 },
    headings: ['observaciones', 'notas'],
  },
  /** Request of the customer: another day, or a note to the carrier. */
  aviso_cliente: {
    label: 'Aviso del cliente',
    kind: 'multiline',
    max: 320,
    seen: 'contact',
    recorded: true,
    erased: { rule: 'nulo', maskElsewhere: 6 },
  },
  fecha_estimada: {
    label: 'Fecha estimada',
    kind: 'instant',
    seen: 'order',
    by: 'terms',
    editedBy: 'promise',
    until: 'open',
    recorded: true,
  },
  /** Time since which the order waits for an answer after failed attempts. */
  incidencia_at: { label: 'Espera respuesta desde', kind: 'instant', seen: 'delivery', recorded: true },
  /** Time since which the customer is to collect the order in the shop. */
  recoge_at: { label: 'Lo recoge el cliente desde', kind: 'instant', seen: 'delivery', recorded: true },
  /** Time at which the customer allowed delivery to a neighbour, on the customer's page. */
  vecino_at: { label: 'Puede dejarse a un vecino', kind: 'instant', seen: 'delivery' },
  /** Time at which the carrier loaded the order into the vehicle (decision 066). */
  cargado_at: { label: 'Cargado', kind: 'instant', seen: 'delivery' },
  /** Transport company that received the order with a shipment file, and when (decision 085). */
  en_empresa: { label: 'En manos de', kind: 'text', seen: 'delivery', recorded: true, erased: 'negocio' },
  en_empresa_at: { label: 'En manos de una empresa desde', kind: 'instant', seen: 'delivery' },
  fecha_completado: { label: 'Fecha de entrega', kind: 'instant', seen: 'delivery' },
  /** Time of the delivery that was last taken back. */
  entrega_anulada_at: { label: 'Entrega anulada del', kind: 'instant', seen: 'delivery' },
  /** Time of the last failed attempt, and how many there were. */
  intento_at: { label: 'Fecha del último intento', kind: 'instant', seen: 'delivery' },
  intentos: { label: 'Intentos fallidos', kind: 'integer', always: true, seen: 'delivery' },
  /** Time at which the order left for delivery; null once it is back. */
  salio_at: { label: 'Salió a reparto', kind: 'instant', seen: 'delivery' },
  /** Time at which the customer asked for another day; null after a later attempt. */
  aplazado_at: { label: 'Pidió otro día', kind: 'instant', seen: 'delivery' },
  /** Time since which undelivered goods are on their way back; null once the office has received them. */
  mercancia_at: { label: 'Vuelve mercancía desde', kind: 'instant', seen: 'delivery' },
  motivo: { label: 'Último intento fallido', kind: 'multiline', max: 300, seen: 'delivery', erased: { rule: 'nulo', maskElsewhere: 6 } },
  precio_unitario: { label: 'Precio unitario', ...PRICED },
  revendedor_id: { label: 'Revendedor', kind: 'id', seen: 'sale', ...AT_CREATION, copied: true },
  revendedor_nombre: { label: 'Revendedor', kind: 'text', seen: 'sale', searched: true, erased: 'persona', exported: { width: 26 } },
  transportista_id: { label: 'Transportista', kind: 'id', seen: 'order' },
  transportista_nombre: { label: 'Transportista', kind: 'text', ...DELIVERY, erased: 'persona', exported: { width: 26 } },
  envio: { label: 'Envío', ...PRICED, exported: { width: 10, heading: 'Envío (€)' }, headings: ['portes'] },
  descuento: { label: 'Descuento', ...PRICED, exported: { width: 12, heading: 'Descuento (€)' }, headings: ['dto'] },
  /** True for payment to the carrier on delivery; fixed when the order is created (decision 051). */
  contra_reembolso: {
    label: 'Contra reembolso',
    kind: 'flag',
    always: true,
    seen: 'order',
    by: 'seller',
    until: 'created',
    copied: true,
    exported: { width: 16 },
    headings: ['reembolso', 'pago al recibir', 'paga al recibir'],
  },
  /** Amount for the carrier to collect; 0 once paid, delivered or cancelled. */
  por_cobrar: { label: 'Cobrar al entregar', kind: 'money', seen: 'collect' },
  /** Time at which the customer announced a transfer; the money is not confirmed yet. */
  transferencia_avisada_at: { label: 'Transferencia avisada', kind: 'instant', seen: 'prices' },
  /** Quantity returned by the customer after delivery. */
  cantidad_devuelta: { label: 'Devueltos', kind: 'integer', always: true, seen: 'sale', exported: { width: 10 } },
  reembolsado: { label: 'Reembolsado', ...AMOUNT, exported: { width: 12, heading: 'Reembolsado (€)' } },
  /** True after a delivery with undelivered goods (decision 074). */
  entrega_parcial: { label: 'Entrega parcial', kind: 'flag', always: true, seen: 'delivery' },
  /** Money that a delivery company collected and has not paid to the shop, and that company. */
  cobro_empresa: { label: 'Lo tiene la empresa', ...AMOUNT },
  cobro_en: { label: 'Empresa que lo ha cobrado', kind: 'text', seen: 'prices', erased: 'negocio' },
  /** Amount to refund: paid beyond the total, for returned or undelivered goods, or for a deleted order. */
  por_reembolsar: { label: 'Por reembolsar', ...AMOUNT },
  /** Units reserved by the lines; none without a pack, after cancelling, or once returned to stock. */
  unidades_retenidas: { label: 'Unidades', kind: 'integer', always: true, seen: 'sale' },
  num_lineas: { label: 'Líneas', kind: 'integer', always: true, seen: 'order' },
  /** Pack of the only line; null with several lines. */
  pack_id: { label: 'Pack', kind: 'id', seen: 'sale', by: 'seller', until: 'created', copied: true },
  version: { label: 'Versión', kind: 'integer', always: true, seen: 'order' },
  created_at: { label: 'Creado', kind: 'instant', always: true, seen: 'delivery' },
  updated_at: { label: 'Modificado', kind: 'instant', always: true, seen: 'delivery' },
  deleted_at: { label: 'Eliminado', kind: 'instant', seen: 'sale' },
  /** Time at which personal data was removed: for good (`anonimizado_at`) or until unblocking (`bloqueado_at`). */
  anonimizado_at: { label: 'Datos anonimizados', kind: 'instant', seen: 'sale' },
  bloqueado_at: { label: 'Datos bloqueados', kind: 'instant', seen: 'sale' },
} as const satisfies Record<string, PedidoField>;

type Table = typeof PEDIDO_FIELDS;
export type PedidoFieldName = keyof Table;
export type NamesWith<P> = { [N in PedidoFieldName]: Table[N] extends P ? N : never }[PedidoFieldName];

const ROWS: Readonly<Record<PedidoFieldName, PedidoField>> = PEDIDO_FIELDS;
export const FIELDS = Object.keys(PEDIDO_FIELDS) as PedidoFieldName[];
const namesWhere = <N extends PedidoFieldName>(wanted: (field: PedidoField) => boolean) =>
  FIELDS.filter((name) => wanted(ROWS[name])) as N[];

export const pedidoField = (name: PedidoFieldName): PedidoField => ROWS[name];

export const CREATED_FIELDS = namesWhere<NamesWith<{ until: Until }>>(({ until }) => until !== undefined);
/** Text fields that stay editable after creation; the promised date and `metadata` have their own inputs. */
export type EditableField = Exclude<NamesWith<{ until: 'open' | 'completed' }>, NamesWith<{ editedBy: Writer }>>;
export const EDITABLE_FIELDS = namesWhere<EditableField>(({ until, editedBy }) => !editedBy && (until === 'open' || until === 'completed'));
export type ClienteField = Extract<PedidoFieldName, `cliente_${string}`>;
export const CLIENTE_FIELDS = FIELDS.filter((name): name is ClienteField => name.startsWith('cliente_'));
export const EXPORTED_FIELDS = namesWhere<NamesWith<{ exported: object }>>(({ exported }) => exported !== undefined);

/** Returns the label of a field, or the raw name of a field unknown to this version. */
export const pedidoLabel = (name: string): string => (name in ROWS ? ROWS[name as PedidoFieldName].label : name);

export const MAX_LOTE = 500;

export const MAX_FILAS = 2000;

/** Number of days within which the same telephone and pack count as a possible duplicate. */
export const DUPLICATE_DAYS = 3;
/** Days in which an import can be undone. */
export const DESHACER_DAYS = 7;

/** Fields of a line; the order's own fields summarise them (design, section 4.30). */
export const LINEA_FIELDS = ['pack_id', 'producto', 'cantidad', 'precio_unitario', 'precio_total'] as const;

export const LINEA_FIELDS_SEEN_BY_CARRIER = ['producto', 'cantidad'] as const;

export const MAX_LINEAS = 50;
