import { listAudit, listLogs } from '../../contract/audit.ts';
import { listExports } from '../../contract/exports.ts';
import type { EndpointDef } from '../../contract/kit.ts';
import type { Topic } from '../../contract/live.ts';
import { listNotifications } from '../../contract/notifications.ts';
import { getHistorial, getPedido, listPedidos } from '../../contract/pedidos.ts';
import { listMovimientos, listPacks, listProducts } from '../../contract/products.ts';
import { getSettings } from '../../contract/settings.ts';
import { adminStats, atencionStats, revendedorStats, serieStats, transportistaStats, transportistasStats } from '../../contract/stats.ts';
import { listDisponibles } from '../../contract/transportista.ts';
import { listUsers } from '../../contract/users.ts';

/** What each topic of the live stream makes stale. */
export const CONCERNS: Record<Topic, readonly EndpointDef[]> = {
  pedidos: [
    listPedidos,
    getPedido,
    getHistorial,
    listDisponibles,
    adminStats,
    serieStats,
    atencionStats,
    transportistasStats,
    revendedorStats,
    transportistaStats,
  ],
  products: [listProducts, listPacks, listMovimientos, atencionStats],
  users: [listUsers, adminStats],
  audit: [listAudit, listLogs],
  notifications: [listNotifications],
  settings: [getSettings],
  exports: [listExports],
  backups: [],
};
