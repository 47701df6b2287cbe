import { expect, it } from 'vitest';
import { listAudit, listLogs } from '../../contract/audit.ts';
import { listBackups } from '../../contract/backups.ts';
import { listExports } from '../../contract/exports.ts';
import { TOPICS } from '../../contract/live.ts';
import { listNotifications } from '../../contract/notifications.ts';
import { getHistorial, getPedido, listPedidos } from '../../contract/pedidos.ts';
import { listMovimientos, listPacks, listProducts } from '../../contract/products.ts';
import { getPush } from '../../contract/push.ts';
import { getSettings } from '../../contract/settings.ts';
import { adminStats, atencionStats, revendedorStats, transportistaStats } from '../../contract/stats.ts';
import { listDisponibles } from '../../contract/transportista.ts';
import { listUsers } from '../../contract/users.ts';
import { CONCERNS } from './concerns.ts';

const READS = [
  listAudit,
  listLogs,
  listBackups,
  listExports,
  listNotifications,
  getHistorial,
  getPedido,
  listPedidos,
  listMovimientos,
  listPacks,
  listProducts,
  getSettings,
  getPush,
  adminStats,
  atencionStats,
  revendedorStats,
  transportistaStats,
  listDisponibles,
  listUsers,
];

it('every screen that shows something live is asked again by some topic', () => {
  const deaf = READS.filter(({ path }) => !TOPICS.some((topic) => CONCERNS[topic].test(path)));
  expect(deaf.map(({ path }) => path)).toEqual([]);
});

it('a topic asks again for its own and not for the rest', () => {
  const asked = (topic: keyof typeof CONCERNS) => READS.filter(({ path }) => CONCERNS[topic].test(path));
  expect(asked('products')).toEqual([listMovimientos, listPacks, listProducts, atencionStats]);
  expect(asked('pedidos')).not.toContain(listUsers);
  expect(asked('audit')).toEqual([listAudit, listLogs]);
});
