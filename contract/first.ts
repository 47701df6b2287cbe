import type { EndpointDef } from './kit.ts';
import { EN_MANOS } from './pedidos.flow.ts';
import { listPedidos } from './pedidos.ts';
import { listDisponibles } from './transportista.ts';

type First = { endpoint: EndpointDef; query: Record<string, string | number> };

/**
 * What a screen opened without a filter asks for first, by its path: the server names it in the head of the page, so that
 * it is on its way before the program is. In the order in which the screen names the same things.
 */
export const FIRST: Readonly<Record<string, First>> = {
  '/pedidos-disponibles': { endpoint: listDisponibles, query: { page: 1, sort: 'fecha_estimada' } },
  '/pedidos-asignados': {
    endpoint: listPedidos,
    query: { page: 1, estado: EN_MANOS.join(','), sort: 'fecha_estimada', dir: 'asc' },
  },
};
