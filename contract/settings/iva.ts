import { OFF } from './setting.ts';

/* Settings of VAT: off by default, and hidden while off. */

/** True for a calendar day, yyyy-MM-dd. */
const isDay = (text: string): boolean =>
  /^(19|20)\d\d-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

export const IVA_SETTINGS = {
  iva: {
    ...OFF,
    label: 'IVA y datos para facturar',
    hint: 'Cada producto dice su tipo de IVA, que va incluido en el precio; Enruta no emite facturas, prepara los datos para tu programa de facturación',
  },
  ivaDesde: {
    kind: 'text',
    tab: 'general',
    initial: '',
    max: 10,
    matches: isDay,
    invalid: 'Escribe un día',
    label: 'Se factura lo entregado desde',
    hint: 'El día en que encendiste el IVA, o el que tú digas: de lo entregado antes no se prepara nada',
  },
} as const;
