import type { EndpointDef } from './kit/endpoint.ts';
import { EN_MANOS } from './pedidos/estados.ts';
import { listPedidos } from './pedidos/pedidos.ts';
import { listPacks } from './products/products.ts';
import { atencionStats, revendedorStats, transportistaStats } from './stats/stats.ts';
import { listDisponibles } from './transportista/transportista.ts';
import { listVistas } from './vistas/vistas.ts';

type Preload = { endpoint: EndpointDef; query: Record<string, string | number> };

/** Requests without which a screen shows nothing, which the server preloads. Parameters are in the screen's order. */
export const PRELOAD: Readonly<Record<string, readonly Preload[]>> = {
  '/revendedor-dashboard': [{ endpoint: revendedorStats, query: {} }],
  // Rows wait for the saved views: one of them may open by itself.
  '/mis-pedidos': [
    { endpoint: listVistas, query: { lista: 'mis-pedidos' } },
    { endpoint: listPedidos, query: { page: 1, sort: 'fecha_pedido', dir: 'desc' } },
  ],
  '/pedidos': [{ endpoint: listVistas, query: { lista: 'pedidos' } }],
  '/pedidos/nuevo': [{ endpoint: listPacks, query: {} }],
  '/transportista-dashboard': [{ endpoint: transportistaStats, query: {} }],
  '/': [{ endpoint: atencionStats, query: {} }],
  '/pedidos-disponibles': [{ endpoint: listDisponibles, query: { page: 1, sort: 'fecha_estimada' } }],
  '/pedidos-asignados': [
    { endpoint: listPedidos, query: { page: 1, estado: EN_MANOS.join(','), con: 'lineas', sort: 'fecha_estimada', dir: 'asc' } },
  ],
};
