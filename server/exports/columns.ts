import { type IvaRow, vatBreakdown } from '../../contract/iva/breakdown.ts';
import { FILA_IVA_LABEL, type FilaIva, SIN_TIPO } from '../../contract/iva/fields.ts';
import { seesField } from '../../contract/pedidos/access.ts';
import { EXPORTED_FIELDS, PEDIDO_FIELDS, pedidoField } from '../../contract/pedidos/fields.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { shownEmail } from '../kit/email.ts';
import type { Line } from '../pedidos/lineas/lineas.ts';

/** Cell sent to the worker: text, number with decimals, or local date and time. */
export type Cell = string | null | { n: number; decimals: 0 | 2 | 6 } | { date: string };
export type Sheet = { name: string; header: string[]; widths: number[] };

/** A sheet with its rows, read in batches. */
export type Source = { sheet: Sheet; count: () => Promise<number>; batches: () => AsyncGenerator<Cell[][]> };

export type PersonLine = { full_name: string; email: string; is_active: boolean; fecha: string; pedidos: number; total_cents: number };

export type ExportedField = (typeof EXPORTED_FIELDS)[number];
/** Returns the exported fields that the actor can see. */
export const exportedTo = (actor: Actor): readonly ExportedField[] => EXPORTED_FIELDS.filter((name) => seesField(actor, name));

/** Returns the sheet of orders with these fields: the columns of the specification (section 7) and later additions. */
export const pedidosSheet = (names: readonly ExportedField[]): Sheet => ({
  name: 'Pedidos',
  header: names.map((name) => pedidoField(name).exported?.heading ?? PEDIDO_FIELDS[name].label),
  widths: names.map((name) => PEDIDO_FIELDS[name].exported.width),
});

/** Values of an order by column; times in the business's time zone (yyyy-MM-ddTHH:mm:ss). */
export type PedidoLine = Readonly<Record<string, unknown>>;

/** Returns the cells of an order for these fields; amounts in euros. */
export const pedidoCells = (names: readonly ExportedField[], line: PedidoLine): Cell[] => names.map((name) => cellOf(name, line));

function cellOf(name: ExportedField, line: PedidoLine): Cell {
  const { kind, words = String } = pedidoField(name);
  const value = line[kind === 'money' ? `${name}_cents` : name] ?? null;
  if (value === null) return null;
  if (kind === 'money') return { n: Number(value) / 100, decimals: 2 };
  if (kind === 'integer') return { n: Number(value), decimals: 0 };
  if (kind === 'flag') return value ? 'Sí' : 'No';
  return kind === 'instant' ? { date: String(value) } : words(value as never);
}

/** VAT columns, included only while the shop uses VAT. */
export const IVA_COLUMNS = { header: ['Base imponible (€)', 'Cuota de IVA (€)', 'Tipo de IVA'], widths: [16, 16, 20] };
/** What is the matter with the order on the day of the export. */
export const MATTER_COLUMN = { header: ['Qué pasa'], widths: [40] };
/** Returns the VAT cells of an order with its lines; amounts in euros. */
export function ivaCells(order: Parameters<typeof vatBreakdown>[0]): Cell[] {
  const rows = vatBreakdown(order);
  const sum = (of: (row: IvaRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  return [
    { n: sum(({ base_cents }) => base_cents) / 100, decimals: 2 },
    { n: sum(({ cuota_cents }) => cuota_cents) / 100, decimals: 2 },
    rows.map(({ tipo }) => FILA_IVA_LABEL[tipo]).join(', '),
  ];
}

const LINEAS: Sheet = {
  name: 'Líneas',
  header: ['Nº de pedido', 'Fecha', 'Cliente', 'Línea', 'Producto', 'Cantidad', 'Precio unitario (€)', 'Total (€)', 'Unidades'],
  widths: [16, 12, 26, 8, 34, 10, 16, 12, 10],
};
/** Returns the sheet of lines, with a column for the VAT rate if `withIva`. */
export const lineasSheet = (withIva: boolean): Sheet =>
  withIva ? { ...LINEAS, header: [...LINEAS.header, 'Tipo de IVA'], widths: [...LINEAS.widths, 14] } : LINEAS;
/** Returns the cells of a line of an order; amounts in euros. */
export const lineaCells = (pedido: PedidoLine, line: Line, withIva: boolean): Cell[] => [
  String(pedido.numero_orden),
  { date: String(pedido.fecha_pedido) },
  String(pedido.cliente_nombre),
  { n: line.numero, decimals: 0 },
  line.producto,
  { n: line.cantidad, decimals: 0 },
  { n: line.precio_unitario_cents / 100, decimals: 2 },
  { n: line.precio_total_cents / 100, decimals: 2 },
  { n: line.unidades, decimals: 0 },
  ...(withIva ? [FILA_IVA_LABEL[(line.iva ?? SIN_TIPO) as FilaIva]] : []),
];

export const REVENDEDORES: Sheet = {
  name: 'Revendedores',
  header: ['Nombre', 'Email', 'Activo', 'Creado', 'Pedidos', 'Ventas (€)'],
  widths: [28, 32, 8, 12, 10, 14],
};
export const TRANSPORTISTAS: Sheet = {
  name: 'Transportistas',
  header: ['Nombre', 'Email', 'Activo', 'Creado', 'Pedidos'],
  widths: [28, 32, 8, 12, 10],
};
export const personCells = (p: PersonLine, withSales: boolean): Cell[] => [
  p.full_name,
  shownEmail(p.email),
  p.is_active ? 'Sí' : 'No',
  { date: p.fecha },
  { n: p.pedidos, decimals: 0 },
  ...(withSales ? [{ n: p.total_cents / 100, decimals: 2 as const }] : []),
];
