import { sql } from 'kysely';
import type { Answer, BodyOut } from '../../../contract/kit/endpoint.ts';
import { DESHACER_DAYS, MAX_LOTE } from '../../../contract/pedidos/fields.ts';
import type { PedidoFilters } from '../../../contract/pedidos/filters.schemas.ts';
import { TRANSITIONS, type TransitionInput } from '../../../contract/pedidos/flow.ts';
import type { listImports as listEndpoint } from '../../../contract/pedidos/import.ts';
import type { calcularDevolucion, lotePedidos as endpoint } from '../../../contract/pedidos/lote.ts';
import { type Actor, personIdOf } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { asRefusal, conflict, DomainError } from '../../kit/errors.ts';
import { toEuros } from '../../kit/money.ts';
import { ordersFor } from '../lectura/filter.ts';
import { lockPedidos, type Outcomes, type PedidoRow } from '../lectura/row.ts';
import { annulIn } from '../pagos/pagos.ts';
import { attemptEach, replaceOutcomes } from '../pasos/outcomes.ts';
import { applyTransitions, assignAll } from '../pasos/transition.ts';
import { noteAll } from './cobrar.ts';
import { deleteAll, restoreAll } from './pedidos.ts';

type Input = BodyOut<typeof endpoint>;

/** Orders per transaction: more would lock their products for too long. */
const AT_ONCE = 100;

/**
 * Applies an action to many orders, a hundred per transaction, and returns the result of each. Retries a failed transaction in smaller parts,
 * down to single orders, so that a refused order stops no others. An unexpected error of a single order ends the batch, and is thrown if
 * no order has a result yet. Throws 409 if the filter now matches a different number of orders.
 */
export async function runLote(
  db: Db,
  actor: Actor,
  { pedidos, accion }: Input,
  onError: (error: unknown) => void,
): Promise<Answer<typeof endpoint>> {
  const chosen = await find(db, actor, pedidos, accion.tipo === 'restaurar' ? { eliminados: 'si' } : {});
  const data: Answer<typeof endpoint>['data'] = [];
  const waiting = inParts(chosen, AT_ONCE);
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    const ids = part.map(({ id }) => id);
    try {
      const outcomes = await transact(db, (tx) => act(tx, actor, ids, accion));
      data.push(...part.map((order) => resultOf(order, outcomes.get(order.id), accion)));
    } catch (error) {
      const refusal = asRefusal(error);
      if (part.length > 1) {
        // Halves a refused part, to find the orders without enough stock. Splits into single orders after an unexpected error, which can be a slow timeout.
        waiting.unshift(...inParts(part, refusal ? Math.ceil(part.length / 2) : 1));
        continue;
      }
      if (refusal) {
        data.push(...part.map((order) => resultOf(order, refusal, accion)));
        continue;
      }
      if (data.length === 0) throw error;
      onError(error);
      const rest = [...part, ...waiting.flat()];
      data.push(...rest.map((order) => ({ ...order, ok: false, message: UNEXPECTED, code: 'internal_error' })));
      break;
    }
  }
  const hechos = data.filter((row) => row.ok).length;
  return { message: `${hechos} de ${data.length} pedidos: ${done(accion).toLowerCase()}`, hechos, data };
}

const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

type Chosen = { id: string; numero_orden: string };
function resultOf({ id, numero_orden }: Chosen, outcome: PedidoRow | DomainError | undefined, accion: Accion) {
  if (!(outcome instanceof DomainError)) return { id, numero_orden, ok: true, message: done(accion) };
  return { id, numero_orden, ok: false, message: outcome.message, code: outcome.body.code };
}

const UNEXPECTED = 'No se ha hecho por un error inesperado';

type Accion = Input['accion'];
const DONE: Record<Exclude<Accion['tipo'], 'asignar'>, string> = {
  cancelar: 'Cancelado',
  eliminar: 'Eliminado',
  restaurar: 'Restaurado',
  pagar: 'Pagado',
  preparar: 'En proceso',
  volver: 'Asignado',
  salir: 'En ruta',
  completar: 'Completado',
};
function done(accion: Accion): string {
  if (accion.tipo === 'asignar') return accion.transportista_id === null ? 'Sin asignar' : 'Asignado';
  return DONE[accion.tipo];
}

async function act(tx: Tx, actor: Actor, ids: readonly string[], accion: Accion): Promise<Outcomes> {
  if (accion.tipo === 'asignar')
    return assignAll(tx, actor, ids, { transportista_id: accion.transportista_id, empresa_transporte: accion.empresa_transporte });
  if (accion.tipo === 'eliminar') return deleteAll(tx, actor, ids);
  if (accion.tipo === 'restaurar') return restoreAll(tx, actor, ids);
  if (accion.tipo === 'pagar') return noteAll(tx, actor, ids, accion);
  const { tipo: name, ...input } = accion;
  const outcomes = await lockPedidos(tx, actor, ids);
  const rows = await attemptEach(outcomes, (row) => row);
  replaceOutcomes(outcomes, await applyTransitions(tx, actor, rows, () => ({ input: { name, ...input } as TransitionInput })));
  return outcomes;
}

/** Returns the number of paid orders among the orders that can be cancelled or deleted, and the refund due afterwards, in euros. */
export async function refundAfterLote(
  db: Db,
  actor: Actor,
  { pedidos, para }: BodyOut<typeof calcularDevolucion>,
): Promise<Answer<typeof calcularDevolucion>> {
  const { pagados, cents } = await among(db, actor, pedidos)
    .$if(para === 'cancelar', (query) => query.where('estado', 'in', TRANSITIONS.cancelar.from))
    .whereRef('pagado_cents', '>', 'reembolsado_cents')
    .select((eb) => [
      eb.fn.countAll<number>().as('pagados'),
      sql<number>`coalesce(sum(pagado_cents - reembolsado_cents), 0)::bigint`.as('cents'),
    ])
    .executeTakeFirstOrThrow();
  return { pagados, importe: toEuros(cents) };
}

const among = (db: Db, actor: Actor, pedidos: Input['pedidos'], also: PedidoFilters = {}) =>
  'ids' in pedidos ? ordersFor(db, actor, also).where('id', 'in', pedidos.ids) : ordersFor(db, actor, { ...pedidos.filtro, ...also });

async function find(db: Db, actor: Actor, pedidos: Input['pedidos'], also: PedidoFilters) {
  const found = await among(db, actor, pedidos, also)
    .select(['id', 'numero_orden'])
    .orderBy('fecha_pedido', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LOTE + 1)
    .execute();
  if ('esperados' in pedidos && found.length !== pedidos.esperados) {
    throw conflict('La lista ha cambiado mientras tanto: vuelve a mirarla antes de seguir', 'lista');
  }
  return found;
}

const RECENT = sql<boolean>`i.deshecha_at IS NULL AND i.created_at > now() - make_interval(days => ${DESHACER_DAYS})`;

/** Stores which orders an import has created; returns its id. */
export async function storeImport(tx: Tx, actor: Actor, ids: readonly string[]): Promise<string> {
  const { rows } = await sql<{ id: string }>`INSERT INTO importaciones (user_id, pedidos, versiones)
    SELECT ${personIdOf(actor)}::uuid, array_agg(id ORDER BY id), array_agg(version ORDER BY id) FROM pedidos WHERE id = ANY (${ids}::uuid[])
    RETURNING id`.execute(tx);
  return rows[0]?.id ?? '';
}

/** Lists the imports of the last `DESHACER_DAYS` days that have not been undone, newest first. */
export const listImports = (db: Db): Promise<Answer<typeof listEndpoint>['data']> =>
  db
    .selectFrom('importaciones as i')
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .select(['i.id', 'i.created_at', 'u.full_name as quien', sql<number>`cardinality(i.pedidos)`.as('pedidos')])
    .where(RECENT)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id')
    .execute();

/**
 * Undoes an import: annuls its payments, also of orders deleted since, and deletes its orders, all or none; returns the number of deleted
 * orders. Throws 409 naming the orders that have changed since or belong to a web shop's order, or if the import is undone or old.
 */
export async function undoImport(db: Db, actor: Actor, id: string): Promise<number> {
  return transact(db, async (tx) => {
    const batch = await tx.selectFrom('importaciones as i').selectAll().where('i.id', '=', id).where(RECENT).forUpdate().executeTakeFirst();
    if (!batch) throw conflict('Esa importación ya se ha deshecho, o es de hace demasiado');
    const outcomes = await lockPedidos(tx, actor, batch.pedidos);
    const pagos = await tx
      .selectFrom('pagos')
      .select([
        'id',
        'pedido_id',
        sql<boolean>`created_at > (SELECT i.created_at FROM importaciones i WHERE i.id = ${id})`.as('later'),
        'estado',
      ])
      .where('pedido_id', '=', sql<string>`ANY (${batch.pedidos}::uuid[])`)
      .orderBy('id')
      .execute();
    const ofShops = await tx
      .selectFrom('tienda_pedidos')
      .select('pedido_id')
      .where('pedido_id', '=', sql<string>`ANY (${batch.pedidos}::uuid[])`)
      .execute();
    const touched = new Set([...pagos.filter(({ later }) => later), ...ofShops].map(({ pedido_id }) => pedido_id));
    const rows = [...outcomes.values()].filter((row): row is PedidoRow => !(row instanceof DomainError));
    const asMade = new Map(batch.pedidos.map((pedido, i) => [pedido, Number(batch.versiones[i])]));
    const isMoved = (row: PedidoRow) =>
      touched.has(row.id) || (row.deleted_at ? row.reembolsado_cents > 0 : row.version !== asMade.get(row.id));
    const moved = rows.filter(isMoved).map(({ numero_orden }) => numero_orden);
    if (moved.length > 0) throw conflict(refusalOf(moved.sort()));
    for (const { id: pago, estado } of pagos) if (estado === 'pagado') await annulIn(tx, actor, pago, 'Importación deshecha');
    const left = new Set(rows.filter(({ deleted_at }) => !deleted_at).map((row) => row.id));
    for (const outcome of (await deleteAll(tx, actor, [...left])).values()) if (outcome instanceof DomainError) throw outcome;
    await tx.updateTable('importaciones').set({ deshecha_at: sql`now()` }).where('id', '=', id).execute();
    return left.size;
  });
}

const SHOWN = 10;
const refusalOf = (numbers: readonly string[]): string => {
  const more = numbers.length > SHOWN ? ` y ${numbers.length - SHOWN} más` : '';
  return `No se puede deshacer: ya ${numbers.length === 1 ? 'ha cambiado' : 'han cambiado'} ${numbers.slice(0, SHOWN).join(', ')}${more}. Elimina los demás en la lista`;
};

/** Deletes records of imports that can no longer be undone. Undone imports stay: `restoreAll` asks for them. */
export async function deleteOldImports(db: Db): Promise<void> {
  await db
    .deleteFrom('importaciones')
    .where('deshecha_at', 'is', null)
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${DESHACER_DAYS})`)
    .execute();
}
