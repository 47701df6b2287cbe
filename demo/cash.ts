import { sql } from 'kysely';
import { METODO_PAGO_LABEL } from '../contract/payments.ts';
import type { Tx } from '../server/db/open.ts';
import { inEuros } from '../server/kit/money.ts';
import { ACCOUNTS } from './people.ts';

/* Paid on delivery: orders to collect, cash to hand over, a day to confirm, and one confirmed with a difference (decision 051). */

const SETTINGS = { cashOnDelivery: true };
const PER_DAY = 3;
const TO_COLLECT = 5;

type Delivered = { id: string; transportista_id: string; transportista_nombre: string; dia: string; cents: number; fecha: string };

export async function addCash(tx: Tx): Promise<void> {
  await tx
    .updateTable('settings')
    .set({ data: sql`data || ${JSON.stringify(SETTINGS)}::jsonb` })
    .execute();
  const emailOf = (wanted: string) => ACCOUNTS.find(({ role }) => role === wanted)?.email ?? '';
  await tx.updateTable('users').set({ contra_reembolso: true }).where('email', '=', emailOf('revendedor')).execute();
  const carrier = await tx.selectFrom('users').select('id').where('email', '=', emailOf('transportista')).executeTakeFirstOrThrow();

  await sql`UPDATE pedidos SET contra_reembolso = true WHERE id IN (
    SELECT id FROM pedidos WHERE ${UNPAID} AND (transportista_id = ${carrier.id} OR transportista_id IS NULL)
      AND estado IN ('en_ruta', 'en_proceso', 'asignado', 'pendiente')
    ORDER BY array_position(ARRAY['en_ruta', 'asignado', 'en_proceso', 'pendiente'], estado), fecha_pedido DESC LIMIT ${TO_COLLECT})`.execute(
    tx,
  );

  const days = await deliveredDays(tx);
  const own = days.filter(([{ transportista_id }]) => transportista_id === carrier.id);
  const [open, before] = own;
  const other = days.find(([{ transportista_id }]) => transportista_id !== carrier.id);
  for (const day of [open, before, other])
    for (const [i, order] of (day ?? []).entries()) await collect(tx, order, i === 2 ? 'tarjeta' : 'efectivo');
  if (other) await handOver(tx, other, {});
  if (before) {
    const office = await tx
      .selectFrom('users')
      .select(['id', 'full_name'])
      .where('email', '=', emailOf('superadmin'))
      .executeTakeFirstOrThrow();
    await handOver(tx, before, { missing: 150, motivo: 'Di cambio de más en una entrega', office });
  }
}

/** Sold by the office and not paid. */
const UNPAID = sql`revendedor_id IS NULL AND pagado_cents = 0 AND precio_total_cents BETWEEN 1 AND 30000 AND deleted_at IS NULL AND cliente_telefono IS NOT NULL`;

/** Unpaid deliveries of the last weeks by carrier and day, the latest first, a few of each. */
async function deliveredDays(tx: Tx): Promise<[Delivered, ...Delivered[]][]> {
  const { rows } = await sql<Delivered>`
    SELECT id, transportista_id, transportista_nombre, dia_negocio(fecha_completado)::text AS dia, precio_total_cents AS cents,
      fecha_completado::text AS fecha
    FROM pedidos WHERE ${UNPAID} AND estado = 'completado' AND transportista_id IS NOT NULL
    ORDER BY fecha_completado DESC LIMIT 200`.execute(tx);
  const days = Map.groupBy(rows, ({ transportista_id, dia }) => `${transportista_id} ${dia}`);
  return [...days.values()].map((day) => day.slice(0, PER_DAY) as [Delivered, ...Delivered[]]);
}

async function collect(tx: Tx, { id, transportista_id, dia, cents, fecha }: Delivered, proveedor: 'efectivo' | 'tarjeta'): Promise<void> {
  await tx.updateTable('pedidos').set({ contra_reembolso: true }).where('id', '=', id).execute();
  const caja_dia = proveedor === 'efectivo' ? dia : null;
  await tx
    .insertInto('pagos')
    .values({
      pedido_id: id,
      proveedor,
      referencia: '',
      importe_cents: cents,
      estado: 'pagado',
      transportista_id,
      caja_dia,
      fecha: dia,
      created_at: fecha,
    })
    .execute();
  const nota = `Cobrado ${inEuros(cents)} · ${METODO_PAGO_LABEL[proveedor]}`;
  await tx.updateTable('pedidos_historial').set({ nota }).where('pedido_id', '=', id).where('estado_nuevo', '=', 'completado').execute();
}

type Counted = { missing?: number; motivo?: string; office?: { id: string; full_name: string } };

async function handOver(tx: Tx, day: readonly [Delivered, ...Delivered[]], { missing = 0, motivo, office }: Counted): Promise<void> {
  const [{ transportista_id, transportista_nombre, dia }] = day;
  const esperado_cents = day.slice(0, 2).reduce((sum, { cents }) => sum + cents, 0);
  const contado_cents = esperado_cents - missing;
  const at = (hours: number) => sql<string>`least(now(), (${dia}::date + make_interval(hours => ${hours})) AT TIME ZONE 'Europe/Madrid')`;
  await tx
    .insertInto('cajas')
    .values({
      ...{ transportista_id, transportista_nombre, dia, esperado_cents, contado_cents, motivo: motivo ?? null, entregada_at: at(20) },
      ...(office && {
        recibido_cents: contado_cents,
        confirmada_at: at(33),
        confirmada_por: office.id,
        confirmada_por_nombre: office.full_name,
      }),
    })
    .execute();
}
