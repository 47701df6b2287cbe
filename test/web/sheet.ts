import type { Provinces } from '../../contract/doubts/towns.ts';
import type { Pack } from '../../contract/products/products.ts';
import type { SessionUser } from '../../contract/session/session.ts';
import { createChecker, importFila } from '../../web/pedidos/import/check.ts';
import { startImport } from '../../web/pedidos/import/draft.ts';
import { createGrouper } from '../../web/pedidos/import/groups.ts';
import { ordersIn, readSheet } from '../../web/pedidos/import/read-orders.ts';
import { isColumnFor } from '../../web/pedidos/import/target.ts';
import { countTargets } from '../../web/sheets/headings.ts';
import { type Answers, NO_ANSWERS, readColumns } from '../../web/sheets/reading.ts';
import { type Table, tableOfTexts } from '../../web/sheets/table.ts';
import { splitCells } from '../../web/sheets/text-file.ts';

/* Reads sheets of orders as the screen does, without the screen. */

export const OFFICE: SessionUser = { id: 'p', role: 'superadmin', full_name: 'Ana', email: 'ana@ejemplo.es', pending: null };

export const columnsOf = (titles: readonly string[], actor = OFFICE) =>
  readColumns('pedidos', titles, [], NO_ANSWERS, isColumnFor(actor)).columns;

const known = (row: readonly string[]) => countTargets('pedidos', row);
export const tableOfText = (text: string): Table => tableOfTexts(splitCells(text, known), known);

/** Orders of a sheet, with what is asked, what is out, and the bodies that would be sent. */
export function readOrders(
  table: Table | string,
  {
    answers = NO_ANSWERS,
    packs = [] as readonly Pack[],
    actor = OFFICE,
    provinces = new Map() as Provinces,
  }: { answers?: Answers; packs?: readonly Pack[]; actor?: SessionUser; provinces?: Provinces } = {},
) {
  const state = startImport(typeof table === 'string' ? tableOfText(table) : table, '', answers);
  const sheet = readSheet(actor, state);
  const { kept, out, unsure } = ordersIn(sheet, state);
  const orders = createGrouper(
    sheet.reading,
    answers.joined,
  )(kept).map(createChecker({ reading: sheet.reading, packs, chosen: answers.packs, provinces }));
  const lines = orders.flat();
  return {
    state,
    sheet,
    out,
    unsure,
    orders,
    errors: lines.flatMap((line) => Object.values(line.errors)),
    doubts: lines.flatMap((line) => line.doubts.map(({ text }) => text)),
    /** Words to ask about. */
    asked: sheet.words.filter(({ meaning }) => meaning === undefined).map(({ text }) => text),
    filas: orders.filter((order) => order.every((line) => Object.keys(line.errors).length === 0)).map(importFila),
  };
}
