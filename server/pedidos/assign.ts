import type { BodyOut } from '../../contract/kit.ts';
import { EN_MANOS } from '../../contract/pedidos.estados.ts';
import type { assignTransportista as endpoint } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, forbidden } from '../kit/errors.ts';
import { refuseStale } from '../kit/version.ts';
import { carrierLocked, noCarrier } from './carrier.ts';
import { change } from './history.ts';
import { lockPedido, type PedidoRow } from './row.ts';
import { applyTransition } from './transition.ts';

/** Assigns a carrier; null returns an `asignado` order to `pendiente` (design, section 4.9). Throws 404, 403, 409, 422 if inactive. */
export async function assignTransportista(db: Db, actor: Actor, id: string, input: BodyOut<typeof endpoint>): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const { transportista_id } = input;
    // Before the order, since a rename also locks the person before the orders.
    const carrier = transportista_id === null ? undefined : await carrierLocked(tx, transportista_id);
    const row = await lockPedido(tx, actor, id);
    if (!can(actor, 'pedido:assign', row))
      throw row.deleted_at ? conflict('El pedido está eliminado: restáuralo antes', 'eliminado') : forbidden('pedido:assign');
    refuseStale(row, input.version, 'este pedido');
    if (row.estado === 'pendiente_pago') throw conflict('El pedido está sin pagar: márcalo como pagado antes de asignarlo', 'estado');
    const empresa_transporte = input.empresa_transporte ?? row.empresa_transporte;
    if (transportista_id === null) {
      if (row.estado === 'pendiente') return carry(tx, actor, row, { ...NOBODY, empresa_transporte });
      return applyTransition(tx, actor, row, { name: 'devolver', empresa_transporte });
    }
    if (!carrier) throw noCarrier();
    if (EN_MANOS.includes(row.estado)) return carry(tx, actor, row, { ...carrier, empresa_transporte });
    return applyTransition(tx, actor, row, { name: 'asignar', ...carrier, empresa_transporte });
  });
}

const NOBODY = { transportista_id: null, transportista_nombre: null };
type Carried = Pick<PedidoRow, 'transportista_id' | 'transportista_nombre' | 'empresa_transporte'>;

async function carry(tx: Tx, actor: Actor, row: PedidoRow, carried: Carried): Promise<PedidoRow> {
  const moved = row.transportista_id !== carried.transportista_id;
  if (!moved && row.empresa_transporte === carried.empresa_transporte) return row;
  return change(tx, actor, row, carried, { accion: moved ? 'Reasignar' : 'Cambiar empresa de transporte', action: 'update' });
}
