import { expect, it } from 'vitest';
import { MAX_FILAS, MAX_LINEAS } from './fields.ts';
import { FILTER_SCHEMAS, searchText } from './filters.schemas.ts';
import { importBody } from './import.schemas.ts';
import { lineasCambiadas, nuevasLineas, partes } from './lineas.schemas.ts';

const PACK = 'c0000000-0000-4000-8000-000000000000';
const times = <T>(count: number, of: T) => Array.from({ length: count }, () => of);
const isRead = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) => schema.safeParse(value).success;

const row = { cliente_nombre: 'Ana', cliente_direccion: 'Mar, 1', pack_id: PACK };
const withLines = (count: number) => ({ ...row, pack_id: undefined, lineas: times(count, { pack_id: PACK }) });
it.each([
  ['no row', [], false],
  ['a row', [row], true],
  ['as many rows as it may', times(MAX_FILAS, row), true],
  ['a row more', times(MAX_FILAS + 1, row), false],
  ['as many lines as it may', times(MAX_FILAS / MAX_LINEAS, withLines(MAX_LINEAS)), true],
  ['a line more', [...times(MAX_FILAS / MAX_LINEAS, withLines(MAX_LINEAS)), row], false],
  ['a line more, in a row of two', [...times(MAX_FILAS - 1, row), withLines(2)], false],
])('an import of %s is read: %s', (_, filas, expected) => expect(isRead(importBody, { filas })).toBe(expected));

it('a row of an import is of one pack unless it says how many', () => {
  expect(importBody.parse({ filas: [row] }).filas[0]).toMatchObject({ cantidad: 1 });
  expect(importBody.parse({ filas: [row] }).cobrar).toBe(false);
});

it.each([
  [0, false],
  [1, true],
  [MAX_LINEAS, true],
  [MAX_LINEAS + 1, false],
])('an order of %i lines is read: %s', (count, expected) =>
  expect([isRead(nuevasLineas, times(count, { pack_id: PACK })), isRead(lineasCambiadas, times(count, { pack_id: PACK }))]).toEqual([
    expected,
    expected,
  ]),
);

it('a line is of one unit unless it says how many', () =>
  expect(nuevasLineas.parse([{ pack_id: PACK }])[0]).toMatchObject({ cantidad: 1 }));

it.each([
  [0, false],
  [1, true],
  [MAX_LINEAS, true],
  [MAX_LINEAS + 1, false],
  [null, true],
])('a changed line of number %s is read: %s', (numero, expected) =>
  expect(isRead(lineasCambiadas, [{ pack_id: PACK, numero }])).toBe(expected),
);

const part = (numero: number, cantidad: number, motivo = 'rechazado') => ({ numero, cantidad, motivo });
it.each([
  [[part(1, 1)], true],
  [[part(1, 9999)], true],
  [[part(1, 0)], false],
  [[part(1, 10_000)], false],
  [[part(0, 1)], false],
  [[part(MAX_LINEAS, 1)], true],
  [[part(MAX_LINEAS + 1, 1)], false],
  [[part(1, 1), part(2, 1)], true],
  [[part(1, 1), part(1, 1, 'danado')], true],
  [[part(1, 1), part(1, 2)], false],
])('goods that stay behind, %j, are read: %s', (parts, expected) => expect(isRead(partes, parts)).toBe(expected));

it.each([
  ['x'.repeat(100), true],
  ['x'.repeat(101), false],
  ['a\0b', false],
  ['\ud800', false],
  ['Ana', true],
])('the search %j is read: %s', (text, expected) => expect(isRead(searchText, text)).toBe(expected));

it.each([
  ['x'.repeat(40), true],
  ['x'.repeat(41), false],
  ['a\0b', false],
  ['\ud800', false],
])('the order number %j is looked for: %s', (text, expected) => expect(isRead(FILTER_SCHEMAS.numero_orden, text)).toBe(expected));
