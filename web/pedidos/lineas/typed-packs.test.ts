import { expect, test } from 'vitest';
import { aPack } from '../../../test/web/samples.ts';
import { readTyped } from './typed-packs.ts';

const pack = (product_name: string, name: string, pack_quantity: number, alias = '') =>
  aPack({ product_name, name, pack_quantity, alias, available: true });
const [can, six, twelve, jar] = [
  pack('Aceite', 'Lata', 1),
  pack('Aceite', 'Caja', 6, 'C6'),
  pack('Aceite', 'Caja grande', 12),
  pack('Miel', 'Tarro', 1),
];
const packs = [can, six, twelve, jar];
const read = (text: string) => [...(readTyped(text, packs)?.choices.values() ?? [])];

test('a quantity with words of a product, a size or an alias matches one pack', () => {
  expect(read('2 aceite 6')).toEqual([[{ pack_id: six.id, cantidad: '2' }]]);
  expect(read('3 cajas de aceite de 12')).toEqual([[{ pack_id: twelve.id, cantidad: '3' }]]);
  expect(read('4 miel')).toEqual([[{ pack_id: jar.id, cantidad: '4' }]]);
  expect(read('5 c6')).toEqual([[{ pack_id: six.id, cantidad: '5' }]]);
});

test('several packs in one text become a line each', () => {
  expect(read('2 aceite 6, 1 miel')).toEqual([
    [
      { pack_id: six.id, cantidad: '2' },
      { pack_id: jar.id, cantidad: '1' },
    ],
  ]);
});

test('words that match several packs offer each of them with the quantity', () => {
  expect(read('2 aceite')).toEqual([can, six, twelve].map(({ id }) => [{ pack_id: id, cantidad: '2' }]));
});

test('a text without a quantity or a known product is not an order', () => {
  for (const text of ['aceite', 'aceite 6', 'caja', '', 'leche', '2 leche']) expect(read(text)).toEqual([]);
});
