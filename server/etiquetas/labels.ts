import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import type { imprimirEtiquetas as endpoint } from '../../contract/etiquetas/etiquetas.ts';
import { isEnding, MAX_ETIQUETAS } from '../../contract/etiquetas/fields.ts';
import type { QueryOut } from '../../contract/kit/endpoint.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import type { Pedido, PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { whyOrderStays } from '../../contract/pedidos/situation.ts';
import { type Actor, mayEver } from '../../contract/policy/policy.ts';
import { isSpain } from '../../contract/text/country.ts';
import { telephoneWords } from '../../contract/text/telephone.ts';
import type { Db } from '../db/open.ts';
import { DomainError, invalid, notFound } from '../kit/errors.ts';
import { inTurn } from '../kit/paper.ts';
import { ordersFor } from '../pedidos/lectura/filter.ts';
import { presentOrder } from '../pedidos/lectura/present.ts';
import { withdrawalMessage } from '../pedidos/lectura/reassigned.ts';
import { COLUMNS, columnsWith, type PedidoRow } from '../pedidos/lectura/row.ts';
import { allowedSql, availableSql, inScope } from '../pedidos/lectura/scope.ts';
import { readSettings } from '../settings/settings.ts';
import { shopNames } from '../settings/shop-names.ts';
import type { Label, Sheets } from './etiquetas.worker.ts';

const WITH_LINES = columnsWith({ lineas: true });

/** Returns labels as PDF, in the order of `ids` or newest first. Throws 404 for an id out of reach, 422 for none or too many, 403. */
export async function drawLabels(
  db: Db,
  actor: Actor,
  { ids, todos: _, formato, ...filter }: QueryOut<typeof endpoint>,
): Promise<Uint8Array> {
  const matching = ordersFor(db, actor, filter).where(allowedSql(actor, 'pedido:label'));
  const rows: PedidoRow[] = await (ids ? matching.where('pedidos.id', 'in', ids) : matching)
    .select(WITH_LINES)
    .orderBy('fecha_pedido', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_ETIQUETAS + 1)
    .execute();
  if (ids && rows.length < ids.length) throw notFound();
  if (rows.length > MAX_ETIQUETAS) throw invalid('ids', `Como máximo ${MAX_ETIQUETAS} etiquetas a la vez: usa los filtros`);
  if (rows.length === 0) throw new DomainError(422, 'Ningún pedido coincide con los filtros');
  const [{ companyName }, shops] = [await readSettings(db), await shopNames(db)];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const labels = (ids?.flatMap((id) => byId.get(id) ?? []) ?? rows).map((row) => ({
    ...labelOf(actor, row),
    ...(shops && { tienda: row.tienda }),
  }));
  return inTurn(actor, () => drawLabelsPdf({ empresa: companyName, formato, labels }));
}

/** Draws the labels in a worker thread; returns the PDF. */
export async function drawLabelsPdf(sheets: Sheets): Promise<Uint8Array> {
  const worker = new Worker(new URL('./etiquetas.worker.ts', import.meta.url), { workerData: sheets });
  try {
    // `once` also rejects when the worker fails.
    const [file] = await once(worker, 'message');
    return file as Uint8Array;
  } finally {
    await worker.terminate();
  }
}

/** Returns the texts of an order's label, limited to the fields that the actor can see. */
function labelOf(actor: Actor, row: PedidoRow): Label {
  // Only the office and the order's carrier print labels, so `presentOrder` never returns a `PedidoDisponible`.
  const p = presentOrder(actor, row, '') as Pedido | PedidoTransportista;
  const stays = whyOrderStays(p);
  return {
    numero: p.numero_orden,
    nombre: p.cliente_nombre,
    direccion: [p.cliente_direccion, p.cliente_direccion2].filter(Boolean).join(', '),
    poblacion: [p.cliente_codigo_postal, p.cliente_ciudad].filter(Boolean).join(' '),
    provincia: [p.cliente_provincia, isSpain(p.cliente_pais) ? null : p.cliente_pais].filter(Boolean).join(', '),
    telefono: p.cliente_telefono && telephoneWords(p.cliente_telefono),
    instrucciones: [
      stays && [stays === 'unprepared' && 'NO SALE', p.situacion?.frase].filter(Boolean).join(': '),
      p.franja_horaria,
      p.instrucciones,
      p.aviso_cliente,
    ]
      .filter(Boolean)
      .join(' · '),
    lineas: (row.lineas ?? []).map(({ cantidad, producto }) => `${cantidad} × ${producto}`),
    cobrar: p.por_cobrar ?? 0,
  };
}

/** Maximum orders returned for one code. */
const MAX_OFFERED = 20;

/**
 * Returns the orders that a code names, the actor's own first. A whole number finds own and available orders in any estado; its last digits
 * find available orders and own orders in hand. Throws 404, which tells only the order's former carrier who has the order now.
 */
export async function findScanned(db: Db, actor: Actor, codigo: string): Promise<PedidoRow[]> {
  const whole = sql<boolean>`numero_orden IN (${codigo}, ${codigo.toUpperCase()})`;
  const rows = await db
    .selectFrom('pedidos')
    .select(COLUMNS)
    .where((eb) =>
      eb.or([
        eb.and([whole, eb.or([inScope(actor), availableSql(actor)])]),
        ...(isEnding(codigo)
          ? [
              eb.and([eb('estado', 'in', EN_MANOS), inScope(actor), sql<boolean>`numero_orden LIKE ${`%${codigo}`}`]),
              eb.and([availableSql(actor), sql<boolean>`numero_orden LIKE ${`%${codigo}`}`]),
            ]
          : []),
      ]),
    )
    .orderBy(sql`transportista_id IS NULL`)
    .orderBy('fecha_pedido')
    .limit(MAX_OFFERED)
    .execute();
  if (rows.length > 0) return rows;
  const other = await db.selectFrom('pedidos').select('id').where(whole).executeTakeFirst();
  const withdrawal = other && mayEver(actor, 'pedido:load') ? await withdrawalMessage(db, actor, other.id) : undefined;
  throw notFound(withdrawal ?? 'Este pedido no es tuyo');
}
