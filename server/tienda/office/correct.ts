import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { ANTES_DE_SALIR } from '../../../contract/pedidos/estados.ts';
import { CLIENTE_FIELDS, type EditableField } from '../../../contract/pedidos/fields.ts';
import { patchPedido } from '../../../contract/pedidos/schemas.ts';
import { type Actor, SISTEMA } from '../../../contract/policy/policy.ts';
import type { ParteWeb } from '../../../contract/tienda/fields.ts';
import type * as api from '../../../contract/tienda/tienda.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { emitJob } from '../../jobs/wake.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import { replaceAgreed } from '../../pedidos/escritura/agreed.ts';
import { updatePedido } from '../../pedidos/escritura/pedidos.ts';
import { lockPedido, type PedidoRow } from '../../pedidos/lectura/row.ts';
import { changesNotice } from '../order/changes.ts';
import { agreedLines, chargedTaxes } from '../order/create.ts';
import { takeUpAgain } from '../order/follow.ts';
import { settleMoney } from '../order/money.ts';
import { orderBefore } from '../order/process.ts';
import { type Corrections, refuseUnresolved, resolveLines } from '../order/resolve.ts';
import type { WebOrder } from '../reading/order.ts';
import { auditShop, findWebShop, type WebShop } from '../shop.ts';
import { packNamed } from './matches.ts';
import { currentParts, lockRow } from './review.ts';

/** Corrects a waiting order and queues it again. Throws 404, 409 if it no longer waits, 422 for an unknown line or pack. */
export async function correctWaiting(
  db: Db,
  actor: Actor,
  { id, ...input }: BodyOut<typeof api.corregirTienda> & { id: string },
): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockRow(tx, id);
    if (row.estado !== 'por_revisar' || !row.contenido) throw conflict('Ese pedido de la tienda ya no espera');
    if (input.es_ese) return joinBefore(tx, actor, row);
    const { order } = await resolveLines(tx, row);
    const before = (row.correcciones ?? {}) as Corrections;
    const { lineas = [], trato, entrega, hacer, campos = {} } = input;
    const named: NonNullable<Corrections['lineas']> = [];
    for (const [i, { n, ...line }] of lineas.entries()) {
      const { nombre } = order.lineas[n] ?? {};
      if (nombre === undefined) throw invalid(`lineas.${i}.n`, 'Esa línea ya no está en el pedido');
      if (line.pack_id && !(await packNamed(tx, line.pack_id))) throw invalid(`lineas.${i}.pack_id`, 'Selecciona un pack válido');
      named.push({ ...before.lineas?.find((known) => known.n === n), ...(line as object), n, nombre });
    }
    const after: Corrections = {
      ...before,
      campos: { ...before.campos, ...campos },
      lineas: [...(before.lineas ?? []).filter((known) => !named.some(({ n }) => n === known.n)), ...named],
      ...(trato && { trato }),
      ...(entrega && { entrega }),
      ...(hacer && { hacer }),
    };
    const correcciones = JSON.stringify(after);
    await tx.updateTable('tienda_pedidos').set({ correcciones, estado: 'recibido' }).where('id', '=', id).execute();
    emitJob(tx, 'tienda');
    await auditShop(tx, actor, `Pedido ${row.numero} de la tienda corregido`);
  });
}

/**
 * Applies the waiting changes: address, note, lines and amounts if the order has not left; also a waiting payment, or creates the order again.
 * Throws 404, 409 if nothing can be applied, 422 like the changes themselves.
 */
export async function applyChanges(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockRow(tx, id);
    const { contenido, pedido_id } = row;
    if (!contenido || !pedido_id || row.cambios.length === 0) throw conflict('Ya no hay ningún cambio de la tienda que aplicar');
    const { order, entrega } = await resolveLines(tx, row);
    let here = await lockPedido(tx, SISTEMA, pedido_id);
    const cambios = row.cambios as ParteWeb[];
    const notices: string[] = [];
    if (cambios.includes('estado')) {
      const { nombre: tienda, con_iva } = (await findWebShop(tx, row.tienda_id)) as WebShop;
      const made = await takeUpAgain(tx, { id, con_iva, tienda }, here, order, entrega);
      here = made.row;
      notices.push(...made.notices);
    } else await applyParts(tx, actor, here, order, cambios);
    // A payment that waited is agreed now; one that moved with the order has its rows, and a refused or refunded one stays so.
    const agreed = cambios.includes('pago') ? { agreed: actor } : {};
    const asked = new Set<ParteWeb>();
    await settleMoney(tx, await lockPedido(tx, SISTEMA, here.id), order, { shop: id, notices, asked, isEnded: false, ...agreed });
    await tx
      .updateTable('tienda_pedidos')
      .set({
        acordado: JSON.stringify(currentParts(row)),
        cambios: [],
        aviso: changesNotice(null, [], [], notices),
        contenido: null,
        pedido_id: here.id,
        pregunta: null,
      })
      .where('id', '=', id)
      .execute();
    await auditShop(tx, actor, `Cambios del pedido ${row.numero} de la tienda aplicados`);
  });
}

/** Gives an order that came in before its shop was known to this shop; the waiting message is then read as a later one. Throws 409. */
async function joinBefore(tx: Tx, actor: Actor, row: Awaited<ReturnType<typeof lockRow>>): Promise<void> {
  const { comun } = await tx.selectFrom('tiendas').select('comun').where('id', '=', row.tienda_id).executeTakeFirstOrThrow();
  const before = await orderBefore(tx, { ...row, comun });
  if (!before) throw conflict('Ese pedido ya no está');
  await tx.deleteFrom('tienda_pedidos').where('id', '=', row.id).execute();
  const { tienda_id, externo_id, numero, modificado_at, situacion, vistos, contenido } = row;
  await tx
    .updateTable('tienda_pedidos')
    .set({ tienda_id, externo_id, numero, modificado_at, situacion, vistos, contenido: JSON.stringify(contenido), estado: 'recibido' })
    .where('id', '=', before.id)
    .execute();
  emitJob(tx, 'tienda');
  await auditShop(tx, actor, `Pedido ${numero} de la tienda: es ${before.numero_orden}`);
}

const FIELDS_OF: Partial<Record<ParteWeb, readonly EditableField[]>> = {
  direccion: CLIENTE_FIELDS.filter((name): name is EditableField & typeof name => name !== 'cliente_nif'),
  nif: ['cliente_nif'],
  instrucciones: ['instrucciones'],
};

async function applyParts(tx: Tx, actor: Actor, here: PedidoRow, order: WebOrder, cambios: readonly ParteWeb[]): Promise<void> {
  const values: Record<string, unknown> = {
    ...order.cliente,
    cliente_nif: order.cliente.cliente_nif ?? null,
    instrucciones: order.instrucciones,
  };
  const fields = cambios.flatMap((parte) => FIELDS_OF[parte] ?? []).filter((name) => name in values);
  const isGoods = cambios.includes('productos') || cambios.includes('importe');
  const isBefore = ANTES_DE_SALIR.includes(here.estado) && !here.deleted_at;
  if ((fields.length > 0 || isGoods) && !isBefore) throw conflict('El pedido ya ha salido: cámbialo tú y marca el aviso como visto');
  if (fields.length > 0) {
    const read = patchPedido.body.safeParse(Object.fromEntries(fields.map((name) => [name, values[name]])));
    if (!read.success) throw invalid(String(read.error.issues[0]?.path[0] ?? 'pedido'), read.error.issues[0]?.message ?? 'No es válido');
    await updatePedido(tx, actor, here.id, read.data as Parameters<typeof updatePedido>[3]);
  }
  if (!isGoods) return;
  refuseUnresolved({ lineas: order.lineas, moneda: order.moneda }, undefined);
  const { lineas, agreed } = agreedLines(order);
  const amounts = { envio_cents: order.envio_cents, descuento_cents: order.descuento_cents };
  const row = await lockPedido(tx, actor, here.id);
  const taxes = chargedTaxes(order, false);
  await replaceAgreed(tx, actor, row, { lineas, agreed, amounts, taxes, nota: 'Como está en la tienda' });
}
