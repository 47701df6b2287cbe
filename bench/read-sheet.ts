import type { Pack } from '../contract/products/products.ts';
import type { SessionUser } from '../contract/session/session.ts';
import { createChecker, importFila } from '../web/pedidos/import/check.ts';
import { startImport } from '../web/pedidos/import/draft.ts';
import { createGrouper } from '../web/pedidos/import/groups.ts';
import { ordersIn, readSheet } from '../web/pedidos/import/read-orders.ts';
import { countTargets } from '../web/sheets/headings.ts';
import { NO_ANSWERS } from '../web/sheets/reading.ts';
import { tableOfTexts } from '../web/sheets/table.ts';
import { splitCells } from '../web/sheets/text-file.ts';

/* Reads a sheet of two thousand rows as the browser does, from its text to the bodies of the request (sheet.ts runs it). */

const ROWS = 2_000;
const OFFICE: SessionUser = { id: 'p', role: 'superadmin', full_name: 'Ana', email: 'ana@ejemplo.es', pending: null };
const packs = Array.from(
  { length: 40 },
  (_, i) => ({ id: `p${i}`, name: `Tarro ${i}`, product_name: `Miel ${i}`, alias: `MIEL${i}` }) as Pack,
);
const HEADINGS =
  'Pedido;Nombre;Teléfono;Dirección;Código postal;Ciudad;Provincia;País;Producto;Cantidad;Forma de pago;Estado del pago;Envío;Notas';
const rowOf = (i: number) =>
  [
    ...[`W${10_000 + i}`, `Cliente ${i} Pérez`, `6${String(10_000_000 + i * 37).slice(0, 8)}`, `Calle Mayor ${i}, 3º B`],
    ...[String(28_001 + (i % 50)), 'Madrid', 'Madrid', 'España', `MIEL${i % 40}`, String(1 + (i % 5))],
    ...[i % 3 ? 'Tarjeta' : 'Contra reembolso', i % 3 ? 'Pagado' : 'Pendiente', '4,95', i % 7 ? '' : 'Llamar antes'],
  ].join(';');
const text = [HEADINGS, ...Array.from({ length: ROWS }, (_, i) => rowOf(i))].join('\n');

function readOnce(): { orders: number; ms: Record<string, number> } {
  const ms: Record<string, number> = {};
  const timed = <T>(name: string, work: () => T): T => {
    const since = performance.now();
    const done = work();
    ms[name] = Math.round(performance.now() - since);
    return done;
  };
  const known = (row: readonly string[]) => countTargets('pedidos', row);
  const state = timed('reading', () => startImport(tableOfTexts(splitCells(text, known), known), 'pedidos.csv', NO_ANSWERS));
  const sheet = timed('questions', () => readSheet(OFFICE, state));
  const { kept } = timed('left out', () => ordersIn(sheet, state));
  const orders = timed('checking', () =>
    createGrouper(sheet.reading)(kept).map(createChecker({ reading: sheet.reading, packs, chosen: {} })),
  );
  timed('bodies', () => orders.filter((order) => order.every(({ errors }) => Object.keys(errors).length === 0)).map(importFila));
  return { orders: orders.length, ms };
}

for (let round = 1; round <= 4; round += 1) {
  const since = performance.now();
  const { orders, ms } = readOnce();
  console.log(`round ${round}: ${orders} orders in ${Math.round(performance.now() - since)} ms`, ms);
}
