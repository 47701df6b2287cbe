import { expressionBuilder, sql } from 'kysely';
import { type Answer, asPage, type Paged, type QueryOut } from '../../contract/kit/endpoint.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import { isSearch } from '../../contract/pedidos/search.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import type { listDisponibles as endpoint, listCiudades, tomarPedidos } from '../../contract/transportista/transportista.ts';
import { type Db, onPage } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { asRefusal } from '../kit/errors.ts';
import { applyFilters, countOrders, isFoundInSeen } from '../pedidos/lectura/filter.ts';
import { COLUMNS, type PedidoRow } from '../pedidos/lectura/row.ts';
import { availableSql, inScope } from '../pedidos/lectura/scope.ts';
import { firstByZona, offeredIn } from '../pedidos/lineas/zonas.ts';
import { takePedido } from '../pedidos/pasos/transition.ts';

const { and } = expressionBuilder<Tables, 'pedidos'>();

/** Returns one page of available orders, late ones first or by town, own zones first. Searches only text visible before taking. */
export async function listAvailable(db: Db, actor: Actor, query: QueryOut<typeof endpoint>): Promise<Paged<PedidoRow>> {
  const { page, per_page, search, sort, ...rest } = query;
  const seen = isSearch(search) ? isFoundInSeen(actor, 'pedido:take', search) : undefined;
  const offered = applyFilters(db, rest).where(availableSql(actor)).where(offeredIn(actor));
  const matching = seen ? offered.where(seen) : offered;
  const [data, total] = await Promise.all([
    matching
      .select(COLUMNS)
      .orderBy(firstByZona(actor))
      .orderBy(sort === 'cliente_ciudad' ? sql`cliente_ciudad COLLATE nombres` : sql`fecha_estimada`)
      .orderBy('fecha_pedido')
      .orderBy('id')
      .$call(onPage({ page, per_page }))
      .execute(),
    countOrders(matching).executeTakeFirstOrThrow(),
  ]);
  return asPage(data, total.n, query);
}

/** Counts available or carried orders by town. */
export async function listTowns(db: Db, actor: Actor, { de }: QueryOut<typeof listCiudades>): Promise<Answer<typeof listCiudades>['data']> {
  const orders = applyFilters(db, de === 'asignados' ? { estado: [...EN_MANOS] } : {}).where(
    de === 'asignados' ? inScope(actor) : and([availableSql(actor), offeredIn(actor)]),
  );
  return orders
    .select(['cliente_ciudad as ciudad', sql<number>`count(*)`.as('pedidos')])
    .where('cliente_ciudad', 'is not', null)
    .$narrowType<{ ciudad: string }>()
    .groupBy('cliente_ciudad')
    .orderBy(sql`cliente_ciudad COLLATE nombres`)
    .limit(500)
    .execute();
}

/** Takes several orders for a carrier, each in its own transaction; refusals do not stop the rest. */
export async function takeMany(db: Db, actor: Actor, ids: string[]): Promise<Answer<typeof tomarPedidos>> {
  const data: Answer<typeof tomarPedidos>['data'] = [];
  for (const id of new Set(ids)) {
    try {
      await takePedido(db, actor, id, null);
      data.push({ id, ok: true, message: 'Pedido asignado exitosamente' });
    } catch (error) {
      const refusal = asRefusal(error);
      if (!refusal || refusal.status >= 500) throw error;
      data.push({ id, ok: false, message: refusal.message, code: refusal.body.code });
    }
  }
  const taken = data.filter(({ ok }) => ok).length;
  return { message: plural(taken, 'pedido asignado', 'pedidos asignados'), data };
}
