import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Pack } from '../../../contract/products/products.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { bare } from '../lineas/words.ts';
import { totalSaid } from './amounts.ts';
import { type CheckedOrder, checkerOf } from './check.ts';
import { startImport } from './draft.ts';
import { grouperOf } from './groups.ts';
import { unusedOf } from './left-out.ts';
import { unsaidPayments } from './payment.ts';
import { quantityAsked } from './questions.ts';
import { writtenIn } from './row.ts';
import { cellsOf, decode, sheetOf } from './sheet.ts';
import { spread } from './spread.ts';
import { REQUIRED_TARGETS } from './target.ts';

/* Sheets as shops and their programs export them, with real headings and invented people. */

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/import');
const FILES = readdirSync(FOLDER).filter((name) => /^\d/.test(name));
const EXPORTS = readFileSync(join(FOLDER, 'exports.txt'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)] as const);
const OFFICE: SessionUser = { id: 'p', role: 'superadmin', full_name: 'Ana', email: 'ana@ejemplo.es', pending: null };

const MONEY = ['envio', 'descuento', 'pago', 'pago_referencia'] as const;

/** Customer, money and lines of an order as text, with errors and warnings. */
function sentence(order: CheckedOrder): string {
  const values = order[0]?.values;
  if (!values) return '';
  const { cliente_nombre, cliente_telefono, cliente_direccion, cliente_direccion2, cliente_codigo_postal, cliente_ciudad } = values;
  const { cliente_provincia, cliente_pais, instrucciones, contra_reembolso } = values;
  const place = [cliente_direccion, cliente_direccion2, cliente_codigo_postal, cliente_ciudad, cliente_provincia, cliente_pais];
  const customer = [cliente_nombre, cliente_telefono, ...place, contra_reembolso && `reembolso: ${contra_reembolso}`, instrucciones];
  const total = totalSaid(values);
  const money = [...MONEY.map((name) => values[name] && `${name}: ${values[name]}`), total !== undefined && `total: ${total}`].filter(
    Boolean,
  );
  const remarks = (each: CheckedOrder[number]) => [...Object.values(each.errors), ...each.doubts.map(({ text }) => `(${text})`)];
  return [
    customer.filter(Boolean).join(' · ').replaceAll('\n', ' / '),
    ...(money.length ? [`  ${money.join(' · ')}`] : []),
    ...order.map((each) => [`  ${each.values.cantidad} × ${each.values.pack}`, ...remarks(each)].join(' ! ')),
  ].join('\n');
}

/** Summary of a sheet as text: columns, questions, orders, errors, warnings, and content that is not imported. */
function readingOf(name: string, text: string): string {
  const { titles, columns, rows, fuera = [] } = startImport(OFFICE, spread(sheetOf(cellsOf(text))), name);
  const cells = rows.map((row) => writtenIn(row, columns).pack).filter((cell) => cell && !/^\d|[x(]\d|\(\d|quantity:/.test(cell));
  const alike = new Map(['Miel 500', 'Aceite 5 l', ...cells].map((cell) => [bare(cell), cell]));
  const packs = [...alike.values()].map((id) => ({ id, name: id, product_name: '', alias: '' }) as Pack);
  const asked = quantityAsked({ titles, columns, rows });
  const ordersWith = (juntar: boolean) => grouperOf({ titles, columns, juntar })(rows);
  const customers = columns.includes('pedido') ? 0 : ordersWith(true).filter(({ rows }) => rows.length > 1).length;
  const orders = ordersWith(customers > 0).map(checkerOf({ columns, packs, chosen: {} }));
  const missing = REQUIRED_TARGETS.filter((target) => !columns.includes(target));
  const unused = unusedOf(titles, columns, rows);
  const unpaid = unsaidPayments(rows, columns).map(({ n }) => n);
  return [
    `# ${name}`,
    ...(titles ?? []).flatMap((title, at) => (columns[at] ? `${title} = ${columns[at]}` : [])),
    ...(missing.length ? [`¿${missing.join(', ')}?`] : []),
    ...(asked === undefined ? [] : [`¿La columna «${titles?.[asked] || asked + 1}» es la cantidad?`]),
    ...(customers ? [`¿Juntar ${customers}?`] : []),
    ...fuera.map(({ row, title, text, is }) => `fuera: fila ${row.n}, ${is ?? title} «${text}»`),
    ...(unpaid.length ? [`sin pago: filas ${unpaid.join(', ')}`] : []),
    ...(unused.length ? [`no se usan: ${unused.join(', ')}`] : []),
    `${orders.length} pedidos`,
    ...(missing.length ? [] : orders.map(sentence)),
  ].join('\n');
}

it('the twenty sample files are read as recorded', async () => {
  expect(FILES).toHaveLength(20);
  const read = FILES.map((name) => readingOf(name, decode(readFileSync(join(FOLDER, name)))));
  await expect(`${read.join('\n\n')}\n`).toMatchFileSnapshot(join(FOLDER, 'expected.txt'));
});

it('exports of shop programs and sheets made by hand are read as recorded', async () => {
  expect(EXPORTS.length).toBeGreaterThanOrEqual(30);
  const read = EXPORTS.map(([name, text]) => readingOf(name, text));
  await expect(`${read.join('\n\n')}\n`).toMatchFileSnapshot(join(FOLDER, 'exports.expected.txt'));
});
