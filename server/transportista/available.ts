import { sql } from 'kysely';
import { asPage, type Paged, type QueryOut } from '../../contract/kit.ts';
import type { Actor } from '../../contract/policy.ts';
import type { listDisponibles as endpoint } from '../../contract/transportista.ts';
import type { Db } from '../db/open.ts';
import { count, filtered, found, isSearch } from '../pedidos/filter.ts';
import { COLUMNS, type PedidoRow } from '../pedidos/row.ts';
import { available } from '../pedidos/scope.ts';

/** One page of the orders a carrier may take, oldest first. The search covers only what a carrier may see before taking. */
export async function listAvailable(db: Db, actor: Actor, query: QueryOut<typeof endpoint>): Promise<Paged<PedidoRow>> {
  const { page, per_page, search, ...rest } = query;
  const shown = sql<string>`normaliza(' ' || numero_orden || ' ' || cliente_nombre || ' ' || cliente_direccion || ' ' || coalesce(cliente_ciudad, '') || ' ' || coalesce(cliente_codigo_postal, '') || ' ' || producto)`;
  const matching = filtered(db, rest)
    .where(available(actor))
    .$if(isSearch(search), (query) => query.where(found(shown, search ?? '')));
  const [data, total] = await Promise.all([
    matching
      .select(COLUMNS)
      .orderBy('fecha_pedido')
      .orderBy('id')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    count(matching).executeTakeFirstOrThrow(),
  ]);
  return asPage(data, total.n, query);
}
