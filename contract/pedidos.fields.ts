import type { Field } from './fields.ts';
import { companyLabel, ESTADO, ESTADOS, type Estado, METODO_ENTREGA_LABEL, METODOS_ENTREGA, type MetodoEntrega } from './pedidos.flow.ts';
import type { Role } from './policy.ts';

/*
 * Single definition of an order's fields, from which schemas, labels, columns, responses, form rules, history and
 * export derive. Rows are in export order; forms decide their own layout.
 */

/** Last stage at which a field may be edited: at creation, while the order is open, or even once completed. */
type Until = 'created' | 'open' | 'completed';

type PedidoField = Field & {
  /** Optional on input but never null in a response. */
  always?: true;
  /** Visible to any carrier who may take the order, to the carrier holding it, or to those who see prices. */
  seen: 'open' | 'carrier' | 'prices';
  /** Roles that may write it; when absent only the server does. */
  by?: readonly Role[];
  until?: Until;
  /** Label in forms without a «Cliente» heading. */
  formLabel?: string;
  /** Default in a new form. */
  initial?: string;
  /** Included in the text search. */
  searched?: true;
  /** Changes appear in the history, as they do for every user-editable field. */
  recorded?: true;
  /** Export column width in characters, and its heading when different from the label. */
  exported?: { width: number; heading?: string };
  /** Import headings accepted besides the label, compared without accents or case. */
  headings?: readonly string[];
  /** Formats a value for display. */
  words?: (value: never) => string;
};

const REQUIRED = 'Completa los campos obligatorios';
const ALL = ['superadmin', 'revendedor'] as const;
/** Written by superadmins when creating the order. */
const AT_CREATION = { by: ['superadmin'], until: 'created' } as const;
/** Customer and address: written by everybody who creates orders, while the order is open. */
const CLIENTE = { seen: 'open', by: ALL, until: 'open', searched: true } as const;
const AMOUNT = { kind: 'money', always: true, seen: 'prices' } as const;
/** Written by the server on delivery. */
const DELIVERY = { seen: 'carrier', recorded: true } as const;

export const PEDIDO_FIELDS = {
  id: { label: 'Identificador', kind: 'id', always: true, seen: 'open' },
  numero_orden: {
    label: 'Número de orden',
    kind: 'text',
    max: 40,
    always: true,
    seen: 'open',
    ...AT_CREATION,
    searched: true,
    exported: { width: 16, heading: 'Nº de pedido' },
    headings: ['pedido', 'referencia'],
  },
  cliente_nombre: {
    label: 'Nombre',
    formLabel: 'Cliente - Nombre',
    kind: 'text',
    max: 160,
    required: REQUIRED,
    ...CLIENTE,
    exported: { width: 26, heading: 'Cliente' },
    headings: ['cliente', 'destinatario', 'nombre y apellidos'],
  },
  cliente_telefono: {
    label: 'Teléfono',
    formLabel: 'Cliente - Teléfono',
    kind: 'telephone',
    max: 30,
    ...CLIENTE,
    seen: 'carrier',
    exported: { width: 18 },
    headings: ['móvil', 'tel', 'tlf'],
  },
  cliente_direccion: {
    label: 'Dirección',
    formLabel: 'Cliente - Dirección',
    kind: 'text',
    max: 240,
    required: REQUIRED,
    ...CLIENTE,
    exported: { width: 34 },
    headings: ['calle', 'domicilio'],
  },
  cliente_direccion2: {
    label: 'Piso / Puerta / Oficina',
    kind: 'text',
    max: 200,
    ...CLIENTE,
    seen: 'carrier',
    exported: { width: 20 },
    headings: ['piso', 'puerta', 'dirección 2'],
  },
  cliente_codigo_postal: {
    label: 'Código Postal',
    kind: 'postcode',
    max: 12,
    ...CLIENTE,
    exported: { width: 14 },
    headings: ['cp', 'c.p.'],
  },
  cliente_ciudad: {
    label: 'Ciudad',
    kind: 'text',
    max: 120,
    ...CLIENTE,
    exported: { width: 22 },
    headings: ['población', 'localidad', 'municipio'],
  },
  cliente_provincia: {
    label: 'Provincia / Estado',
    kind: 'text',
    max: 120,
    ...CLIENTE,
    exported: { width: 20 },
    headings: ['provincia'],
  },
  cliente_pais: {
    label: 'País',
    kind: 'country',
    max: 80,
    seen: 'open',
    by: ALL,
    until: 'open',
    initial: 'España',
    exported: { width: 14 },
  },
  fecha_pedido: {
    label: 'Fecha de pedido',
    kind: 'instant',
    always: true,
    seen: 'open',
    ...AT_CREATION,
    exported: { width: 12, heading: 'Fecha' },
  },
  estado: {
    label: 'Estado',
    kind: 'choice',
    options: ESTADOS,
    invalid: 'Estado no válido',
    always: true,
    seen: 'open',
    ...AT_CREATION,
    exported: { width: 16 },
    words: (estado: Estado) => ESTADO[estado].label,
  },
  precio_total: { label: 'Total', ...AMOUNT, ...AT_CREATION, exported: { width: 12, heading: 'Total (€)' } },
  /** The sum of its payments; apart from the estado. */
  pagado: { label: 'Pagado', ...AMOUNT, exported: { width: 12, heading: 'Pagado (€)' } },
  /** What is left to pay: what was returned and not refunded counts as paid, and a cancelled order owes nothing. */
  pendiente: { label: 'Por cobrar', ...AMOUNT, exported: { width: 14, heading: 'Por cobrar (€)' } },
  producto: {
    label: 'Producto',
    kind: 'text',
    max: 200,
    always: true,
    seen: 'open',
    ...AT_CREATION,
    searched: true,
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
    seen: 'open',
    by: ALL,
    until: 'created',
    exported: { width: 10 },
    headings: ['unidades', 'packs'],
  },
  metodo_entrega: {
    label: 'Método de entrega',
    kind: 'choice',
    options: METODOS_ENTREGA,
    ...DELIVERY,
    exported: { width: 18 },
    words: (metodo: MetodoEntrega) => METODO_ENTREGA_LABEL[metodo],
  },
  numero_seguimiento: {
    label: 'Número de seguimiento',
    kind: 'text',
    max: 60,
    ...DELIVERY,
    searched: true,
    exported: { width: 20, heading: 'Nº de seguimiento' },
  },
  empresa_transporte: {
    label: 'Empresa de transporte',
    kind: 'text',
    max: 80,
    always: true,
    ...DELIVERY,
    exported: { width: 22 },
    words: companyLabel,
  },
  franja_horaria: {
    label: 'Franja horaria',
    kind: 'text',
    max: 80,
    seen: 'carrier',
    by: ALL,
    until: 'open',
    exported: { width: 20 },
    headings: ['horario', 'hora de entrega'],
  },
  instrucciones: {
    label: 'Instrucciones',
    kind: 'multiline',
    max: 1000,
    seen: 'carrier',
    by: ALL,
    until: 'completed',
    headings: ['observaciones', 'notas'],
  },
  /** Edited by superadmins, and not with the text fields. */
  fecha_estimada: { label: 'Fecha estimada', kind: 'instant', seen: 'open', ...AT_CREATION, recorded: true },
  fecha_completado: { label: 'Fecha de entrega', kind: 'instant', seen: 'carrier' },
  motivo: { label: 'Último intento fallido', kind: 'multiline', max: 300, seen: 'carrier' },
  precio_unitario: { label: 'Precio unitario', ...AMOUNT, ...AT_CREATION },
  revendedor_id: { label: 'Revendedor', kind: 'id', seen: 'prices', ...AT_CREATION },
  revendedor_nombre: { label: 'Revendedor', kind: 'text', seen: 'prices', searched: true, exported: { width: 26 } },
  transportista_id: { label: 'Transportista', kind: 'id', seen: 'open' },
  transportista_nombre: { label: 'Transportista', kind: 'text', ...DELIVERY, exported: { width: 26 } },
  /** What bringing it costs the customer, and what is taken off; both in the total. */
  envio: { label: 'Envío', ...AMOUNT, ...AT_CREATION, exported: { width: 10, heading: 'Envío (€)' }, headings: ['portes'] },
  descuento: { label: 'Descuento', ...AMOUNT, ...AT_CREATION, exported: { width: 12, heading: 'Descuento (€)' }, headings: ['dto'] },
  /** Of its quantity, what customers gave back after the delivery, and what they were refunded. */
  cantidad_devuelta: { label: 'Devueltos', kind: 'integer', always: true, seen: 'prices', exported: { width: 10 } },
  reembolsado: { label: 'Reembolsado', ...AMOUNT, exported: { width: 12, heading: 'Reembolsado (€)' } },
  /** Units of their products that its lines hold; none without a pack, once cancelled, or back in the stock. */
  unidades_retenidas: { label: 'Unidades', kind: 'integer', always: true, seen: 'prices' },
  /** How many lines it has, of which product, quantity and prices are the summary. */
  num_lineas: { label: 'Líneas', kind: 'integer', always: true, seen: 'open' },
  /** Of its only line; null with several. */
  pack_id: { label: 'Pack', kind: 'id', seen: 'prices', by: ALL, until: 'created' },
  version: { label: 'Versión', kind: 'integer', always: true, seen: 'open' },
  created_at: { label: 'Creado', kind: 'instant', always: true, seen: 'carrier' },
  updated_at: { label: 'Modificado', kind: 'instant', always: true, seen: 'carrier' },
  deleted_at: { label: 'Eliminado', kind: 'instant', seen: 'prices' },
  /** When its personal data was taken out: for ever, or until it is unblocked. */
  anonimizado_at: { label: 'Datos anonimizados', kind: 'instant', seen: 'prices' },
  bloqueado_at: { label: 'Datos bloqueados', kind: 'instant', seen: 'prices' },
} as const satisfies Record<string, PedidoField>;

type Table = typeof PEDIDO_FIELDS;
export type PedidoFieldName = keyof Table;
/** Names of the fields that have these properties. */
type NamesWith<P> = { [N in PedidoFieldName]: Table[N] extends P ? N : never }[PedidoFieldName];

const ROWS: Readonly<Record<PedidoFieldName, PedidoField>> = PEDIDO_FIELDS;
const NAMES = Object.keys(PEDIDO_FIELDS) as PedidoFieldName[];
const namesWhere = <N extends PedidoFieldName>(wanted: (field: PedidoField) => boolean) =>
  NAMES.filter((name) => wanted(ROWS[name])) as N[];

/** A field of the order by its name. */
export const pedidoField = (name: PedidoFieldName): PedidoField => ROWS[name];

export const FIELDS_SEEN_OPEN = namesWhere<NamesWith<{ seen: 'open' }>>(({ seen }) => seen === 'open');
export const FIELDS_SEEN_BY_CARRIER = namesWhere<NamesWith<{ seen: 'open' | 'carrier' }>>(({ seen }) => seen !== 'prices');
export const FIELDS = NAMES;

/** Fields accepted when creating an order. */
export const CREATED_FIELDS = namesWhere<NamesWith<{ until: Until }>>(({ until }) => until !== undefined);
/** Fields still editable after creation, all of them text. */
export type EditableField = NamesWith<{ until: 'open' | 'completed' }>;
export const EDITABLE_FIELDS = namesWhere<EditableField>(({ until }) => until === 'open' || until === 'completed');
/** Fields whose changes the history shows; never a price. */
export type RecordedField = EditableField | NamesWith<{ recorded: true }>;
export const RECORDED_FIELDS = namesWhere<RecordedField>(({ until, recorded }) => recorded || until === 'open' || until === 'completed');
/** Customer and address. */
export type ClienteField = Extract<PedidoFieldName, `cliente_${string}`>;
export const CLIENTE_FIELDS = NAMES.filter((name): name is ClienteField => name.startsWith('cliente_'));
export const EXPORTED_FIELDS = namesWhere<NamesWith<{ exported: object }>>(({ exported }) => exported !== undefined);

/** True if `name` may be edited in this estado; cancelled and deleted orders are frozen (design, section 4.8). */
export function isEditable(
  name: EditableField | 'fecha_estimada',
  { estado, deleted_at }: { estado: Estado; deleted_at?: string | null },
): boolean {
  if (deleted_at || estado === 'cancelado') return false;
  return estado !== 'completado' || ROWS[name].until === 'completed';
}

/** Label of a field; its raw name if this version does not know it. */
export const pedidoLabel = (name: string): string => (name in ROWS ? ROWS[name as PedidoFieldName].label : name);
