import { ABIERTOS, EN_MANOS, type Estado } from '../../../contract/pedidos/estados.ts';
import type { Actor, Role } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { withoutTimeout } from '../../db/pool.ts';
import { invalid } from '../../kit/errors.ts';
import { notify } from '../../notifications/notify.ts';
import { changePedido } from '../historia/change.ts';
import { COLUMNS } from '../lectura/row.ts';
import { activePerson } from './carrier.ts';

/** Open orders of each role and the columns that name the person. `toldOnce` sends one notice for all orders, because the change itself sends none. */
export const HOLDS = {
  superadmin: null,
  transportista: { id: 'transportista_id', name: 'transportista_nombre', estados: EN_MANOS, accion: 'Reasignar', toldOnce: false },
  revendedor: {
    id: 'revendedor_id',
    name: 'revendedor_nombre',
    estados: ABIERTOS,
    accion: 'Cambiar de revendedor',
    toldOnce: true,
  },
} as const satisfies Record<Role, { id: string; name: string; estados: readonly Estado[]; accion: string; toldOnce: boolean } | null>;

type From = { id: string; role: Role; full_name: string };

/** Hands a leaving person's open orders to `to`. Throws 422 unless `to` is another active person of the same role. */
export async function handOver(tx: Tx, actor: Actor, from: From, to: string): Promise<void> {
  const holds = HOLDS[from.role];
  const heir = !holds || to === from.id ? undefined : await activePerson(tx, to, from.role);
  if (!holds || !heir) throw invalid('pedidos_a', 'Elige a otra persona activa con el mismo papel');
  const orders = await tx
    .selectFrom('pedidos')
    .select(COLUMNS)
    .where(holds.id, '=', from.id)
    .where('estado', 'in', holds.estados)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const set = { [holds.id]: heir.id, [holds.name]: heir.full_name };
  const nota = holds.toldOnce ? `De ${from.full_name} a ${heir.full_name}` : undefined;
  await withoutTimeout(tx, async () => {
    for (const row of orders) await changePedido(tx, actor, row, set, { accion: holds.accion, nota, action: 'update' });
  });
  if (!holds.toldOnce || orders.length === 0) return;
  const many = orders.length === 1 ? 'el pedido que tenía abierto' : `los ${orders.length} pedidos que tenía abiertos`;
  await notify(tx, {
    tipo: 'pedido_asignado',
    texto: `${actor.full_name} te ha pasado ${many} ${from.full_name}`,
    users: [heir.id],
    enlace: '/mis-pedidos',
    except: actor.id,
  });
}
