import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { writes } from '../../contract/pedidos.access.ts';
import { lineasRefusal } from '../../contract/pedidos.flow.ts';
import type { SetLineas } from '../../contract/pedidos.ts';
import type { Actor } from '../../contract/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { conflict, forbidden, invalid } from '../kit/errors.ts';
import { inEuros, toCents } from '../kit/money.ts';
import { refuseStale } from '../kit/version.ts';
import { change } from './history.ts';
import { type Amounts, type Line, moveUnits, packsOf, priceLines, readLines, rowsOf, summaryOf } from './lineas.ts';
import { lockPedido, type PedidoRow } from './row.ts';

/**
 * Replaces the lines of an order that nobody has taken, and for a superadmin its shipping and discount. Lines it has keep
 * their price for at most their quantity; the rest costs what its pack does today. The stock moves by the difference, all or
 * nothing. Throws 409 for a stale version, an order past that, or a reseller's with an agreed discount; 422 when a product
 * does not suffice.
 */
export async function editLineas(db: Db, actor: Actor, id: string, input: SetLineas): Promise<{ row: PedidoRow; lines: Line[] }> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, input.version, 'este pedido');
    const refusal = lineasRefusal(actor, row);
    if (refusal) throw conflict(refusal, 'estado');
    const free = writes(actor, 'precio_unitario');
    if ((['envio', 'descuento'] as const).some((name) => input[name] != null && !writes(actor, name))) throw forbidden();
    const before = await readLines(tx, id);
    // Of the lines it has too: more of one than was agreed costs what its pack does today.
    const packs = await packsOf(tx, [...input.lineas, ...before], row.revendedor_id);
    const lines = priceLines(input.lineas, { packs, free, known: before });
    const summary = summaryOf(lines, {
      envio_cents: input.envio == null ? row.envio_cents : toCents(input.envio),
      descuento_cents: input.descuento == null ? row.descuento_cents : toCents(input.descuento),
    });
    if (row.estado === 'pendiente_pago' && summary.precio_total_cents < row.pagado_cents)
      throw invalid('lineas', `Ya se han pagado ${inEuros(row.pagado_cents)}: el total no puede ser menos`);
    if (isDeepStrictEqual([lines, amountsOf(row)], [before, amountsOf(summary)])) return { row, lines };
    await tx.deleteFrom('pedidos_lineas').where('pedido_id', '=', id).execute();
    await tx.insertInto('pedidos_lineas').values(rowsOf(id, lines)).execute();
    // Never a price: the history is shown to whoever may see the order.
    // A form sends the shipping that it was filled with: only another one is somebody's own.
    const fixed = summary.envio_cents !== row.envio_cents && { envio_fijado: true };
    const updated = await change(
      tx,
      actor,
      row,
      { ...summary, ...fixed },
      { accion: 'Líneas cambiadas', action: 'update', nota: wordsOf(lines) },
    );
    await sql`SELECT busca_lineas(${id})`.execute(tx);
    await moveUnits(tx, actor, id, [before, lines], { motivo: (unidades) => (unidades < 0 ? 'pedido' : 'devolucion') });
    return { row: updated, lines };
  });
}

const NOTE = 1000;
const wordsOf = (lines: readonly Line[]) =>
  lines
    .map(({ cantidad, producto }) => `${cantidad} × ${producto}`)
    .join('; ')
    .slice(0, NOTE);

const amountsOf = ({ envio_cents, descuento_cents }: Amounts): Amounts => ({ envio_cents, descuento_cents });

/** What to tell of an order whose lines have changed: how much is now due, or has been paid too much. */
export function moneyAfter({ pagado_cents, precio_total_cents, pendiente_cents }: PedidoRow): string {
  const done = `Pedido actualizado: el total es ${inEuros(precio_total_cents)}`;
  if (pagado_cents === 0 || pagado_cents === precio_total_cents) return done;
  const what = pendiente_cents ? `faltan ${inEuros(pendiente_cents)}` : `sobran ${inEuros(pagado_cents - precio_total_cents)}`;
  return `${done}; pagados ${inEuros(pagado_cents)}, ${what}`;
}
