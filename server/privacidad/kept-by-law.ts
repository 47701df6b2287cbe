/** Data for invoices, kept for the terms of tax and trade law (LGT art. 66, Código de Comercio art. 30), which override erasure (RGPD art. 17.3.b). */
export const FACTURABLES = {
  table: 'facturables',
  label: 'Para facturar',
  key: { seq: 'int' },
  order: { sql: 'pedido_id', type: 'uuid' },
  columns: { cliente: { rule: 'queda', label: 'Cliente' }, nif: { rule: 'queda', label: 'NIF' } },
  shown: { fecha: 'Fecha', total_cents: 'Total (€)' },
} as const;
