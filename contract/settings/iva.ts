/* VAT: off by default, and nothing of it is shown, asked or answered until then. */

export const IVA_SETTINGS = {
  iva: {
    kind: 'switch',
    tab: 'general',
    initial: false,
    label: 'IVA y datos para facturar',
    hint: 'Cada producto dice su tipo de IVA, que va incluido en el precio; Enruta no emite facturas, prepara los datos para tu programa de facturación',
  },
} as const;
