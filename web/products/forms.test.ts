import { schemaResolver } from '@mantine/form';
import { describe, expect, test } from 'vitest';
import * as schemas from '../../contract/products/schemas.ts';
import {
  createPackBody,
  createProductBody,
  firstPackBody,
  lacksToSell,
  packProblems,
  packValues,
  productProblems,
  productValues,
  updateProductBody,
} from './product-form.ts';

const id = '0b8a4b1e-3c1f-4a53-8a1a-9f4d5c6e7a10';

describe('a product', () => {
  const oil = { ...productValues(), name: 'Aceite' };
  test('a new product starts inactive with nothing in stock', () => {
    expect(productValues()).toEqual({
      name: '',
      description: '',
      iva: '',
      stock: '0',
      min_stock: '0',
      is_active: false,
      price: '',
      pack_name: 'Unidad',
      pack_quantity: '1',
    });
  });
  test('an empty number of a product counts as 0', () => {
    expect(productProblems({ ...oil, stock: '', min_stock: '' })).toEqual({});
    expect(createProductBody({ ...oil, stock: '', min_stock: '' })).toMatchObject({ stock: 0, min_stock: 0 });
  });
  test('a new product with a price gets a pack, of one unit unless told otherwise, whose alias is the name of the product', () => {
    expect(firstPackBody({ id, name: 'Aceite' }, { ...oil, price: ' ' })).toBeUndefined();
    expect(firstPackBody({ id, name: 'Aceite' }, { ...oil, price: '12,5', pack_name: 'Caja', pack_quantity: '6' })).toMatchObject({
      name: 'Caja',
      pack_quantity: 6,
    });
    expect(firstPackBody({ id, name: 'Aceite' }, { ...oil, price: '12,5', pack_name: ' ' })).toEqual({
      product_id: id,
      name: 'Unidad',
      alias: 'Aceite',
      pack_quantity: 1,
      pack_price: 12.5,
      is_active: true,
    });
    for (const own of ['price', 'pack_name', 'pack_quantity']) expect(createProductBody({ ...oil, price: '12,5' })).not.toHaveProperty(own);
  });
  test.each([
    [{ is_active: false, packs_activos: 1, stock: 5 }, 'está inactivo'],
    [{ is_active: true, packs_activos: 0, stock: 5 }, 'no tiene ningún pack'],
    [{ is_active: true, packs_activos: 1, stock: 0 }, 'no quedan existencias'],
    [{ is_active: true, packs_activos: 1, stock: 5 }, undefined],
  ])('a product %o lacks to be sold: %s', (product, lacks) => {
    expect(lacksToSell(product)).toBe(lacks);
  });
  test.each([
    ['price', 'gratis', 'Cantidad o precio inválidos'],
    ['name', '   ', 'El nombre es obligatorio'],
    ['stock', '-1', 'Stock inicial inválido'],
    ['stock', '2,5', 'Stock inicial inválido'],
    ['stock', 'muchas', 'Stock inicial inválido'],
    ['min_stock', '-1', 'Stock mínimo inválido'],
    ['min_stock', 'x', 'Stock mínimo inválido'],
  ])('a product with %s «%s» is refused: %s', (field, typed, sentence) => {
    expect(productProblems({ ...oil, [field]: typed })).toEqual({ [field]: sentence });
  });
  test('a changed product is sent with the stock and version that the form started from', () => {
    expect(updateProductBody({ ...oil, stock: '12' }, { stock: 10, version: 3 })).toMatchObject({
      stock: 12,
      stock_visto: 10,
      is_active: false,
      version: 3,
    });
  });
});

describe('a pack', () => {
  const box = { ...packValues(), product_id: id, name: 'Caja', alias: 'CJ' };
  test('a new pack starts active, with one unit and price 0', () => {
    expect(packValues()).toMatchObject({ product_id: null, pack_quantity: '1', pack_price: '0,00', is_active: true });
    expect(packProblems(box)).toEqual({});
  });
  test('the price of a pack accepts a decimal comma', () => {
    expect(createPackBody({ ...box, pack_price: '1.234,5' })).toMatchObject({ pack_price: 1234.5 });
  });
  test.each([
    ['product_id', null, 'Producto y nombre son obligatorios'],
    ['name', ' ', 'Producto y nombre son obligatorios'],
    ['alias', '', 'Alias es obligatorio'],
    ['pack_quantity', '0', 'Cantidad o precio inválidos'],
    ['pack_quantity', '', 'Cantidad o precio inválidos'],
    ['pack_quantity', '1,5', 'Cantidad o precio inválidos'],
    ['pack_price', '-0,01', 'Cantidad o precio inválidos'],
    ['pack_price', 'gratis', 'Cantidad o precio inválidos'],
    ['pack_price', '1,999', 'Como máximo dos decimales'],
  ])('a pack with %s «%s» is refused: %s', (field, typed, sentence) => {
    expect(packProblems({ ...box, [field]: typed })).toEqual({ [field]: sentence });
  });
});

const NUMBERS = ['', '0', '1', '-1', '2,5', '0,01', '0,005', '100.000', '100001', '1.000.000', '1000001', '1000000,01', 'x'];

test.each(NUMBERS)('the forms of products and packs agree with the server on the number «%s»', (typed) => {
  const product = { ...productValues(), name: 'Aceite', stock: typed, min_stock: typed };
  const refused = schemaResolver(schemas.createProduct.body, { sync: true })(createProductBody(product));
  expect(Object.keys(productProblems(product))).toEqual(Object.keys(refused));

  const pack = { ...packValues(), product_id: id, name: 'Caja', alias: 'CJ', pack_quantity: typed, pack_price: typed };
  const refusedPack = schemaResolver(schemas.createPack.body, { sync: true })(createPackBody(pack));
  expect(Object.keys(packProblems(pack))).toEqual(Object.keys(refusedPack));
});
