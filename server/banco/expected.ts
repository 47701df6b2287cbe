import { sql } from 'kysely';
import { remesaNumber } from '../caja/companies.ts';
import type { Db, Tx } from '../db/open.ts';
import { transferConcept } from '../payments/epc.ts';
import type { Expected } from './expected-index.ts';

/** Days after which money noted by hand is no longer looked for in a statement. */
const NOTED_DAYS = 120;

/** Returns what the shop waits for at the bank, the oldest first: orders to be paid, and money noted that no statement has brought yet. */
export async function readExpected(db: Db | Tx): Promise<Expected> {
  const orders = await db
    .selectFrom('pedidos')
    .select(['id', 'numero_orden as numero', 'referencia_externa as externa', 'cliente_nombre as nombre', 'cliente_id as cliente'])
    .select('pendiente_cents as cents')
    .where('pendiente_cents', '>', 0)
    .where('deleted_at', 'is', null)
    .where('estado', '!=', 'cancelado')
    .orderBy('fecha_pedido')
    .orderBy('id')
    .execute();
  const noted = db
    .selectFrom('pagos as g')
    .innerJoin('pedidos as p', 'p.id', 'g.pedido_id')
    .select(['g.id', 'p.numero_orden as numero', 'p.cliente_nombre as nombre', 'g.importe_cents as cents', 'g.proveedor'])
    .select(sql<string>`g.fecha::text`.as('fecha'))
    .where('g.movimiento_id', 'is', null)
    .where('g.estado', '=', 'pagado')
    .where('g.fecha', '>', sql<string>`dia_negocio(now()) - ${sql.lit(NOTED_DAYS)}`)
    .orderBy('g.fecha')
    .orderBy('g.id');
  // Cash is in the till, and terminals pay out their sum.
  const payments = await noted
    .where((eb) =>
      eb.or([eb('g.proveedor', '=', 'bizum'), eb('g.transportista_id', 'is', null).and('g.proveedor', 'in', ['transferencia', 'manual'])]),
    )
    .execute();
  const cards = await noted.where('g.proveedor', 'in', ['stripe', 'redsys']).execute();
  const remittances = await db
    .selectFrom('remesas as r')
    .select(['r.id', 'r.referencia', 'r.empresa', 'r.recibido_cents as cents', remesaNumber.as('numero')])
    .select(sql<string>`r.fecha::text`.as('fecha'))
    .where('r.movimiento_id', 'is', null)
    .where('r.anulada_at', 'is', null)
    .where('r.recibido_cents', '>', 0)
    .orderBy('r.created_at')
    .orderBy('r.id')
    .execute();
  const cash = await db
    .selectFrom('cajas')
    .select(['id', 'transportista_nombre as nombre', sql<string>`dia::text`.as('dia')])
    .select(sql<number>`coalesce(recibido_cents, contado_cents)`.as('cents'))
    .where('movimiento_id', 'is', null)
    .where('dia', '>', sql<string>`dia_negocio(now()) - ${sql.lit(NOTED_DAYS)}`)
    .orderBy('dia')
    .orderBy('id')
    .execute();
  return {
    orders: orders.map(({ id, ...order }) => ({ ...order, concepto: transferConcept({ id, numero_orden: order.numero }) })),
    payments,
    remittances,
    cards,
    cash,
  };
}
