import { sql } from 'kysely';
import { CAMINO, DESTINO_DE, PARCIAL, type Parte, palabrasParte, partesRefusal } from '../../../contract/devoluciones/fields.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { adjustToReturns } from '../../ganancias/ledger.ts';
import { invalid } from '../../kit/errors.ts';
import { notify } from '../../notifications/notify.ts';
import { readSettings } from '../../settings/settings.ts';
import type { PedidoRow } from '../lectura/row.ts';
import { insertReturn, type Returned } from '../lineas/devuelto.ts';
import { adjustStock, readLines, unitsFor } from '../lineas/lineas.ts';

/** Undelivered goods, booked as a return (decision 074). */
export type Parts = { lines: readonly Returned[]; cantidad: number; unidades: number; cents: number; nota: string };

/** Books undelivered goods as a return; undefined if complete. Throws 422 if the setting is off, or for more goods than ordered, or all. */
export async function leaveOut(tx: Tx, actor: Actor, row: PedidoRow, partes: readonly Parte[] | undefined): Promise<Parts | undefined> {
  if (!partes?.length) return undefined;
  if (!(await readSettings(tx)).partialDeliveries)
    throw invalid('no_entregado', 'Las entregas parciales no están activadas en Configuración');
  const ordered = await readLines(tx, row.id);
  const refusal = partesRefusal(ordered, partes);
  if (refusal) throw invalid('no_entregado', refusal);
  const lines = partes.flatMap(({ numero, cantidad, motivo }): Returned[] => {
    const line = ordered.find((line) => line.numero === numero);
    if (!line) return [];
    const wanted = line.unidades > 0 ? DESTINO_DE[motivo] : 'baja';
    // The goods stay in the van until the office receives them.
    const destino = wanted === 'stock' && row.transportista_id ? CAMINO : wanted;
    const unidades = destino === 'stock' ? unitsFor(line, cantidad) : 0;
    return [{ numero, destino, producto: line.producto, product_id: line.product_id, cantidad, unidades, motivo }];
  });
  const nota = lines
    .map(({ cantidad, producto }, i) => palabrasParte({ cantidad, producto, motivo: partes[i]?.motivo ?? 'falta' }))
    .join('; ');
  const words = `No entregado: ${nota}`.slice(0, 1000);
  await insertReturn(tx, actor, row.id, { motivo: PARCIAL }, lines);
  const sum = (of: (line: Returned) => number) => lines.reduce((all, line) => all + of(line), 0);
  const cantidad = sum((line) => line.cantidad);
  const { rows } = await sql<{ cents: number }>`SELECT valor_devuelto(${row.id}, ${cantidad}::int) AS cents`.execute(tx);
  return { lines, cantidad, unidades: sum((line) => line.unidades), cents: rows[0]?.cents ?? 0, nota: words };
}

/** Returns the columns that a delivery in parts sets on its completed order. */
export const partsSet = (row: PedidoRow, { lines, cantidad, unidades, cents }: Parts) => ({
  entrega_parcial: true,
  cantidad_devuelta: cantidad,
  devuelto_cents: cents,
  unidades_retenidas: row.unidades_retenidas - unidades,
  ...(lines.some(({ destino }) => destino === CAMINO) && { mercancia_at: new Date().toISOString() }),
});

/** Adjusts earnings, notices and stock after a delivery in parts. Moves the stock last, because that blocks other orders of the same products. */
export async function settleParts(tx: Tx, actor: Actor, row: PedidoRow, { lines, nota }: Parts): Promise<void> {
  await adjustToReturns(tx, row.id);
  const { id: pedido_id, numero_orden, cliente_nombre, revendedor_id } = row;
  const owes = row.por_reembolsar_cents > 0;
  const texto = `Entrega parcial del pedido ${numero_orden} (${cliente_nombre})`;
  const options = { except: actor.id, pedido_id, mail: true };
  await notify(
    tx,
    {
      ...options,
      tipo: owes ? 'devolucion_pendiente' : 'devolucion',
      texto: `${owes ? 'Reembolso pendiente. ' : ''}${texto}. ${nota}`.slice(0, 300),
      roles: ['superadmin'],
      enlace: `/pedidos/${pedido_id}`,
      // Includes the author: owed money is a pending task.
      ...(owes && { except: null }),
    },
    {
      ...options,
      tipo: 'devolucion',
      texto: `${texto}. ${nota}`.slice(0, 300),
      users: [revendedor_id],
      enlace: `/mis-pedidos?search=${encodeURIComponent(numero_orden)}`,
    },
  );
  await adjustStock(tx, actor, row.id, [lines, []], { motivo: 'retorno' });
}
