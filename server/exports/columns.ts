import { companyLabel, ESTADO, type Estado, METODO_ENTREGA_LABEL, type MetodoEntrega } from '../../contract/pedidos.flow.ts';

/** A cell as it crosses to the worker: text, a number with its decimals, or a local date and time without zone. */
export type Cell = string | null | { n: number; decimals: 0 | 2 } | { date: string };
export type Sheet = { name: string; header: string[]; widths: number[] };

export type PedidoLine = {
  numero_orden: string;
  cliente_nombre: string;
  cliente_telefono: string | null;
  direccion: string;
  /** Local to the business: yyyy-MM-ddTHH:mm:ss. */
  fecha: string;
  estado: Estado;
  precio_total_cents: number;
  producto: string;
  cantidad: number;
  metodo_entrega: MetodoEntrega | null;
  numero_seguimiento: string | null;
  empresa_transporte: string;
};
export type PersonLine = { full_name: string; email: string; is_active: boolean; fecha: string; pedidos: number; total_cents: number };

/** The columns of section 7 of the specification, in its order; the total is a number of euros. */
export const PEDIDOS: Sheet = {
  name: 'Pedidos',
  header: [
    'Nº de pedido',
    'Cliente',
    'Teléfono',
    'Dirección',
    'Fecha',
    'Estado',
    'Total (€)',
    'Producto',
    'Cantidad',
    'Método de entrega',
    'Nº de seguimiento',
    'Empresa de transporte',
  ],
  widths: [16, 26, 18, 44, 12, 16, 12, 34, 10, 18, 20, 22],
};
/** An order's row under the header of `PEDIDOS`; amounts in euros. */
export const pedidoCells = (p: PedidoLine): Cell[] => [
  p.numero_orden,
  p.cliente_nombre,
  p.cliente_telefono,
  p.direccion,
  { date: p.fecha },
  ESTADO[p.estado].label,
  { n: p.precio_total_cents / 100, decimals: 2 },
  p.producto,
  { n: p.cantidad, decimals: 0 },
  p.metodo_entrega && METODO_ENTREGA_LABEL[p.metodo_entrega],
  p.numero_seguimiento,
  companyLabel(p.empresa_transporte),
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
/** A reseller's row, with what they have sold in euros, or a carrier's. */
export const personCells = (p: PersonLine, withSales: boolean): Cell[] => [
  p.full_name,
  p.email,
  p.is_active ? 'Sí' : 'No',
  { date: p.fecha },
  { n: p.pedidos, decimals: 0 },
  ...(withSales ? [{ n: p.total_cents / 100, decimals: 2 as const }] : []),
];
