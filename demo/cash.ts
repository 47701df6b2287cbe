import { sql } from 'kysely';
import { METODO_PAGO_LABEL } from '../contract/payments/fields.ts';
import type { TransitionInput } from '../contract/pedidos/flow.ts';
import { createPedidoBody } from '../contract/pedidos/schemas.ts';
import type { Person } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import { inEuros } from '../server/kit/money.ts';
import { createPedido } from '../server/pedidos/escritura/create.ts';
import { lockPedido } from '../server/pedidos/lectura/row.ts';
import { applyTransition } from '../server/pedidos/pasos/transition.ts';
import { printedPerson } from './people.ts';

/* Cash on delivery: orders to collect, cash to hand over, a day to confirm, and a day confirmed with a difference (decision 051). */

const PER_DAY = 3;

export const TO_COLLECT = 5;
const HELD = 4;
const ON_THE_WAY = 2;
const STOCK = 60;
const CUSTOMER = [
  'cliente_nombre',
  'cliente_telefono',
  'cliente_direccion',
  'cliente_direccion2',
  'cliente_codigo_postal',
  'cliente_ciudad',
  'cliente_provincia',
] as const;
type Delivered = { id: string; transportista_id: string; transportista_nombre: string; dia: string; cents: number; fecha: string };

export async function addCash(tx: Tx): Promise<void> {
  const reseller = await printedPerson(tx, 'revendedor');
  await tx.updateTable('users').set({ contra_reembolso: true }).where('id', '=', reseller.id).execute();
  const [office, carrier] = [await printedPerson(tx, 'superadmin'), await printedPerson(tx, 'transportista')];
  await sellSome(tx, office, carrier);

  const days = await deliveredDays(tx);
  const own = days.filter(([{ transportista_id }]) => transportista_id === carrier.id);
  const [open, before] = own;
  const other = days.find(([{ transportista_id }]) => transportista_id !== carrier.id);
  for (const day of [open, before, other])
    for (const [i, order] of (day ?? []).entries()) await collect(tx, order, i === 2 ? 'tarjeta' : 'efectivo');
  if (other) await handOver(tx, other, {});
  if (before) await handOver(tx, before, { missing: 150, motivo: 'Di cambio de más en una entrega', office });
}

/** Creates orders paid on delivery for existing customers. The carrier has most of the orders, some already on the way. */
async function sellSome(tx: Tx, office: Person, carrier: Person): Promise<void> {
  const { rows: customers } = await sql<Record<(typeof CUSTOMER)[number], string | null>>`
    SELECT ${sql.join(CUSTOMER.map((name) => sql.ref(name)))} FROM pedidos WHERE ${UNPAID} AND estado = 'completado'
    ORDER BY fecha_pedido DESC LIMIT ${TO_COLLECT}`.execute(tx);
  const { rows: packs } = await sql<{ id: string }>`
    SELECT k.id FROM product_packs k JOIN products p ON p.id = k.product_id
    WHERE p.is_active AND k.is_active AND p.stock >= ${STOCK} AND k.pack_price_cents BETWEEN 1500 AND 8000 ORDER BY k.id LIMIT ${TO_COLLECT}`.execute(
    tx,
  );
  const { id: transportista_id, full_name: transportista_nombre } = carrier;
  for (const [i, customer] of customers.entries()) {
    const pack_id = packs[i % packs.length]?.id;
    if (!pack_id) return;
    const { id } = await createPedido(tx, office, createPedidoBody.parse({ ...customer, pack_id, contra_reembolso: true }));
    const go = async (actor: Person, input: TransitionInput) => applyTransition(tx, actor, await lockPedido(tx, actor, id), input);
    if (i < HELD) await go(office, { name: 'asignar', transportista_id, transportista_nombre });
    if (i < ON_THE_WAY) await go(carrier, { name: 'salir' });
  }
}

/** Unpaid orders of the office for up to 300 €, with a telephone. */
const UNPAID = sql`revendedor_id IS NULL AND pagado_cents = 0 AND precio_total_cents BETWEEN 1 AND 30000 AND deleted_at IS NULL AND cliente_telefono IS NOT NULL`;

/** Returns a few recent unpaid deliveries for each carrier and day, the latest first. */
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
