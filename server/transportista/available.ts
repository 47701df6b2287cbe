import { sql } from 'kysely';
import { type Answer, asPage, type Paged, type QueryOut } from '../../contract/kit.ts';
import { EN_MANOS } from '../../contract/pedidos.flow.ts';
import type { Actor } from '../../contract/policy.ts';
import type { listDisponibles as endpoint, listCiudades } from '../../contract/transportista.ts';
import type { Db } from '../db/open.ts';
import { count, filtered, isFoundInSeen, isSearch } from '../pedidos/filter.ts';
import { COLUMNS, type PedidoRow } from '../pedidos/row.ts';
import { available, own } from '../pedidos/scope.ts';

/** One page of the orders a carrier may take, by promised date (late ones first) or town. The search covers only what a carrier may see before taking. */
export async function listAvailable(db: Db, actor: Actor, query: QueryOut<typeof endpoint>): Promise<Paged<PedidoRow>> {
  const { page, per_page, search, sort, ...rest } = query;
  const seen = isSearch(search) ? isFoundInSeen(actor, 'pedido:take', search) : undefined;
  const offered = filtered(db, rest).where(available(actor));
  const matching = seen ? offered.where(seen) : offered;
  const [data, total] = await Promise.all([
    matching
      .select(COLUMNS)
      .orderBy(sort === 'cliente_ciudad' ? sql`cliente_ciudad COLLATE nombres` : sql`fecha_estimada`)
      .orderBy('fecha_pedido')
      .orderBy('id')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    count(matching).executeTakeFirstOrThrow(),
  ]);
  return asPage(data, total.n, query);
}

/** Towns of the orders a carrier may take, or has in hand, with how many are there. */
export async function listTowns(db: Db, actor: Actor, { de }: QueryOut<typeof listCiudades>): Promise<Answer<typeof listCiudades>['data']> {
  const orders = filtered(db, de === 'asignados' ? { estado: [...EN_MANOS] } : {}).where(
    de === 'asignados' ? own(actor) : available(actor),
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
