import { sql } from 'kysely';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import type { Devolucion, PorRecibir, recibirDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { CAMINO, DESTINO_LABEL } from '../../contract/devoluciones/fields.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { notify } from '../notifications/notify.ts';
import { changePedido } from '../pedidos/historia/change.ts';
import { lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { moveReceived, orderOfReturn, type Returned, returnedLines, valuedReturns } from '../pedidos/lineas/devuelto.ts';
import { adjustStock, readLines, unitsFor } from '../pedidos/lineas/lineas.ts';
import { moveStock } from '../products/stock.ts';
import { presentReturn } from './devoluciones.ts';

/* Goods on their way back: what a delivery left out, which is no stock until the office receives it (decision 092), and what was out of
 * the shop when its order was cancelled or deleted, which counts as stock at once and is written off if it never comes (decision 176). */

/** Condition: an order was cancelled or deleted while its goods were out, and nobody has received them. */
export const GOODS_OUT = sql<boolean>`mercancia_at IS NOT NULL AND estado <> 'completado'`;

/** Lists the goods on their way back, oldest first. */
export async function listToReceive(db: Db): Promise<PorRecibir[]> {
  const { rows } = await sql<PorRecibir>`
    SELECT d.id, p.id AS pedido_id, p.numero_orden, p.transportista_nombre, d.created_at AS desde, l.lineas
    FROM devoluciones d JOIN pedidos p ON p.id = d.pedido_id
    JOIN LATERAL (
      SELECT json_agg(json_build_object('producto', x.producto, 'cantidad', x.cantidad) ORDER BY x.numero, x.motivo) AS lineas
      FROM devoluciones_lineas x WHERE x.devolucion_id = d.id AND x.destino = ${CAMINO}) l ON l.lineas IS NOT NULL
    WHERE d.anulada_at IS NULL AND d.id IN (SELECT devolucion_id FROM devoluciones_lineas WHERE destino = ${CAMINO})
    UNION ALL
    SELECT p.id, p.id, p.numero_orden, p.transportista_nombre, p.mercancia_at, (
      SELECT json_agg(json_build_object('producto', x.producto, 'cantidad', x.cantidad) ORDER BY x.numero)
      FROM pedidos_lineas x WHERE x.pedido_id = p.id)
    FROM pedidos p WHERE ${GOODS_OUT}
    ORDER BY desde, id LIMIT ${MAX_OFICINA}`.execute(db);
  return rows;
}

type Input = BodyOut<typeof recibirDevolucion>;
const refuseWithoutReason = ({ destino, motivo }: Input) => {
  if (destino === 'baja' && !motivo) throw invalid('motivo', 'Indica por qué no vuelve al stock');
};
const received = ({ destino, motivo }: Input, words: string) =>
  ({
    accion: destino === 'stock' ? 'Mercancía recibida' : 'Mercancía dada de baja',
    action: 'update',
    nota: [`${words} (${DESTINO_LABEL[destino].toLowerCase()})`, motivo].filter(Boolean).join('. ').slice(0, 1000),
  }) as const;

/**
 * Receives the goods of a return that are on their way back: adds them to the stock, or writes them off with a reason and notifies the
 * carrier. Throws 404; 409 if none are on their way; 422 for a write-off without a reason.
 */
export const receiveGoods = async (db: Db, actor: Actor, id: string, input: Input): Promise<Devolucion> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, await orderOfReturn(tx, id));
    const devolucion = (await valuedReturns(tx, row.id)).find((devolucion) => devolucion.id === id);
    if (!devolucion || devolucion.anulada_at) throw nothingComes();
    await receiveReturn(tx, actor, row, id, input);
    return presentReturn(tx, actor, row.id, id);
  });

const nothingComes = () => conflict('De esta devolución no hay nada por recibir');

async function receiveReturn(tx: Tx, actor: Actor, row: PedidoRow, id: string, input: Input): Promise<PedidoRow> {
  const { destino } = input;
  const coming = ((await returnedLines(tx, [id])).get(id) ?? []).filter((line) => line.destino === CAMINO);
  if (coming.length === 0) throw nothingComes();
  refuseWithoutReason(input);
  const ordered = await readLines(tx, row.id);
  const back = coming.map((line): Returned => {
    const own = ordered.find(({ numero }) => numero === line.numero);
    return { ...line, destino, unidades: destino === 'stock' && own ? unitsFor(own, line.cantidad) : 0 };
  });
  await moveReceived(tx, id, back);
  const units = back.reduce((sum, { unidades }) => sum + unidades, 0);
  const words = wordsOf(back);
  const set = { unidades_retenidas: row.unidades_retenidas - units, mercancia_at: null };
  const after = await changePedido(tx, actor, row, set, received(input, words));
  if (destino === 'baja') await notifyLost(tx, actor, row, input, words);
  await adjustStock(tx, actor, row.id, [back, []], { motivo: 'retorno' });
  return after;
}

/**
 * Receives the goods of an order that are on their way back. Those of a delivery are a return's; those of an order cancelled or deleted while
 * they were out are stock again since then, so a write-off takes them from it. Throws 404; 409 if none are out; 422 for a write-off without a
 * reason.
 */
export const receiveOfOrder = async (db: Db, actor: Actor, id: string, input: Input): Promise<PedidoRow> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    if (!row.mercancia_at) throw conflict('De este pedido no hay nada por recibir');
    if (row.estado === 'completado') {
      const returns = (await valuedReturns(tx, row.id)).filter(({ anulada_at }) => !anulada_at);
      const lines = await returnedLines(
        tx,
        returns.map((each) => each.id),
      );
      const coming = returns.find((each) => lines.get(each.id)?.some(({ destino }) => destino === CAMINO));
      if (!coming) throw nothingComes();
      return receiveReturn(tx, actor, row, coming.id, input);
    }
    refuseWithoutReason(input);
    const lines = await readLines(tx, row.id);
    const words = wordsOf(lines);
    const after = await changePedido(tx, actor, row, { mercancia_at: null }, received(input, words));
    if (input.destino === 'stock') return after;
    await notifyLost(tx, actor, row, input, words);
    const units = new Map<string, number>();
    for (const { product_id, unidades } of lines) if (product_id) units.set(product_id, (units.get(product_id) ?? 0) + unidades);
    const nota = `No ha vuelto de ${row.numero_orden}: ${input.motivo ?? ''}`.slice(0, 300);
    for (const [product_id, unidades] of [...units].sort(([a], [b]) => (a < b ? -1 : 1)))
      await moveStock(tx, { product_id, unidades: -unidades, motivo: 'ajuste', nota }, actor);
    return after;
  });

const wordsOf = (lines: readonly { cantidad: number; producto: string }[]) =>
  lines.map(({ cantidad, producto }) => `${cantidad} × ${producto}`).join('; ');

const notifyLost = (tx: Tx, actor: Actor, row: PedidoRow, { motivo }: Input, words: string) =>
  notify(tx, {
    tipo: 'diferencia_entrega',
    texto: `${actor.full_name} no ha recibido ${words} de ${row.numero_orden}: ${motivo ?? 'sin motivo'}`.slice(0, 300),
    users: [row.transportista_id],
    enlace: `/pedidos-asignados?estado=${row.estado}&search=${encodeURIComponent(row.numero_orden)}`,
    except: actor.id,
    mail: true,
  });
