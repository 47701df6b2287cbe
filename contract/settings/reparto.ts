import { REPARTO } from '../zonas/reparto.ts';
import { countSetting, OFF } from './setting.ts';

/* Settings of zones, other companies' shipments and the day's route: off by default, and hidden while off. */

export const REPARTO_SETTINGS = {
  deliveryZones: {
    kind: 'choice',
    tab: 'general',
    initial: 'no',
    label: 'Zonas de reparto',
    hint: 'Los pedidos que un transportista puede tomar, según los códigos postales de su ficha; sin ellos, los de cualquier sitio',
    options: REPARTO,
  },
  dayRoute: {
    ...OFF,
    label: 'Ruta del día',
    hint: 'Cada transportista ordena sus visitas, y el cliente ve cuántas faltan y entre qué horas llega su pedido',
  },
  routeMinutes: {
    ...countSetting(1, 120, 'minutos'),
    tab: 'general',
    initial: 5,
    label: 'Minutos por parada',
    hint: 'Lo que se tarda en entregar un pedido de la ruta, sin el camino',
  },
  shipmentFiles: {
    ...OFF,
    label: 'Ficheros de envío',
    hint: 'Para pedidos que lleva otra empresa: su fichero con los elegidos, y su respuesta con los números de seguimiento',
  },
} as const;
