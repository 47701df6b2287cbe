import { expect, it } from 'vitest';
import { matchColumns } from './columns.ts';
import { quantityAsked } from './questions.ts';

const asked = (titles: string[], cells: string[][], noCantidad: number[] = []) =>
  quantityAsked({
    titles,
    columns: matchColumns(titles),
    rows: cells.map((cells, i) => ({ id: `${i}`, n: i, cells, typed: {} })),
    noCantidad,
  });
const under = (title: string, ...values: string[]) =>
  asked(
    ['Cliente', title],
    values.map((value) => ['Ana', value]),
  );

it.each([
  ['Cajas', ['2', '1', '3']],
  ['Total uds', ['2', '', '3']],
  ['', ['2', '2', '4']],
])('a column «%s» with %j may be the quantity', (title, values) => {
  expect(under(title, ...values)).toBe(1);
});

it.each([
  // Row counters, quantities that are all 1, sparse or unlikely numbers, and amounts or codes.
  ['Fila', ['1', '2', '3']],
  ['Cajas', ['1', '1', '1']],
  ['Cajas', ['2', '', '', '']],
  ['Cajas', ['2', '100', '3']],
  ['Cajas', ['2', '1,5', '3']],
  ['Precio', ['12', '8', '20']],
  ['Total', ['12', '8', '20']],
  ['Cód.', ['12', '8', '20']],
])('a column «%s» with %j cannot be the quantity', (title, values) => {
  expect(under(title, ...values)).toBeUndefined();
});

it('the next column is proposed as the quantity after a refusal, unless the sheet has a quantity', () => {
  const titles = ['Cliente', 'Cajas', 'Bultos'];
  const cells = [
    ['Ana', '2', '3'],
    ['Eva', '2', '1'],
  ];
  expect([asked(titles, cells), asked(titles, cells, [1]), asked(titles, cells, [1, 2])]).toEqual([1, 2, undefined]);
  expect(
    asked(
      ['Cantidad', ...titles],
      cells.map((row) => ['1', ...row]),
    ),
  ).toBeUndefined();
});
