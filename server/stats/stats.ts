import { sql } from 'kysely';
import type { Answer, QueryOut } from '../../contract/kit/endpoint.ts';
import { CON_INGRESO, EN_MANOS, GRUPO_ESTADOS, PROGRESO } from '../../contract/pedidos/estados.ts';
import type { Person } from '../../contract/policy/policy.ts';
import type { adminStats as adminEndpoint, revendedorStats as revendedorEndpoint } from '../../contract/stats/stats.ts';
import type { Db } from '../db/open.ts';
import { toEuros } from '../kit/money.ts';
import { withCompany } from '../pedidos/pagos/cash.ts';
import { readTotals } from './totals.ts';

type Range = QueryOut<typeof adminEndpoint>;

/** Returns the figures of the business for a range or all time; income in euros (design, section 4.19). */
export async function adminStats(db: Db, range: Range): Promise<Answer<typeof adminEndpoint>['data']> {
  const [orders, people, conEmpresas] = await Promise.all([readTotals(db, { ambito: 'todo' }, range), activePeople(db), heldIn(db, range)]);
  return {
    totalPedidos: orders.count(),
    ...people,
    ingresos: toEuros(orders.cents(CON_INGRESO)),
    porCobrar: toEuros(orders.dueCents(CON_INGRESO)),
    conEmpresas,
    estado: {
      pendientes: orders.count(GRUPO_ESTADOS.pendiente),
      enProceso: orders.count(GRUPO_ESTADOS.en_proceso),
      completados: orders.count(GRUPO_ESTADOS.completado),
      cancelados: orders.count(GRUPO_ESTADOS.cancelado),
    },
  };
}

/** Returns what delivery companies have of the income of a range, in euros. Reads payments by their index, which holds only those. */
async function heldIn(db: Db, { from, to }: Range): Promise<number> {
  const day = sql<string>`dia_negocio(p.fecha_pedido)::text`;
  const { cents } = await db
    .selectFrom((eb) => eb.selectFrom('pagos').select(['pedido_id', 'importe_cents']).where(withCompany).as('g'))
    .innerJoin('pedidos as p', 'p.id', 'g.pedido_id')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('g.importe_cents'), sql<number>`0`).as('cents'))
    .where('p.deleted_at', 'is', null)
    .where('p.estado', 'in', CON_INGRESO)
    .$if(!!from, (q) => q.where(day, '>=', from ?? ''))
    .$if(!!to, (q) => q.where(day, '<=', to ?? ''))
    .executeTakeFirstOrThrow();
  return toEuros(Number(cents));
}

async function activePeople(db: Db) {
  const rows = await db
    .selectFrom('users')
    .select((eb) => ['role', eb.fn.countAll<number>().as('people')])
    .where('deleted_at', 'is', null)
    .where('is_active', '=', true)
    .where('invited_at', 'is', null)
    .groupBy('role')
    .execute();
  const of = (role: string) => rows.find((row) => row.role === role)?.people ?? 0;
  return { revendedoresActivos: of('revendedor'), transportistasActivos: of('transportista') };
}

/** Returns the figures of the actor's own sales; income in euros. */
export async function revendedorStats(db: Db, actor: Person, range: Range): Promise<Answer<typeof revendedorEndpoint>['data']> {
  const orders = await readTotals(db, { ambito: 'revendedor', id: actor.id }, range);
  return {
    totalPedidos: orders.count(),
    ingresos: toEuros(orders.cents(CON_INGRESO)),
    estado: {
      pendiente_pago: orders.count(PROGRESO.pago),
      pendiente: orders.count(PROGRESO.confirmado),
      asignado: orders.count(EN_MANOS),
      completado: orders.count(GRUPO_ESTADOS.completado),
      cancelado: orders.count(GRUPO_ESTADOS.cancelado),
    },
  };
}
