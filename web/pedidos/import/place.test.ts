import { expect, test } from 'vitest';
import { loadProvinces } from '../cliente/poblaciones.ts';
import { placeIn, postcodePrefixes } from './place.ts';
import { TARGETS, type Values } from './target.ts';

const EMPTY = Object.fromEntries(TARGETS.map((target) => [target, ''])) as Values;
const provinces = await loadProvinces(['07', '35', '38', '51', '52']);
const read = (values: Partial<Values>) => placeIn({ ...EMPTY, ...values }, provinces);
const place = (direccion: string, cp: string, ciudad?: string) => ({
  cliente_direccion: direccion,
  cliente_codigo_postal: cp,
  ...(ciudad && { cliente_ciudad: ciudad }),
});

test.each([
  ['C/ Triana 5, 3º B, 35002 Las Palmas de Gran Canaria', place('C/ Triana 5, 3º B', '35002', 'Las Palmas de Gran Canaria')],
  ['Calle Mayor 8, 28013 Madrid', place('Calle Mayor 8', '28013', 'Madrid')],
  ['Calle Mayor 8 - 28013 - Madrid (Madrid), España', place('Calle Mayor 8', '28013', 'Madrid')],
  ['Av. del Mar 3, C.P. 07001 Palma, Illes Balears', place('Av. del Mar 3', '07001', 'Palma')],
  ['Calle Mayor 8, Madrid 28013', place('Calle Mayor 8', '28013', 'Madrid')],
  ['Plaza Nueva 1 bajo 41001', place('Plaza Nueva 1 bajo', '41001')],
  ['Rúa Nova 4, 15003 A Coruña, 2º dcha', place('Rúa Nova 4, 2º dcha', '15003', 'A Coruña')],
])('postcode and town of «%s» are found', (cliente_direccion, found) => {
  expect(read({ cliente_direccion })).toMatchObject(found);
});

test.each([
  ['Ctra. N-340 km 12345'],
  ['28013 Calle Mayor 3'],
  ['Apartado 28013'],
  ['Calle 5, 28013 o 28014'],
  ['Calle Mayor 3, tel 60011 22 33'],
  ['Polígono 35, parcela 12001'],
  ['Calle Sevilla 3'],
])('no postcode is read from «%s»', (cliente_direccion) => {
  expect(read({ cliente_direccion })).toEqual({});
});

test.each([
  [
    { cliente_direccion: 'Calle 1', cliente_ciudad: '35500 Arrecife' },
    { cliente_codigo_postal: '35500', cliente_ciudad: 'Arrecife' },
  ],
  [
    { cliente_direccion: 'Calle 1', cliente_ciudad: 'Palma (07001)' },
    { cliente_codigo_postal: '07001', cliente_ciudad: 'Palma' },
  ],
  // Without a postcode the town alone tells the zone.
  [{ cliente_direccion: 'Calle 1', cliente_ciudad: 'Arrecife' }, { cliente_provincia: 'Las Palmas' }],
  [
    { cliente_direccion: 'Calle Mayor 1, Ceuta, España' },
    { cliente_direccion: 'Calle Mayor 1', cliente_ciudad: 'Ceuta', cliente_provincia: 'Ceuta' },
  ],
  [{ cliente_direccion: 'Calle 1', cliente_ciudad: 'Getafe' }, {}],
  [{ cliente_direccion: 'Calle 1, 28013 Madrid', cliente_codigo_postal: '28014' }, {}],
  [{ cliente_direccion: 'Rue 1, 35000 Rennes', cliente_pais: 'Francia' }, {}],
])('place of %j', (values, found) => {
  expect(read(values)).toEqual(found);
});

test('the provinces to load are those of the postcodes, and the islands for a row without any', () => {
  const row = (id: string, cells: string[]) => ({ id, n: 1, cells, typed: {} });
  const prefixesIn = postcodePrefixes({ columns: ['cliente_direccion', 'cliente_codigo_postal'], words: {} });
  expect(prefixesIn([row('0', ['Calle 1', '8001']), row('1', ['Calle 2, 28013 Madrid', ''])])).toEqual(['08', '28']);
  expect(prefixesIn([row('0', ['Calle 1', ''])])).toEqual(['07', '35', '38', '51', '52']);
});
