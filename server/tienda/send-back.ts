import { sql } from 'kysely';
import { ESTADO, type Estado, SIN_TOMAR } from '../../contract/pedidos/estados.ts';
import { rolesOf } from '../../contract/policy/policy.ts';
import { ACABADAS, type Situacion } from '../../contract/tienda/fields.ts';
import { type Db, transact } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { drain, enqueue, type Message } from '../outbox/outbox.ts';
import type { SentState } from './connector.ts';
import { connectorOf } from './connectors.ts';
import { noticeOf } from './marks.ts';
import { type Apis, apisOf } from './sources.ts';

/** Id of a row of `tienda_pedidos`. Estado and tracking number are read when sending, so that the queue holds no customer data. */
type Payload = { tienda: string };

/** Cents refunded here: for returns, and of the shop's own payments. */
const REFUNDED = sql<number>`(p.reembolsado_cents + (SELECT coalesce(sum(CASE WHEN g.estado = 'devuelto' THEN g.importe_cents ELSE g.devuelto_cents END), 0)
  FROM pagos g WHERE g.pedido_id = p.id AND g.estado <> 'anulado' AND g.externo_id LIKE 'tienda:' || t.id || ':%'))::bigint`;
const current = sql<string>`p.estado || ' ' || coalesce(p.numero_seguimiento, '')`;

/** Sends each shop the changed estado, tracking number or refund of its orders. Skips shops without keys. */
export async function queueForShops(db: Db, config: Config): Promise<void> {
  const apis = await apisOf(db, config);
  if (apis.size === 0) return;
  await transact(db, async (tx) => {
    const { rows } = await sql<{ id: string; tienda_id: string }>`
      UPDATE tienda_pedidos t SET dicho = ${current} FROM pedidos p
      WHERE p.id = t.pedido_id AND t.tienda_id = ANY (${[...apis.keys()]}::uuid[]) AND t.estado = 'creado' AND (
        (t.dicho IS DISTINCT FROM ${current} AND (t.dicho IS NOT NULL OR NOT (p.estado IN (${sql.join(SIN_TOMAR)}))))
        OR ${REFUNDED} > t.devuelto_cents)
      RETURNING t.id, t.tienda_id`.execute(tx);
    // Counts the refunds as known, so that the shop's message about them changes nothing.
    await sql`UPDATE tienda_pedidos t SET devuelto_cents = greatest(t.devuelto_cents, ${REFUNDED}) FROM pedidos p
      WHERE p.id = t.pedido_id AND t.id = ANY (${rows.map(({ id }) => id)}::uuid[])`.execute(tx);
    const messages = rows.map(({ id, tienda_id }) => ({
      recipient: apis.get(tienda_id)?.url ?? '',
      payload: { tienda: id } satisfies Payload,
    }));
    await enqueue(tx, 'tienda', messages);
  });
  await drain<Payload>(db, 'tienda', (message) => sendState(db, message, apis));
}

/** New state in the shop for a completed or cancelled order; undefined otherwise, and if the shop's state is final or unpaid. */
function aimsAt(estado: Estado, situacion: Situacion | null): SentState['aims'] {
  if (situacion === 'terminado' || situacion === 'espera' || ACABADAS.includes(situacion)) return undefined;
  return estado === 'completado' || estado === 'cancelado' ? estado : undefined;
}

async function sendState(db: Db, { payload }: Message<Payload>, apis: Apis): Promise<boolean> {
  const row = await db
    .selectFrom('tienda_pedidos as t')
    .innerJoin('pedidos as p', 'p.id', 't.pedido_id')
    .innerJoin('tiendas as s', 's.id', 't.tienda_id')
    .select(['t.externo_id', 't.tienda_id', 't.numero', 't.situacion', 't.devuelto_cents', 's.conector'])
    .select(['p.id as pedido_id', 'p.estado', 'p.numero_orden', 'p.numero_seguimiento'])
    .where('t.id', '=', payload.tienda)
    .executeTakeFirst();
  const [connector, api] = [row && connectorOf(row.conector), row && apis.get(row.tienda_id)];
  if (!row || !connector?.sendBack || !api) return false;
  const situacion = row.situacion as Situacion | null;
  const { contradiction } = await connector.sendBack(api, {
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
    const aviso = noticeOf(row.aviso, row.cambios, row.cambios, [sentence]);
    if (aviso === row.aviso) return;
    await tx.updateTable('tienda_pedidos').set({ aviso }).where('id', '=', id).execute();
    emit(tx, { topic: 'tienda', roles: rolesOf('tienda:manage') });
    const texto = `Pedido ${numero} de la tienda: ${sentence}`;
    await notify(tx, { tipo: 'tienda_por_revisar', texto, roles: [...rolesOf('tienda:manage')], enlace: '/tienda', mail: true, pedido_id });
  });
}
