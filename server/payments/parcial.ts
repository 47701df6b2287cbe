import { sql } from 'kysely';
import { PARCIAL } from '../../contract/devoluciones/fields.ts';
import type { MotivoParte } from '../../contract/devoluciones/partes.ts';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import type { Db } from '../db/open.ts';
import { toEuros } from '../kit/money.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import { returnedLines, returnsOf } from '../pedidos/lineas/devuelto.ts';
import type { Line } from '../pedidos/lineas/lineas.ts';
import { owedByReturn } from '../pedidos/pagos/overpaid.ts';
import { movedTo } from '../pedidos/pagos/pagos.ts';

/** Returns the undelivered goods of a delivery in parts and the state of their money, in euros; empty for a complete delivery. */
export async function readParcial(db: Db, row: PedidoRow, ordered: readonly Line[]): Promise<Pick<PagoPublico, 'parcial'>> {
  if (!row.entrega_parcial) return {};
  const found = await db
    .selectFrom('devoluciones as d')
    .leftJoin('pedidos as r', (join) => join.onRef('r.id', '=', 'd.resto_pedido_id').on('r.deleted_at', 'is', null))
    .select(['d.id', 'd.reembolso_cents', 'd.retenido_cents', 'r.numero_orden', 'r.pago_token', 'r.estado', movedTo.as('pasado_cents')])
    .select(sql<number>`valor_devolucion(d.id)`.as('valor_cents'))
    .where('d.pedido_id', '=', row.id)
    .where('d.motivo', '=', PARCIAL)
    .where('d.anulada_at', 'is', null)
    .executeTakeFirst();
  if (!found) return {};
  const left = (await returnedLines(db, [found.id])).get(found.id) ?? [];
  const { valor_cents, reembolso_cents, retenido_cents, pasado_cents, numero_orden, pago_token, estado } = found;
  const owed = owedByReturn(row, await returnsOf(db, row.id)).get(found.id) ?? 0;
  return {
    parcial: {
      lineas: ordered.map(({ numero, producto, cantidad }) => ({
        producto,
        pedidas: cantidad,
        faltan: left.filter((one) => one.numero === numero).map((one) => ({ cantidad: one.cantidad, motivo: one.motivo as MotivoParte })),
      })),
      valor: toEuros(valor_cents),
      sin_pagar: toEuros(Math.max(0, valor_cents - reembolso_cents - retenido_cents - owed)),
      por_devolver: toEuros(owed),
      devuelto: toEuros(reembolso_cents - pasado_cents),
      pasado: toEuros(pasado_cents),
      resto: numero_orden && pago_token ? { numero_orden, url: `/pagar/${pago_token}`, cancelado: estado === 'cancelado' } : null,
    },
  };
}
