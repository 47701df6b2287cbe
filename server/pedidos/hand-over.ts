import { EN_MANOS, ESTADOS, type Estado, FINALES } from '../../contract/pedidos.flow.ts';
import type { Actor, Role } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { invalid } from '../kit/errors.ts';
import { notify } from '../notifications/notify.ts';
import { activePerson } from './carrier.ts';
import { change } from './history.ts';
import { COLUMNS } from './row.ts';

/** Estados of the orders that somebody of this role has open: a carrier those in hand, a reseller all that are not over. */
export const OPEN_ESTADOS: Record<Role, readonly Estado[]> = {
  superadmin: [],
  transportista: EN_MANOS,
  revendedor: ESTADOS.filter((estado) => !FINALES.includes(estado)),
};

type From = { id: string; role: Role; full_name: string };

/** Gives the open orders of a person who leaves to `to`. Throws 422 unless that is another active person of the same role. */
export async function handOver(tx: Tx, actor: Actor, from: From, to: string): Promise<void> {
  const heir = from.role === 'superadmin' || to === from.id ? undefined : await activePerson(tx, to, from.role);
  if (!heir) throw invalid('pedidos_a', 'Elige a otra persona activa con el mismo papel');
  const carries = from.role === 'transportista';
  const orders = await tx
    .selectFrom('pedidos')
    .select(COLUMNS)
    .where(carries ? 'transportista_id' : 'revendedor_id', '=', from.id)
    .where('estado', 'in', OPEN_ESTADOS[from.role])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const set = carries
    ? { transportista_id: heir.id, transportista_nombre: heir.full_name }
    : { revendedor_id: heir.id, revendedor_nombre: heir.full_name };
  const step = carries
    ? ({ accion: 'Reasignar', action: 'update' } as const)
    : ({ accion: 'Cambiar de revendedor', nota: `De ${from.full_name} a ${heir.full_name}`, action: 'update' } as const);
  await withoutTimeout(tx, async () => {
    for (const row of orders) await change(tx, actor, row, set, step);
  });
  if (carries || orders.length === 0) return;
  const many = orders.length === 1 ? 'el pedido que tenía abierto' : `los ${orders.length} pedidos que tenía abiertos`;
  await notify(tx, {
    tipo: 'pedido_asignado',
    texto: `${actor.full_name} te ha pasado ${many} ${from.full_name}`,
    users: [heir.id],
    enlace: '/mis-pedidos',
    except: actor.id,
  });
}
