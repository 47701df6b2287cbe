import type { cargarPedido as endpoint } from '../../../contract/etiquetas/etiquetas.ts';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { EN_MANOS } from '../../../contract/pedidos/estados.ts';
import { WITHDRAWN } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import { type Db, transact } from '../../db/open.ts';
import { conflict } from '../../kit/errors.ts';
import { LOADS, limitRate } from '../../repeats/bounds.ts';
import { changePedido } from '../historia/change.ts';
import { happenedAt } from '../historia/happened.ts';
import { withdrawalFrom } from '../lectura/reassigned.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';

/** Records that the carrier has loaded an order into the vehicle or unloaded it. Throws 404, 409 unless the order is in the carrier's hands, 429. */
export const cargarPedido = async (db: Db, actor: Actor, id: string, { cargado, ocurrido }: BodyOut<typeof endpoint>): Promise<PedidoRow> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    const withdrawal = await withdrawalFrom(tx, actor, row);
    if (withdrawal !== undefined) throw conflict(withdrawal, WITHDRAWN);
    if (!can(actor, 'pedido:load', row)) throw conflict('Toma el pedido antes de cargarlo', 'estado');
    if (!EN_MANOS.includes(row.estado)) throw conflict('El pedido ya ha terminado', 'estado');
    if ((row.cargado_at !== null) === cargado) return row;
    await limitRate(tx, LOADS, row.id, 'Este pedido ya se ha cargado y descargado muchas veces hoy: espera a mañana');
    const happened = ocurrido === undefined ? undefined : await happenedAt(tx, row, ocurrido);
    const cargado_at = cargado ? (happened?.at ?? new Date().toISOString()) : null;
    return changePedido(
      tx,
      actor,
      row,
      { cargado_at },
      { accion: cargado ? 'Cargado en el vehículo' : 'Descargado del vehículo', action: 'update', happened },
    );
  });
