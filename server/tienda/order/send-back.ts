import { sql } from 'kysely';
import { ESTADO, type Estado, SIN_TOMAR } from '../../../contract/pedidos/estados.ts';
import { ACABADAS, type Situacion } from '../../../contract/tienda/fields.ts';
import { type Db, transact } from '../../db/open.ts';
import type { Config } from '../../kit/config.ts';
import { deliverDue, type Message, queueMessages } from '../../outbox/outbox.ts';
import { GIVEN_BACK, nameRefund, recordRefund } from '../../pedidos/escritura/outside.ts';
import { readSettings } from '../../settings/settings.ts';
import type { SentState } from '../connector.ts';
import { findConnector } from '../connectors.ts';
import { emitShops, findWebShop, HAS_KEYS, notifyOffice, shopApi, TOLD } from '../shop.ts';
import { changesNotice } from './changes.ts';

/** Id of a row of `tienda_pedidos`. Estado and tracking number are read when sending, so that the queue holds no customer data. */
type Payload = { tienda: string };

/** Cents given back here, at returns and of the shop's own payments, beyond those that the shop knows. */
const UNTOLD = sql<number>`(${GIVEN_BACK} + (SELECT coalesce(sum(CASE WHEN g.estado = 'devuelto' THEN g.importe_cents ELSE g.devuelto_cents END), 0)
    FROM pagos g WHERE g.tienda_pedido_id = t.id AND g.estado <> 'anulado')
  - ${TOLD})::bigint`;
const current = sql<string>`p.estado || ' ' || coalesce(p.numero_seguimiento, '')`;

/** Sends each shop the changed estado, tracking number or refund of its orders. Skips shops without keys. */
export async function queueForShops(db: Db, config: Config): Promise<void> {
  if (!(await readSettings(db)).storeActive) return;
  await transact(db, async (tx) => {
    const { rows } = await sql<{ id: string; pedido_id: string; url: string; cents: number }>`
      UPDATE tienda_pedidos t SET dicho = ${current} FROM pedidos p, tiendas s
      WHERE p.id = t.pedido_id AND s.id = t.tienda_id AND ${HAS_KEYS} AND t.estado = 'creado' AND (
        (t.dicho IS DISTINCT FROM ${current} AND (t.dicho IS NOT NULL OR NOT (p.estado IN (${sql.join(SIN_TOMAR)}))))
        OR ${UNTOLD} > 0)
      RETURNING t.id, p.id AS pedido_id, s.url, ${UNTOLD} AS cents`.execute(tx);
    // The row of a refund stands before the shop is told, so that the shop's message about it changes nothing.
    for (const { id, pedido_id, cents } of rows) await recordRefund(tx, { pedido_id, importe_cents: cents, tienda_pedido_id: id });
    const messages = rows.map(({ id, url }) => ({ recipient: url, payload: { tienda: id } satisfies Payload }));
    await queueMessages(tx, 'tienda', messages);
  });
  await deliverDue<Payload>(db, 'tienda', (message) => sendState(db, message, config));
}

/** New state in the shop for a completed or cancelled order; undefined otherwise, and if the shop's state is final or unpaid. */
function aimsAt(estado: Estado, situacion: Situacion | null): SentState['aims'] {
  if (situacion === 'terminado' || situacion === 'espera' || ACABADAS.includes(situacion)) return undefined;
  return estado === 'completado' || estado === 'cancelado' ? estado : undefined;
}

async function sendState(db: Db, { payload }: Message<Payload>, config: Config): Promise<boolean> {
  const row = await db
    .selectFrom('tienda_pedidos as t')
    .innerJoin('pedidos as p', 'p.id', 't.pedido_id')
    .select(['t.externo_id', 't.tienda_id', 't.numero', 't.situacion'])
    .select(['p.id as pedido_id', 'p.estado', 'p.numero_orden', 'p.numero_seguimiento', TOLD.as('devuelto_cents')])
    .where('t.id', '=', payload.tienda)
    .executeTakeFirst();
  const shop = row && (await findWebShop(db, row.tienda_id));
  const [connector, api] = [shop && findConnector(shop.conector), shop && shopApi(shop, config)];
  if (!row || !connector?.sendBack || !api) return false;
  const situacion = row.situacion as Situacion | null;
  const { contradiction, refund } = await connector.sendBack(api, {
    externo_id: row.externo_id,
    numero_orden: row.numero_orden,
    estado: row.estado,
    estado_label: ESTADO[row.estado].label,
    seguimiento: row.numero_seguimiento,
    aims: aimsAt(row.estado, situacion),
    devuelto_cents: row.devuelto_cents,
  });
  const isDelivered = row.estado === 'completado' && ACABADAS.includes(situacion);
  const sentence =
    contradiction ?? (isDelivered ? `Se ha entregado y en la tienda está ${situacion ?? 'de otro modo'}: no se ha cambiado` : undefined);
  if (refund) await nameRefund(db, payload.tienda, refund);
  if (sentence) await report(db, payload.tienda, row, sentence);
  return true;
}

/** Adds a notice to the order: the shop's state was left unchanged. */
async function report(db: Db, id: string, { numero, pedido_id }: { numero: string; pedido_id: string }, sentence: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await tx
      .selectFrom('tienda_pedidos')
      .select(['aviso', 'cambios'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const aviso = changesNotice(row.aviso, row.cambios, row.cambios, [sentence]);
    if (aviso === row.aviso) return;
    await tx.updateTable('tienda_pedidos').set({ aviso }).where('id', '=', id).execute();
    emitShops(tx);
    await notifyOffice(tx, `Pedido ${numero} de la tienda: ${sentence}`, pedido_id);
  });
}
