import { type Answer, asPage, type Paged, type QueryOut } from '../../contract/kit/endpoint.ts';
import type { Bloqueo, getPlazo, listBloqueos as listEndpoint } from '../../contract/privacidad/privacidad.ts';
import { type Db, onPage } from '../db/open.ts';
import { readSettings, readTermInForce } from '../settings/settings.ts';
import { countDue, nextRun } from './term.job.ts';

/** Returns one page of orders with blocked data, latest first. */
export async function listBlocked(db: Db, query: QueryOut<typeof listEndpoint>): Promise<Paged<Bloqueo>> {
  const { total } = await db
    .selectFrom('datos_bloqueados')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('datos_bloqueados as d')
    .innerJoin('pedidos as p', 'p.id', 'd.pedido_id')
    .leftJoin('users as u', 'u.id', 'd.bloqueado_por')
    .select(['d.pedido_id', 'p.numero_orden', 'd.motivo', 'u.full_name as bloqueado_por', 'd.created_at'])
    .orderBy('d.created_at', 'desc')
    .orderBy('d.pedido_id')
    .$call(onPage(query))
    .execute();
  return asPage(rows, total, query);
}

/** Returns the term of the settings, the orders due, and the next run. */
export async function readTerm(db: Db, now = new Date()): Promise<Answer<typeof getPlazo>['data']> {
  const { anonymizeMonths: meses } = await readSettings(db);
  const { n: anonimizados } = await db
    .selectFrom('pedidos')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('anonimizado_at', 'is not', null)
    .executeTakeFirstOrThrow();
  if (meses === 0) return { meses, pendientes: 0, proxima: null, anonimizados };
  const { until } = await readTermInForce(db, 'anonymizeMonths');
  return { meses, pendientes: await countDue(db, meses), proxima: nextRun(until ? new Date(until) : now).toISOString(), anonimizados };
}
