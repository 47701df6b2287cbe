import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { EN_MANOS } from '../../../contract/pedidos/estados.ts';
import type { assignTransportista as endpoint } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, forbidden } from '../../kit/errors.ts';
import { refuseStale } from '../../kit/version.ts';
import { type Change, changeAll } from '../historia/change.ts';
import { lockPedidos, type Outcomes, type PedidoRow } from '../lectura/row.ts';
import { carrierLocked, noCarrier } from './carrier.ts';
import { attemptEach, onlyOutcome, replaceOutcomes } from './outcomes.ts';
import { refuseStaying } from './step.ts';
import { applyTransitions, type Move } from './transition.ts';

type Input = BodyOut<typeof endpoint>;

/** Assigns a carrier; null returns an `asignado` order to `pendiente` (design, section 4.9). Throws 404, 403, 409, 422 for an inactive carrier. */
export const assignTransportista = (db: Db, actor: Actor, id: string, input: Input): Promise<PedidoRow> =>
  transact(db, async (tx) => onlyOutcome(await assignAll(tx, actor, [id], input)));

/** Like `assignTransportista` for many orders; a refusal affects only its own order. */
export async function assignAll(tx: Tx, actor: Actor, ids: readonly string[], input: Input): Promise<Outcomes> {
  const { transportista_id } = input;
  // Locks the carrier before the orders, as a rename does, to avoid deadlocks.
  const carrier = transportista_id === null ? undefined : await carrierLocked(tx, transportista_id);
  const outcomes = await lockPedidos(tx, actor, ids);
  const carried: Change[] = [];
  const moved = new Map<PedidoRow, Move>();
  await attemptEach(outcomes, (row) => {
    if (!can(actor, 'pedido:assign', row))
      throw row.deleted_at ? conflict('El pedido está eliminado: restáuralo antes', 'eliminado') : forbidden('pedido:assign');
    refuseStale(row, input.version, 'este pedido');
    if (row.estado === 'pendiente_pago') throw conflict('El pedido está sin pagar: márcalo como pagado antes de asignarlo', 'estado');
    const empresa_transporte = input.empresa_transporte ?? row.empresa_transporte;
    if (transportista_id === null) {
      if (row.estado === 'pendiente') carried.push(...carry(row, { ...NOBODY, empresa_transporte }));
      else moved.set(row, { input: { name: 'devolver', empresa_transporte } });
      return;
    }
    if (!carrier) throw noCarrier();
    if (row.transportista_id !== carrier.transportista_id) refuseStaying(row);
    if (EN_MANOS.includes(row.estado)) carried.push(...carry(row, { ...carrier, empresa_transporte }));
    else moved.set(row, { input: { name: 'asignar', ...carrier, empresa_transporte } });
  });
  replaceOutcomes(outcomes, await changeAll(tx, actor, carried));
  const moveOf = (row: PedidoRow) => moved.get(row) as Move;
  replaceOutcomes(outcomes, await applyTransitions(tx, actor, [...moved.keys()], moveOf));
  return outcomes;
}

const NOBODY = { transportista_id: null, transportista_nombre: null };
type Carried = Pick<PedidoRow, 'transportista_id' | 'transportista_nombre' | 'empresa_transporte'>;

/** Returns the change to another carrier or company; empty if the order already has both. */
function carry(row: PedidoRow, set: Carried): Change[] {
  const moved = row.transportista_id !== set.transportista_id;
  if (!moved && row.empresa_transporte === set.empresa_transporte) return [];
  return [{ row, set, step: { accion: moved ? 'Reasignar' : 'Cambiar empresa de transporte', action: 'update' } }];
}
