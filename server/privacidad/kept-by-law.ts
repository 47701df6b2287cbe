/** Data for invoices, kept for the terms of tax and trade law (LGT art. 66, Código de Comercio art. 30), which override erasure (RGPD art. 17.3.b). */
export const FACTURABLES = {
  table: 'facturables',
  label: 'Para facturar',
  key: { seq: 'int' },
  order: { sql: 'pedido_id', type: 'uuid' },
  columns: { cliente: { rule: 'queda', label: 'Cliente' }, nif: { rule: 'queda', label: 'NIF' } },
  shown: { fecha: 'Fecha', total_cents: 'Total (€)' },
} as const;

/** The invoices that the rows make: the law asks for name, tax number and address of the recipient (RD 1619/2012, art. 6). */
export const DOCUMENTOS = {
  table: 'facturables_documentos',
  label: 'Facturas preparadas',
  key: { documento: 'text' },
  order: { sql: 'pedido_id', type: 'uuid' },
  columns: {
    cliente: { rule: 'queda', label: 'Cliente' },
    nif: { rule: 'queda', label: 'NIF' },
    direccion: { rule: 'queda', label: 'Dirección' },
    codigo_postal: { rule: 'queda', label: 'Código postal' },
    ciudad: { rule: 'queda', label: 'Ciudad' },
    provincia: { rule: 'queda', label: 'Provincia' },
    pais: { rule: 'queda', label: 'País' },
  },
  shown: { fecha: 'Fecha' },
} as const;
