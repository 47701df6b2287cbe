import { type Selectable, sql } from 'kysely';
import { asPage, type QueryOut } from '../../../contract/kit/endpoint.ts';
import { ANTES_DE_SALIR } from '../../../contract/pedidos/estados.ts';
import { type Actor, SISTEMA } from '../../../contract/policy/policy.ts';
import { MENSAJE_DAYS, TIENDA_DAYS } from '../../../contract/tienda/fields.ts';
import type { listTienda as endpoint, PedidoTienda } from '../../../contract/tienda/tienda.ts';
import { type Db, onPage, type Tx, transact } from '../../db/open.ts';
import type { Tables } from '../../db/schema.ts';
import { emitJob } from '../../jobs/wake.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import { toEuros } from '../../kit/money.ts';
import { findPedido } from '../../pedidos/lectura/row.ts';
import { readLines } from '../../pedidos/lineas/lineas.ts';
import { type AgreedParts, agreedParts } from '../order/changes.ts';
import { orderBefore } from '../order/process.ts';
import { resolveLines, stateDoubt } from '../order/resolve.ts';
import type { WebOrder } from '../reading/order.ts';
import { auditShop } from '../shop.ts';
import { webOrderChanges, webOrderInWords } from './describe.ts';
import { suggestionsFor } from './matches.ts';

const WAITS = sql<boolean>`(t.estado IN ('recibido', 'por_revisar') OR t.aviso IS NOT NULL)`;

/** Lists the shops' orders that wait for a person, oldest first. */
export async function listWaiting(db: Db, { ids, ...page }: QueryOut<typeof endpoint>) {
  const waiting = db
    .selectFrom('tienda_pedidos as t')
    .innerJoin('tiendas as s', 's.id', 't.tienda_id')
    .leftJoin('pedidos as p', 'p.id', 't.pedido_id')
    .where(WAITS)
    .$if(ids !== undefined, (query) => query.where('t.id', '=', sql<string>`ANY (${ids}::uuid[])`));
  const { total } = await waiting.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await waiting
    .select(['t.id', 't.numero', 't.estado', 't.motivo', 't.aviso', 't.pedido_id', 'p.numero_orden', 't.recibido_at', 't.contenido'])
    .select(['t.tienda_id', 's.nombre as tienda', 's.comun', 't.externo_id'])
    .select(['t.cambios', 't.correcciones', 't.situacion', 't.leida', 't.pregunta'])
    .orderBy('t.recibido_at')
    .orderBy('t.id')
    .$call(onPage(page))
    .execute();
  const data: PedidoTienda[] = [];
  for (const row of rows) data.push(await shown(db, row));
  return asPage(data, Number(total), page);
}

type Own = 'id' | 'numero' | 'estado' | 'motivo' | 'aviso' | 'pedido_id' | 'numero_orden' | 'recibido_at' | 'tienda_id' | 'tienda';
type Hidden = 'contenido' | 'correcciones' | 'cambios' | 'situacion' | 'leida' | 'pregunta' | 'externo_id';
type Waiting = Pick<PedidoTienda, Own> & Pick<Selectable<Tables['tienda_pedidos']>, Hidden> & { comun: boolean | null };

async function shown(
  db: Db,
  { contenido, correcciones, cambios, situacion, leida, pregunta, externo_id, comun, ...row }: Waiting,
): Promise<PedidoTienda> {
  const { tienda_id } = row;
  const puede_ser = row.pedido_id ? null : ((await orderBefore(db, { externo_id, tienda_id, comun }))?.numero_orden ?? null);
  const read = contenido ? await resolveLines(db, { contenido, correcciones, tienda_id }) : undefined;
  const order = read && (situacion === 'borrado' && !pregunta ? { ...read.order, situacion: 'borrado' as const } : read.order);
  const goods = (order?.lineas ?? []).flatMap((line, n) => (line.isFee ? [] : [{ ...line, n }]));
  const unnamed = goods.filter(({ pack_id, sin_mercancia }) => !pack_id && !sin_mercancia);
  const suggested = await suggestionsFor(db, unnamed);
  const pedido = row.pedido_id && order && cambios.length ? await findPedido(db, SISTEMA, row.pedido_id) : undefined;
  const isBefore = pedido && ANTES_DE_SALIR.includes(pedido.estado) && !pedido.deleted_at;
  return {
    ...row,
    cliente: order?.cliente.cliente_nombre ?? null,
    total: order ? toEuros(order.total_cents) : null,
    lineas: goods.map((line) => ({
      n: line.n,
      clave: line.clave,
      nombre: line.nombre,
      texto: line.texto ?? null,
      cantidad: line.cantidad,
      pack_id: line.pack_id ?? null,
      sin_mercancia: line.sin_mercancia ?? false,
      sugerido_id: suggested.get(line) ?? null,
    })),
    mensaje: order ? webOrderInWords(order) : [],
    cambios: pedido && order ? webOrderChanges(cambios, { row: pedido, lines: await readLines(db, pedido.id) }, order) : [],
    aplicable: !!pedido && (!!isBefore || cambios.every((parte) => parte === 'estado' || parte === 'pago')),
    forma: order?.forma ?? null,
    recogida: order?.recogida ?? null,
    en_duda: !!order && !row.pedido_id && !read.hacer && (!!pregunta || !!puede_ser || stateDoubt(order, leida) !== undefined),
    puede_ser,
    campos: order && row.estado === 'por_revisar' ? { ...order.cliente, instrucciones: order.instrucciones } : {},
  };
}

/** Queues a waiting order again. Throws 404, 409 if the order no longer waits. */
export async function retryHeldOrder(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockRow(tx, id);
    if (row.estado !== 'por_revisar') throw conflict('Ese pedido de la tienda ya no espera');
    await tx.updateTable('tienda_pedidos').set({ estado: 'recibido' }).where('id', '=', id).execute();
    emitJob(tx, 'tienda');
    await auditShop(tx, actor, `Pedido ${row.numero} de la tienda: se lee otra vez`);
  });
}

export async function lockRow(tx: Tx, id: string) {
  const row = await tx.selectFrom('tienda_pedidos').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Discards a waiting order, or the notice of a change. Throws 404, 409 if nothing waits. */
export async function discardHeldOrder(db: Db, actor: Actor, id: string, motivo: string | null): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockRow(tx, id);
    if (row.estado !== 'por_revisar' && !row.aviso) throw conflict('Ese pedido de la tienda ya no espera');
    const isOrder = row.estado === 'por_revisar';
    const acordado = row.contenido && !isOrder ? currentParts(row) : undefined;
    await tx
      .updateTable('tienda_pedidos')
      .set({
        aviso: null,
        cambios: [],
        contenido: null,
        correcciones: null,
        pregunta: null,
        ...(acordado && { acordado: JSON.stringify(acordado) }),
        ...(isOrder && { estado: row.pedido_id ? 'creado' : 'ignorado', motivo: ['Descartado', motivo].filter(Boolean).join(': ') }),
      })
      .where('id', '=', id)
      .execute();
    const what = isOrder ? `Pedido ${row.numero} de la tienda descartado` : `Cambio del pedido ${row.numero} de la tienda visto`;
    await auditShop(tx, actor, [what, motivo].filter(Boolean).join(': '));
  });
}

/** Parts of the order with which a person has just agreed. */
export function currentParts({ contenido, cambios, acordado }: { contenido: unknown; cambios: string[]; acordado: unknown }): AgreedParts {
  const order = contenido as WebOrder;
  const now = agreedParts(order, { annulled: false });
  // An annulled payment that the shop still counts has been seen.
  const pago = cambios.includes('pago')
    ? agreedParts(order, { annulled: true }).pago
    : ((acordado as AgreedParts | null)?.pago ?? now.pago);
  return { ...now, pago };
}

/** Discards orders that no one has reviewed in `TIENDA_DAYS`, because they hold customer data, and old messages. */
export async function deleteUnseen(db: Db): Promise<void> {
  await db
    .updateTable('tienda_pedidos')
    .set({ estado: 'ignorado', contenido: null, correcciones: null, motivo: `Nadie lo ha mirado en ${TIENDA_DAYS} días` })
    .where('estado', '=', 'por_revisar')
    .where('recibido_at', '<', sql<string>`now() - make_interval(days => ${TIENDA_DAYS})`)
    .execute();
  await db
    .updateTable('tienda_pedidos')
    .set({ contenido: null, correcciones: null, cambios: [], aviso: null })
    .where('estado', '=', 'creado')
    .where('contenido', 'is not', null)
    .where('updated_at', '<', sql<string>`now() - make_interval(days => ${TIENDA_DAYS})`)
    .execute();
  await db.deleteFrom('tienda_mensajes').where('recibido_at', '<', sql<string>`now() - make_interval(days => ${MENSAJE_DAYS})`).execute();
}
