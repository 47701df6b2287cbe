import type { EndpointDef } from '../kit/endpoint.ts';
import { EN_MANOS } from '../pedidos/estados.ts';
import { listPedidos } from '../pedidos/pedidos.ts';
import type { Role } from '../policy/policy.ts';
import { listPacks } from '../products/products.ts';
import { hoyStats, revendedorStats, transportistaStats } from '../stats/stats.ts';
import { listDisponibles } from '../transportista/transportista.ts';
import { listVistas } from '../vistas/vistas.ts';

type Ask = { endpoint: EndpointDef; query: Record<string, string | number> };
/** Roles that open the screen, as in the sitemap; other roles are redirected without a request. */
type Preload = { roles: readonly Role[]; asks: readonly Ask[] };
const of = (roles: Role | readonly Role[], ...asks: Ask[]): Preload => ({ roles: [roles].flat(), asks });

/** Requests that a screen needs to show anything, preloaded by the server. Parameters keep the screen's order, so that the URLs match. */
export const PRELOAD: Readonly<Record<string, Preload>> = {
  '/revendedor-dashboard': of('revendedor', { endpoint: revendedorStats, query: {} }, { endpoint: listPedidos, query: { per_page: 4 } }),
  // The list waits for the saved views, because one of them can open automatically.
  '/mis-pedidos': of(
    'revendedor',
    { endpoint: listVistas, query: { lista: 'mis-pedidos' } },
    { endpoint: listPedidos, query: { page: 1, sort: 'fecha_pedido', dir: 'desc', per_page: 20 } },
  ),
  '/pedidos': of('superadmin', { endpoint: listVistas, query: { lista: 'pedidos' } }),
  '/pedidos/nuevo': of(['revendedor', 'superadmin'], { endpoint: listPacks, query: {} }),
  '/transportista-dashboard': of('transportista', { endpoint: transportistaStats, query: {} }),
  '/': of('superadmin', { endpoint: hoyStats, query: {} }),
  '/pedidos-disponibles': of('transportista', { endpoint: listDisponibles, query: { page: 1, sort: 'fecha_estimada' } }),
  '/pedidos-asignados': of('transportista', {
    endpoint: listPedidos,
    query: { page: 1, estado: EN_MANOS.join(','), sort: 'fecha_estimada', con: 'lineas', dir: 'asc' },
  }),
};
