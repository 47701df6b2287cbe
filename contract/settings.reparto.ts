import { REPARTO } from './reparto.ts';

/* Settings of zones and of other companies' shipments: off, and then nothing of them is shown. */

export const REPARTO_SETTINGS = {
  deliveryZones: {
    kind: 'choice',
    tab: 'delivery',
    initial: 'no',
    label: 'Zonas de reparto',
    hint: 'Los pedidos que un transportista puede tomar, según los códigos postales de su ficha; sin ellos, los de cualquier sitio',
    options: REPARTO,
  },
  shipmentFiles: {
    kind: 'switch',
    tab: 'delivery',
    initial: false,
    label: 'Ficheros de envío',
    hint: 'Para pedidos que lleva otra empresa: su fichero con los elegidos, y su respuesta con los números de seguimiento',
  },
} as const;
