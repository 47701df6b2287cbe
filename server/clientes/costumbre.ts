import { sql } from 'kysely';
import type { Costumbre } from '../../contract/clientes/clientes.ts';
import { REFUSED_SPELLINGS } from '../../contract/pedidos/attempts.ts';
import { type Actor, mayEver } from '../../contract/policy/policy.ts';
import type { Db } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { visibleSql } from '../pedidos/lectura/scope.ts';
import { readLines } from '../pedidos/lineas/lineas.ts';
import { allowedClientes } from './clientes.ts';

const LAST = 10;

// The payment of an order that came paid is booked in the order's own transaction, and has its time.
const forma = sql<Costumbre['forma']>`CASE WHEN contra_reembolso THEN 'al_entregar'
  WHEN EXISTS (SELECT FROM pagos g WHERE g.pedido_id = pedidos.id AND g.created_at = pedidos.created_at) THEN 'pagado'
  WHEN (SELECT h.estado_nuevo FROM pedidos_historial h WHERE h.pedido_id = pedidos.id ORDER BY h.created_at, h.id LIMIT 1) = 'pendiente_pago' THEN 'enlace'
  ELSE 'despues' END`;

/** Returns how the last ten orders of the seller, or of a customer, were to be paid, and what a customer had and owes. Throws 404 for a foreign customer. */
export async function readCostumbre(db: Db, actor: Actor, cliente_id?: string): Promise<Costumbre> {
  const group = cliente_id && (await groupOf(db, actor, cliente_id));
  const orders = db.selectFrom('pedidos').where(visibleSql(actor)).where('estado', '<>', 'cancelado');
  const own = group
    ? orders.where('cliente_id', 'in', group)
    : orders
        .where('tienda', 'is', null)
        .where('revendedor_id', 'is not distinct from', mayEver(actor, 'pedido:create-free') ? null : actor.id);
  const last = await own
    .select(['id', 'fecha_pedido', 'precio_total_cents', forma.as('forma')])
    .orderBy('fecha_pedido', 'desc')
    .orderBy('id', 'desc')
    .limit(LAST)
    .execute();
  const usual = last.find((one) => last.filter((other) => other.forma === one.forma).length * 2 > last.length)?.forma ?? null;
  const [ultima] = last;
  if (!group || !ultima) return { forma: usual, ultima: null, rechazados: 0, debe: 0 };
  const [lines, { rechazados, debe }] = await Promise.all([
    readLines(db, ultima.id),
    orders
      .where('cliente_id', 'in', group)
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('pendiente_cents').filterWhere('estado', '=', 'completado'), sql.lit(0)).as('debe'))
      .select(
        sql<number>`count(*) FILTER (WHERE EXISTS (SELECT FROM intentos i WHERE i.pedido_id = pedidos.id AND i.motivo LIKE ANY (${[...REFUSED_SPELLINGS]})))`.as(
          'rechazados',
        ),
      )
      .executeTakeFirstOrThrow(),
  ]);
  return {
    forma: usual,
    ultima: {
      forma: ultima.forma ?? 'despues',
      fecha_pedido: ultima.fecha_pedido,
      total: toEuros(ultima.precio_total_cents),
      lineas: lines.map(({ pack_id, producto, cantidad }) => ({ pack_id, producto, cantidad })),
    },
    rechazados: Number(rechazados),
    debe: toEuros(Number(debe)),
  };
}

async function groupOf(db: Db, actor: Actor, id: string): Promise<string[]> {
  const own = allowedClientes(db, actor, 'cliente:read').select('c.principal').where('c.id', '=', id);
  const rows = await db.selectFrom('clientes').select('id').where('principal', '=', own).execute();
  if (rows.length === 0) throw notFound();
  return rows.map((row) => row.id);
}
