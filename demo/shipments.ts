import { sql } from 'kysely';
import type { Tx } from '../server/db/open.ts';

const SITUATIONS = ['Entregado', 'Ausente en el primer intento', 'En reparto'];
/** Fewer than the pending orders, so that carriers still find orders to take. */
const ORDERS = SITUATIONS.length;

/** Name of the file with the answer of Correos, in the demonstration's data folder. */
export const ANSWER_FILE = 'respuesta-correos.csv';

/** Switches on shipment files, with a batch that waits for its answer; returns that answer of Correos as CSV. */
export async function addShipments(tx: Tx): Promise<string> {
  await tx
    .updateTable('settings')
    .set({ data: sql`data || ${JSON.stringify({ shipmentFiles: true })}::jsonb` })
    .execute();
  const office = await tx.selectFrom('users').select(['id', 'full_name']).where('role', '=', 'superadmin').executeTakeFirstOrThrow();
  const { id: envio_id } = await tx
    .insertInto('envios')
    .values({ plantilla_id: 'correos', empresa: 'Correos', creado_por: office.id, creado_por_nombre: office.full_name })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('envios_pedidos')
    .columns(['envio_id', 'pedido_id'])
    .expression((query) =>
      query
        .selectFrom('pedidos')
        .select([sql<string>`${envio_id}::uuid`.as('envio_id'), 'id'])
        .where('estado', '=', 'pendiente')
        .where('deleted_at', 'is', null)
        .where('contra_reembolso', '=', false)
        .orderBy('fecha_pedido', 'desc')
        .limit(ORDERS),
    )
    .execute();
  await sql`UPDATE pedidos SET en_empresa = 'Correos', en_empresa_at = now()
    WHERE id IN (SELECT pedido_id FROM envios_pedidos WHERE envio_id = ${envio_id})`.execute(tx);
  const batch = await tx
    .selectFrom('envios_pedidos')
    .innerJoin('pedidos', 'pedidos.id', 'pedido_id')
    .where('envio_id', '=', envio_id)
    .select('numero_orden')
    .orderBy('numero_orden')
    .execute();
  const rows = batch.map(({ numero_orden }, n) => `${numero_orden};PQ4F8A04000${10_127 + n}28013Q;${SITUATIONS[n] ?? 'Entregado'}`);
  return ['Referencia cliente;Código de envío;Situación', ...rows, 'WEB-20931;PQ4F8A0400010131;Entregado', ''].join('\r\n');
}
