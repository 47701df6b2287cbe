import { sql } from 'kysely';
import { PARCIAL } from '../../contract/devoluciones/fields.ts';
import { METODO_PAGO_LABEL, type METODOS_COBRO } from '../../contract/payments/fields.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import type { Tx } from '../db/open.ts';
import { annulReturnIn } from '../devoluciones/devoluciones.ts';
import { orderEarners, reverseDelivery } from '../ganancias/ledger.ts';
import { conflict } from '../kit/errors.ts';
import { inEuros } from '../kit/money.ts';
import { lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { valuedReturns } from '../pedidos/lineas/devuelto.ts';
import { collectedAtDoor, oweCollected } from '../pedidos/pagos/collect.ts';
import { annulIn } from '../pedidos/pagos/pagos.ts';
import { applyTransition } from '../pedidos/pasos/transition.ts';
import { withdrawEntrega } from '../pedidos/pruebas/entrega.ts';
import type { Counter } from './step.ts';

/**
 * Returns the counter-entries of a delivery, in the order in which they are written. Throws 409 for what cannot be taken back: cash that a
 * carrier has handed over (the office can), a paid statement, returned goods.
 */
export async function deliveryCounters(tx: Tx, actor: Actor, row: PedidoRow, office: boolean): Promise<Counter[]> {
  return [
    ...(await moneyCounters(tx, actor, row, office)),
    ...(await returnCounters(tx, actor, row, office)),
    ...(await earningCounters(tx, row, office)),
    ...(await proofCounters(tx, row)),
    ...(office ? await invoiceWords(tx, row) : []),
  ];
}

/** Money taken at the door: annulled while nobody else has it, else owed to whoever paid it. */
async function moneyCounters(tx: Tx, actor: Actor, row: PedidoRow, office: boolean): Promise<Counter[]> {
  return (await collectedAtDoor(tx, row.id)).map(({ id, proveedor, importe_cents, nombre, settled }) => {
    const what = `${inEuros(importe_cents)} (${METODO_PAGO_LABEL[proveedor as (typeof METODOS_COBRO)[number]]})`;
    if (!settled) {
      const words = nombre ? `Los ${what} salen de lo cobrado por ${nombre}` : `El cobro de ${what} se anula`;
      return { words, run: (motivo) => annulIn(tx, actor, id, motivo) };
    }
    if (!office) throw conflict('Lo cobrado ya está entregado o comprobado: pide a la oficina que deshaga la entrega', 'estado');
    return { words: `Los ${what} ya están en la oficina: quedan por devolver`, run: () => oweCollected(tx, row, id, what) };
  });
}

/** Undelivered goods of this delivery are part of the order again. Throws 409 for goods that came back after it, or moved on. */
async function returnCounters(tx: Tx, actor: Actor, row: PedidoRow, office: boolean): Promise<Counter[]> {
  const counters: Counter[] = [];
  for (const { id, motivo, reembolso_cents, retenido_cents, resto_pedido_id } of (await valuedReturns(tx, row.id)).filter(
    ({ anulada_at }) => !anulada_at,
  )) {
    // Only one delivery counts, so what it left out is of this one.
    if (motivo !== PARCIAL) throw conflict('Ya se ha devuelto mercancía de esta entrega: anula antes la devolución', 'estado');
    const rest = resto_pedido_id ? await untouchedRest(tx, resto_pedido_id, id, office) : undefined;
    if (reembolso_cents > (rest?.moved ?? 0) || retenido_cents > 0)
      throw conflict('Lo que no se entregó ya se ha reembolsado o retenido: anula antes esa devolución', 'estado');
    if (rest) counters.push({ words: `El pedido ${rest.numero_orden}, del resto, se cancela`, run: () => rejoin(tx, actor, row, rest.id) });
    const run = async (why: string) => annulReturnIn(tx, actor, await lockPedido(tx, actor, row.id), id, why);
    counters.push({ words: 'Lo que no se entregó vuelve a formar parte del pedido', run });
  }
  return counters;
}

type Rest = { id: string; numero_orden: string; moved: number; untouched: boolean };
/** Returns the order of the rest with the cents that moved to it, undefined if cancelled. Throws 409 if it has changed since it was made. */
async function untouchedRest(tx: Tx, id: string, devolucion: string, office: boolean): Promise<Rest | undefined> {
  const { rows } = await sql<Rest>`
    SELECT r.id, numero_orden, coalesce((SELECT sum(importe_cents) FROM pagos WHERE devolucion_id = ${devolucion} AND estado <> 'anulado'), 0)::int AS moved,
      (estado IN ('pendiente', 'pendiente_pago') AND deleted_at IS NULL AND updated_at = created_at) AS untouched
    FROM pedidos r WHERE r.id = ${id} AND estado <> 'cancelado'`.execute(tx);
  const [rest] = rows;
  if (!rest) return undefined;
  if (!office) throw conflict('El resto ya va en otro pedido: pide a la oficina que deshaga la entrega', 'estado');
  if (!rest.untouched) throw conflict(`El resto va en el pedido ${rest.numero_orden}, que ya ha cambiado: cancélalo antes`, 'estado');
  return rest;
}

/** Cancels the untouched order of the rest; the annulled return takes its money back. */
async function rejoin(tx: Tx, actor: Actor, { numero_orden }: PedidoRow, rest: string): Promise<void> {
  const motivo = `Vuelve al pedido ${numero_orden}, cuya entrega se ha deshecho`;
  await applyTransition(tx, actor, await lockPedido(tx, actor, rest), { name: 'cancelar', motivo });
}

async function earningCounters(tx: Tx, row: PedidoRow, office: boolean): Promise<Counter[]> {
  const earners = await orderEarners(tx, row.id);
  const paid = earners.find((earner): earner is typeof earner & { pagada: string } => earner.pagada !== null);
  if (paid)
    throw conflict(
      office
        ? `La liquidación ${paid.pagada} de ${paid.nombre} ya está pagada: quita antes «Pagada» en Liquidaciones`
        : 'Esta entrega ya está pagada en una liquidación: habla con la oficina',
      'estado',
    );
  if (earners.length === 0) return [];
  const names = earners.map(({ nombre }) => nombre).join(' y ');
  const words = office ? `Se anula lo que ganan con ella ${names}` : 'Se anula lo que ganas con ella';
  return [{ words, run: () => reverseDelivery(tx, row.id) }];
}

async function proofCounters(tx: Tx, { id }: PedidoRow): Promise<Counter[]> {
  const proof = tx.selectFrom('entregas').select('forma_entrega').where('pedido_id', '=', id);
  const known = await proof.where('anulada_at', 'is', null).where('entregada_at', 'is not', null).executeTakeFirst();
  if (!known) return [];
  return [{ words: 'La prueba de entrega deja de valer, y el cliente tendrá otro PIN', run: () => withdrawEntrega(tx, id) }];
}

/** Its rows follow by themselves (server/facturables/settle.ts). */
async function invoiceWords(tx: Tx, { id }: PedidoRow): Promise<Counter[]> {
  const known = await tx.selectFrom('facturables').select('seq').where('pedido_id', '=', id).executeTakeFirst();
  return known ? [{ words: '«Para facturar» tendrá una fila en negativo', run: async () => undefined }] : [];
}
