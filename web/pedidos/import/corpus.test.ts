import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Pack } from '../../../contract/products/products.ts';
import { type CheckedOrder, checkerOf } from './check.ts';
import { matchColumns } from './columns.ts';
import { grouperOf } from './groups.ts';
import { quantityAsked } from './questions.ts';
import { writtenIn } from './row.ts';
import { cellsOf, decode, sheetOf } from './sheet.ts';
import { spread } from './spread.ts';
import { REQUIRED_TARGETS } from './target.ts';

/* Twenty sheets as shops and their programs write them, with invented people. */

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/import');
const FILES = readdirSync(FOLDER).filter((name) => !name.startsWith('expected'));

/** Summary of a sheet as text: columns, questions, orders, errors and doubts. */
function readingOf(name: string): string {
  const { titles, lines } = spread(sheetOf(cellsOf(decode(readFileSync(join(FOLDER, name))))));
  const columns = titles ? matchColumns(titles) : (lines[0]?.cells.map(() => '' as const) ?? []);
  const rows = lines.map((line, at) => ({ ...line, id: String(at), typed: {} }));
  const packs = [...new Set(rows.map((row) => writtenIn(row, columns).pack).filter(Boolean))].map((id) => ({ id, name: id }) as Pack);
  const given = packs.map((pack) => ({ ...pack, product_name: '', alias: '' }));
  const asked = quantityAsked({ titles, columns, rows });
  const ordersWith = (juntar: boolean) => grouperOf({ titles, columns, juntar })(rows);
  const customers = columns.includes('pedido') ? 0 : ordersWith(true).filter(({ rows }) => rows.length > 1).length;
  const orders = ordersWith(customers > 0).map(checkerOf({ columns, packs: given, chosen: {} }));
  const missing = REQUIRED_TARGETS.filter((target) => !columns.includes(target));
  const said = (each: CheckedOrder[number]) => [...Object.values(each.errors), ...each.doubts.map(({ text }) => `(${text})`)];
  const sentence = (order: CheckedOrder) => {
    const [first] = order;
    const { cliente_nombre, cliente_telefono, cliente_direccion, cliente_direccion2, cliente_codigo_postal, cliente_ciudad } =
      first?.values ?? {};
    const { cliente_provincia, cliente_pais, instrucciones, contra_reembolso } = first?.values ?? {};
    const place = [cliente_direccion, cliente_direccion2, cliente_codigo_postal, cliente_ciudad, cliente_provincia, cliente_pais];
    const customer = [cliente_nombre, cliente_telefono, ...place, contra_reembolso && `reembolso: ${contra_reembolso}`, instrucciones];
    return [
      customer.filter(Boolean).join(' · ').replaceAll('\n', ' / '),
      ...order.map((each) => [`  ${each.values.cantidad} × ${each.values.pack}`, ...said(each)].join(' ! ')),
    ].join('\n');
  };
  return [
    `# ${name}`,
    ...(titles ?? []).flatMap((title, at) => (columns[at] ? `${title} = ${columns[at]}` : [])),
    ...(missing.length ? [`¿${missing.join(', ')}?`] : []),
    ...(asked === undefined ? [] : [`¿La columna «${titles?.[asked] || asked + 1}» es la cantidad?`]),
    ...(customers ? [`¿Juntar ${customers}?`] : []),
    `${orders.length} pedidos`,
    ...(missing.length ? [] : orders.map(sentence)),
  ].join('\n');
}

it('reads each of twenty sheets', async () => {
  expect(FILES).toHaveLength(20);
  await expect(`${FILES.map(readingOf).join('\n\n')}\n`).toMatchFileSnapshot(join(FOLDER, 'expected.txt'));
});
