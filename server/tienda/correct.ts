import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { ANTES_DE_SALIR } from '../../contract/pedidos/estados.ts';
import { CLIENTE_FIELDS, EDITABLE_FIELDS, type EditableField } from '../../contract/pedidos/fields.ts';
import { patchPedido } from '../../contract/pedidos/schemas.ts';
import { type Actor, SISTEMA } from '../../contract/policy/policy.ts';
import type { ParteWeb } from '../../contract/tienda/fields.ts';
import type * as api from '../../contract/tienda/tienda.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { encrypt } from '../kit/secrets.ts';
import { replaceAgreed } from '../pedidos/escritura/agreed.ts';
import { bookShopPayment } from '../pedidos/escritura/cobrar.ts';
import { updatePedido } from '../pedidos/escritura/pedidos.ts';
import { lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { agreedLines, taxesOf } from './create.ts';
import { takeUpAgain } from './follow.ts';
import type { Marks } from './marks.ts';
import { packNamed } from './matches.ts';
import type { WebOrder } from './order.ts';
import { type Corrections, openCorrections, refuseUnresolved, resolveLines } from './resolve.ts';
import { currentMarks, lockRow } from './review.ts';
import { auditShop } from './sources.ts';

/** Corrects a waiting order and queues it again. Throws 404, 409 if it no longer waits, 422 for an unknown line or pack. */
export async function correct(
  db: Db,
  actor: Actor,
  secretKey: string,
  { id, ...input }: BodyOut<typeof api.corregirTienda> & { id: string },
): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockRow(tx, id);
    if (row.estado !== 'por_revisar' || !row.contenido) throw conflict('Ese pedido de la tienda ya no espera');
    const { order } = await resolveLines(tx, secretKey, { ...row, contenido: row.contenido });
    const before = openCorrections(secretKey, row.correcciones);
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
      campos: { ...before.campos, ...knownOf(campos) },
      lineas: [...(before.lineas ?? []).filter((known) => !named.some(({ n }) => n === known.n)), ...named],
      ...(trato && { trato }),
      ...(entrega && { entrega }),
      ...(hacer && { hacer }),
    };
    const correcciones = encrypt(secretKey, JSON.stringify(after));
    await tx.updateTable('tienda_pedidos').set({ correcciones, estado: 'recibido' }).where('id', '=', id).execute();
    emitJob(tx, 'tienda');
    await auditShop(tx, actor, `Pedido ${row.numero} de la tienda corregido`);
  });
}

function knownOf(campos: Record<string, string | null>): NonNullable<Corrections['campos']> {
  const unknown = Object.keys(campos).find((name) => !EDITABLE_FIELDS.some((known) => known === name));
  if (unknown) throw invalid(`campos.${unknown}`, 'Ese campo no se puede corregir');
  return campos;
}

/**
 * Applies the waiting changes: address, note, lines and amounts if the order has not left; also a waiting payment, or creates the order again.
 * Throws 404, 409 if nothing can be applied, 422 like the changes themselves.
 */
export async function applyChanges(db: Db, actor: Actor, secretKey: string, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockRow(tx, id);
    const { contenido, pedido_id } = row;
    if (!contenido || !pedido_id || row.cambios.length === 0) throw conflict('Ya no hay ningún cambio de la tienda que aplicar');
    const { order, entrega } = await resolveLines(tx, secretKey, { ...row, contenido });
    const here = await lockPedido(tx, SISTEMA, pedido_id);
    const cambios = row.cambios as ParteWeb[];
    const state = { ...row, pedido_id, marcas: row.marcas as Marks | null };
    if (cambios.includes('estado')) await takeUpAgain(tx, state, order, entrega);
    else await applyParts(tx, actor, here, order, cambios);
    if ((cambios.includes('pago') || cambios.includes('estado')) && order.pago) {
      const target = await lockPedido(tx, SISTEMA, state.pedido_id);
      await bookShopPayment(tx, actor, target, { shop: id, cents: order.total_cents, ...order.pago });
      state.pagado_cents = order.total_cents;
    }
    const marcas = await currentMarks(tx, secretKey, { ...row, contenido });
    await tx
      .updateTable('tienda_pedidos')
      .set({
        marcas: JSON.stringify(marcas),
        cambios: [],
        aviso: null,
        contenido: null,
        pedido_id: state.pedido_id,
        pagado_cents: state.pagado_cents,
        devuelto_cents: state.devuelto_cents,
      })
      .where('id', '=', id)
      .execute();
    await auditShop(tx, actor, `Cambios del pedido ${row.numero} de la tienda aplicados`);
  });
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
  refuseUnresolved({ ...order, forma: undefined, recogida: undefined } as never, undefined);
  const { lineas, agreed } = agreedLines(order);
  const amounts = { envio_cents: order.envio_cents, descuento_cents: order.descuento_cents };
  const row = await lockPedido(tx, actor, here.id);
  await replaceAgreed(tx, actor, row, {
    lineas: lineas as never,
    agreed,
    amounts,
    nota: 'Como está en la tienda',
    taxes: taxesOf(order, false),
  });
}
