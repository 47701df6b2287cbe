import { placeWords } from '../../../contract/pedidos/direccion.ts';
import type { EstadoInput } from '../../../contract/pedidos/pedidos.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { notify } from '../../notifications/notify.ts';
import type { PedidoRow } from '../lectura/row.ts';
import { record } from './history.ts';

const DONE = { completar: 'entregado', fallar: 'intentado' } as const;

/** Notifies of a step at an address that has changed since. Only the history names the address, because redaction covers it. */
export async function notifyOldAddress(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  name: string,
  seen: EstadoInput['direccion_vista'],
): Promise<void> {
  if (seen === undefined || actor.id === null || !(name === 'completar' || name === 'fallar') || seen === placeWords(row)) return;
  const { id: pedido_id, numero_orden } = row;
  await record(tx, actor, { accion: 'El teléfono tenía la dirección anterior', action: 'update', nota: seen }, row, row);
  const told = { tipo: 'entrega_sin_comprobar' as const, pedido_id };
  await notify(
    tx,
    {
      ...told,
      texto: `${actor.full_name} ha ${DONE[name]} ${numero_orden} en la dirección anterior: se cambió mientras estaba sin cobertura`,
      enlace: `/pedidos/${pedido_id}`,
      roles: ['superadmin'],
      mail: true,
    },
    {
      ...told,
      texto: `La dirección de ${numero_orden} cambió mientras estabas sin cobertura: lo has ${DONE[name]} en la anterior. Llama a la oficina`,
      enlace: `/pedidos-asignados?search=${encodeURIComponent(numero_orden)}`,
      users: [actor.id],
    },
  );
}
