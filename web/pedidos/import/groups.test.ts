import { describe, expect, it } from 'vitest';
import { MAX_LINEAS } from '../../../contract/pedidos/fields.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { columnsOf } from '../../../test/web/sheet.ts';
import { createChecker, importFila } from './check.ts';
import { createGrouper, withoutRow, withTyped } from './groups.ts';
import type { Row } from './target.ts';

const PACKS = ['Tarro', 'Caja', 'Lata'].map((name) => ({ id: name, name, product_name: 'Miel', alias: '' }) as Pack);
const TITLES = ['Nº pedido', 'Cliente', 'Teléfono', 'Dirección', 'CP', 'Pack', 'Cantidad', 'Notas'];
const rowsOf = (...cells: string[][]) => cells.map((cells, i): Row => ({ id: `${i + 2}`, n: i + 2, cells, typed: {} }));
const ordersOf = (titles: string[], rows: readonly Row[], juntar = false) => {
  const reading = { columns: columnsOf(titles), words: {} };
  return createGrouper(reading, juntar)(rows).map(createChecker({ reading, packs: PACKS, chosen: {} }));
};
const numbers = (orders: ReturnType<typeof ordersOf>) => orders.map((order) => order.map(({ row }) => row.n));
const doubts = (orders: ReturnType<typeof ordersOf>) => orders.flat().flatMap(({ doubts }) => doubts.map(({ text }) => text));
const errors = (orders: ReturnType<typeof ordersOf>) => orders.flat().flatMap(({ errors }) => Object.values(errors));
const ANA = ['Ana Ruiz', '600112233', 'Calle Mayor 3', '28013'];
const EVA = ['Eva Gil', '611223344', 'Gran Vía 12', '46001'];
const NOBODY = ['', '', '', ''];

describe('rows of one order number', () => {
  it('rows with one order number are lines of one order, even if only one row names the customer', () => {
    const orders = ordersOf(
      TITLES,
      rowsOf(
        ['#1001', ...ANA, 'Tarro', '2', 'Sin prisa'],
        ['1002', ...EVA, 'Tarro', '1', ''],
        ['1001', ...NOBODY, 'Caja', '3', 'Llamar antes'],
        ['', ...EVA, 'Lata', '1', ''],
      ),
    );
    expect([numbers(orders), errors(orders), doubts(orders)]).toEqual([[[2, 4], [3], [5]], [], []]);
    expect(importFila(orders[0] ?? [])).toMatchObject({
      cliente_nombre: 'Ana Ruiz',
      cliente_codigo_postal: '28013',
      instrucciones: 'Sin prisa\nLlamar antes',
      lineas: [
        { pack_id: 'Tarro', cantidad: 2 },
        { pack_id: 'Caja', cantidad: 3 },
      ],
    });
    expect(importFila(orders[0] ?? [])).not.toHaveProperty('pack_id');
    expect(importFila(orders[1] ?? [])).toMatchObject({ pack_id: 'Tarro', cantidad: 1 });
  });
  it('rows with one order number but two recipients are two orders, with a warning', () => {
    const orders = ordersOf(
      TITLES,
      rowsOf(['7', ...ANA, 'Tarro', '1', ''], ['7', ...EVA, 'Caja', '1', ''], ['7', ...EVA, 'Lata', '1', '']),
    );
    expect(numbers(orders)).toEqual([[2], [3, 4]]);
    expect(doubts(orders)).toEqual(['Mismo nº de pedido que la fila 2, pero otro cliente o dirección: será otro pedido']);
  });
  it('contradictory rows and repeated packs of an order cause warnings', () => {
    const [name, , ...place] = ANA as [string, string, string, string];
    const orders = ordersOf(
      TITLES,
      rowsOf(
        ['7', ...ANA, 'Tarro', '1', ''],
        ['7', name, '699887766', ...place, 'Tarro', '1', ''],
        ['7', name, '+34 600 11 22 33', ...place, 'Caja', '1', ''],
      ),
    );
    expect(numbers(orders)).toEqual([[2, 3, 4]]);
    expect(doubts(orders)).toEqual(['Vale «600112233», como en el pedido de la fila 2', 'Mismo pack que la fila 2, en el mismo pedido']);
    expect(importFila(orders[0] ?? [])).toMatchObject({ cliente_telefono: '600112233' });
  });
  it('a row beyond the maximum number of lines is an error', () => {
    const many = Array.from({ length: MAX_LINEAS + 1 }, () => ['7', ...ANA, 'Tarro', '1', '']);
    expect(errors(ordersOf(TITLES, rowsOf(...many)))).toEqual(['Un pedido tiene como máximo 50 líneas']);
  });
  it('pack and quantity are checked in every row of an order, the customer only in the first', () => {
    const orders = ordersOf(
      TITLES,
      rowsOf(['7', '', '600112233', 'Calle Mayor 3', '', 'Tarro', '1', ''], ['7', ...NOBODY, 'Vinagre', 'varios', '']),
    );
    expect(orders.map((order) => order.map(({ errors }) => Object.keys(errors)))).toEqual([[['cliente_nombre'], ['cantidad', 'pack']]]);
  });
});

describe('rows of one customer', () => {
  const titles = ['Fecha', ...TITLES.slice(1)];
  const rows = rowsOf(
    ['3/11/2026', ...ANA, 'Tarro', '1', ''],
    ['3/11/2026', 'ANA RUIZ', '600 11 22 33', '', '', 'Caja', '1', ''],
    ['4/11/2026', ...ANA, 'Lata', '1', ''],
    ['3/11/2026', 'Ana Ruiz', '600112233', 'Otra calle 5', '28013', 'Lata', '1', ''],
    ['3/11/2026', 'Ana Ruiz', '', '', '', 'Lata', '1', ''],
  );
  it('rows of one customer are separate orders by default', () => {
    expect(numbers(ordersOf(titles, rows))).toEqual([[2], [3], [4], [5], [6]]);
  });
  it('rows of one customer are joined only with the same day and the same address or telephone', () => {
    expect(numbers(ordersOf(titles, rows, true))).toEqual([[2, 3], [4], [5], [6]]);
  });
});

describe('a correction', () => {
  const rows = rowsOf(['7', ...ANA, 'Tarro', '1', ''], ['7', ...ANA, 'Caja', '1', ''], ['8', ...EVA, 'Caja', '1', '']);
  const group = createGrouper({ columns: columnsOf(TITLES), words: {} });
  const typed = (target: 'cliente_nombre' | 'cantidad' | 'pedido', text: string) => withTyped(rows, group(rows), { id: '2', target, text });
  it('a corrected customer changes in all rows of an order, but a corrected quantity only in one', () => {
    expect(typed('cliente_nombre', 'Ana R.').map(({ typed }) => typed.cliente_nombre)).toEqual(['Ana R.', 'Ana R.', undefined]);
    expect(numbers(ordersOf(TITLES, typed('cliente_nombre', 'Ana R.')))).toEqual([[2, 3], [4]]);
    expect(typed('cantidad', '5').map(({ typed }) => typed.cantidad)).toEqual(['5', undefined, undefined]);
  });
  it('a corrected order number moves a row to another order', () => {
    expect(numbers(ordersOf(TITLES, typed('pedido', '9')))).toEqual([[2], [3], [4]]);
  });
  it('the customer of an order stays when the first row is removed', () => {
    const shop = rowsOf(['7', ...ANA, 'Tarro', '1', ''], ['7', ...NOBODY, 'Caja', '1', '']);
    const orders = ordersOf(TITLES, withoutRow(shop, group(shop), '2'));
    expect([numbers(orders), errors(orders)]).toEqual([[[3]], []]);
    expect(importFila(orders[0] ?? [])).toMatchObject({ cliente_nombre: 'Ana Ruiz', pack_id: 'Caja' });
    expect(withoutRow(shop, group(shop), '3')).toEqual(shop.slice(0, 1));
  });
});
