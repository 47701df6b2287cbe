import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { writes } from '../../../contract/pedidos/access.ts';
import { EFECTIVO_LIMITE, overCash } from '../../../contract/pedidos/contra-reembolso.ts';
import { lineasRefusal } from '../../../contract/pedidos/flow.ts';
import type { SetLineas } from '../../../contract/pedidos/pedidos.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { type Db, transact } from '../../db/open.ts';
import { conflict, forbidden, invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { refuseStale } from '../../kit/version.ts';
import { change } from '../historia/change.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import { type Amounts, adjustStock, type Line, packsOf, priceLines, readLines, rowsOf, summaryOf } from '../lineas/lineas.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { notifyRefundsDue } from '../pagos/overpaid.ts';
import { releaseIfPaid } from '../pasos/transition.ts';
import { refuseUnwritable } from './unwritable.ts';

/**
 * Replaces lines and, for superadmins, shipping and discount, and moves the stock. Existing lines keep their price up to their quantity.
 * Throws 404, 403, 409 if stale or no longer editable (decision 035), 422 for invalid lines or insufficient stock.
 */
export const editLineas = async (db: Db, actor: Actor, id: string, input: SetLineas): Promise<{ row: PedidoRow; lines: Line[] }> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, input.version, 'este pedido');
    const refusal = lineasRefusal(actor, row);
    if (refusal) throw conflict(refusal, 'estado');
    refuseUnwritable(actor, input);
    const free = writes(actor, 'precio_unitario');
    if ((['envio', 'descuento'] as const).some((name) => input[name] != null && !writes(actor, name))) throw forbidden();
    const before = await readLines(tx, id);
    // Includes packs of existing lines: additional quantity costs today's price.
    const packs = await packsOf(tx, [...input.lineas, ...before], row.revendedor_id);
    const lines = priceLines(input.lineas, { packs, free, known: before });
    const summary = summaryOf(lines, {
      envio_cents: input.envio == null ? row.envio_cents : toCents(input.envio),
      descuento_cents: input.descuento == null ? row.descuento_cents : toCents(input.descuento),
    });
    if (row.estado === 'pendiente_pago' && summary.precio_total_cents < row.pagado_cents)
      throw invalid('lineas', `Ya se han pagado ${inEuros(row.pagado_cents)}: el total no puede ser menos`);
    if (row.contra_reembolso && overCash(summary.precio_total_cents)) throw invalid('lineas', EFECTIVO_LIMITE);
    if (isDeepStrictEqual([lines, amountsOf(row)], [before, amountsOf(summary)])) return { row, lines };
    await tx.deleteFrom('pedidos_lineas').where('pedido_id', '=', id).execute();
    await tx.insertInto('pedidos_lineas').values(rowsOf(id, lines)).execute();
    // The note has no price, because people without access to prices read the history. Forms resend the shipping that they loaded; only a
    // changed amount counts as set by hand.
    const fixed = summary.envio_cents !== row.envio_cents && { envio_fijado: true };
    const updated = await change(
      tx,
      actor,
      row,
      { ...summary, ...fixed },
      { accion: 'Líneas cambiadas', action: 'update', nota: wordsOf(lines) },
    );
    // The cash paid so far was legal; a sale that grows beyond the limit is not.
    if (updated.precio_total_cents > row.precio_total_cents) await refuseCashSale(tx, [id], () => 'lineas');
    await sql`SELECT busca_lineas(${id})`.execute(tx);
    await notifyRefundsDue(tx, [{ before: row, after: updated }]);
    const settled = await releaseIfPaid(tx, updated);
    await adjustStock(tx, actor, id, [before, lines], { motivo: (unidades) => (unidades < 0 ? 'pedido' : 'devolucion') });
    return { row: settled, lines };
  });

const NOTE = 1000;
const wordsOf = (lines: readonly Line[]) =>
  lines
    .map(({ cantidad, producto }) => `${cantidad} × ${producto}`)
    .join('; ')
    .slice(0, NOTE);

const amountsOf = ({ envio_cents, descuento_cents }: Amounts): Amounts => ({ envio_cents, descuento_cents });

/** Message after changed lines: the new total and, for a partly paid or overpaid order, the difference. */
export function moneyAfter({ pagado_cents, precio_total_cents, pendiente_cents }: PedidoRow): string {
  const done = `Pedido actualizado: el total es ${inEuros(precio_total_cents)}`;
  if (pagado_cents === 0 || pagado_cents === precio_total_cents) return done;
  const what = pendiente_cents ? `faltan ${inEuros(pendiente_cents)}` : `sobran ${inEuros(pagado_cents - precio_total_cents)}`;
  return `${done}; pagados ${inEuros(pagado_cents)}, ${what}`;
}
