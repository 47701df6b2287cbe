/* Rows for the shop's invoicing program, which makes the invoices. */

export const MOTIVOS_FACTURABLE = ['venta', 'devolucion', 'correccion'] as const;
export type MotivoFacturable = (typeof MOTIVOS_FACTURABLE)[number];

export const MOTIVO_FACTURABLE_LABEL: Record<MotivoFacturable, string> = {
  venta: 'Venta',
  devolucion: 'Devolución',
  correccion: 'Corrección',
};
