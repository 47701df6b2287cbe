import { expect, it } from 'vitest';
import { spread } from './spread.ts';

const lines = (...cells: string[][]) => cells.map((cells, i) => ({ n: i + 2, cells }));

it('numbered product columns become rows with one order number', () => {
  const titles = ['Cliente', 'Producto 1', 'Cantidad 1', 'Producto 2', 'Cantidad 2'];
  expect(spread({ titles, lines: lines(['Ana', 'Tarro', '2', 'Caja', '3'], ['Eva', 'Caja', '1', '', '']) })).toEqual({
    titles: ['Cliente', 'producto', 'cantidad', 'Nº de pedido'],
    lines: [
      { n: 2, cells: ['Ana', 'Tarro', '2', 'Fila 2'] },
      { n: 2, cells: ['Ana', 'Caja', '3', 'Fila 2'] },
      { n: 3, cells: ['Eva', 'Caja', '1', 'Fila 3'] },
    ],
  });
});

it('an order number in the sheet is kept', () => {
  const titles = ['Order Number', 'Item #1 Name', 'Item #1 Quantity', 'Item #2 Name', 'Item #2 Quantity'];
  expect(spread({ titles, lines: lines(['77', 'Tarro', '2', 'Caja', '3']) })).toEqual({
    titles: ['Order Number', 'item name', 'item quantity'],
    lines: [
      { n: 2, cells: ['77', 'Tarro', '2'] },
      { n: 2, cells: ['77', 'Caja', '3'] },
    ],
  });
});

it('no order number is added if each order has one product', () => {
  expect(spread({ titles: ['Cliente', 'Producto 1', 'Cantidad 1'], lines: lines(['Ana', 'Tarro', '2']) })).toEqual({
    titles: ['Cliente', 'producto', 'cantidad'],
    lines: lines(['Ana', 'Tarro', '2']),
  });
});

it.each([
  [['Cliente', 'Producto', 'Cantidad']],
  [['Cliente', 'Dirección 1', 'Dirección 2', 'Teléfono 1', 'Producto']],
  [['Cliente', 'Producto', 'Cantidad 1', 'Cantidad 2']],
])('a sheet with the headings %j stays unchanged', (titles) => {
  const sheet = { titles, lines: lines(titles.map(() => '1')) };
  expect(spread(sheet)).toBe(sheet);
});
