import { describe, expect, test } from 'vitest';
import { storedPlace } from '../../../contract/text/country.ts';
import { EMPTY_CLIENTE } from './cliente-values.ts';
import { loadProvinces } from './poblaciones.ts';
import { doubtsOf, isSameCliente, phoneWarning, postcodeWarning, townWarning } from './warnings.ts';

const cliente = (fields: Partial<typeof EMPTY_CLIENTE>) => ({ ...EMPTY_CLIENTE, ...fields });

describe('postcode and province', () => {
  test.each([
    ['28013', 'Madrid', 'España'],
    ['28013', 'Comunidad de Madrid', 'España'],
    ['03001', 'Alicante/Alacant', 'España'],
    ['48001', 'Vizcaya', 'España'],
    ['15001', 'La Coruña', 'España'],
    ['07001', 'illes balears', ''],
    ['35001', 'Gran Canaria', 'España'],
    // Missing or incomplete data, spaces in the postcode, foreign countries.
    ['28013', '', 'España'],
    ['', 'Madrid', 'España'],
    ['280', 'Toledo', 'España'],
    ['ES-280', 'Toledo', 'España'],
    ['28 013', 'Madrid', 'España'],
    ['28 013', 'Toledo', 'Francia'],
    ['75008', 'París', 'Francia'],
  ])('postcode %s in «%s», «%s» causes no warning', (cliente_codigo_postal, cliente_provincia, cliente_pais) => {
    expect(postcodeWarning(cliente({ cliente_codigo_postal, cliente_provincia, cliente_pais }))).toBeUndefined();
  });

  test.each(['28013', '28 013', '280 13', '28.013', 'ES-28013', 'E-28013'])(
    'a province that does not match postcode %s causes a warning',
    (postcode) => {
      expect(postcodeWarning(cliente({ cliente_codigo_postal: postcode, cliente_provincia: 'Toledo' }))).toBe(
        `El código postal ${postcode} es de Madrid, no de Toledo.`,
      );
    },
  );

  test('a province is matched by whole words: «Leonardo» is not «León»', () => {
    expect(postcodeWarning(cliente({ cliente_codigo_postal: '24001', cliente_provincia: 'Leonardo' }))).toBeDefined();
  });
});

describe('postcode and town', () => {
  test.each([
    ['Madrid', ['Madrid']],
    ['MADRID capital', ['Madrid']],
    ['Palma de Mallorca', ['Palma']],
    ['San Sebastián', ['Donostia/San Sebastián']],
    ['Puebla de Híjar', ['La Puebla de Híjar']],
    ['', ['Madrid']],
    ['Colloto', []],
  ])('the town «%s» causes no warning for a postcode of %j', (cliente_ciudad, towns) => {
    expect(townWarning(cliente({ cliente_codigo_postal: '28013', cliente_ciudad }), towns)).toBeUndefined();
  });
  test('a town of another postcode causes a warning', () => {
    expect(townWarning(cliente({ cliente_codigo_postal: '28013', cliente_ciudad: 'Getafe' }), ['Madrid'])).toBe(
      'El código postal 28013 es de Madrid, no de Getafe.',
    );
  });
});

describe('postcode and town, to confirm', () => {
  test.each([
    // «1000 Caceres» is read as 01000.
    ['01000', 'Caceres', 'El código postal 01000 es de Álava, no de Caceres.'],
    ['1001', 'Cáceres', 'El código postal 1001 es de Álava, no de Cáceres.'],
    ['28013', 'Getafe', 'El código postal 28013 es de Madrid, no de Getafe.'],
    ['28099', 'Villarriba', 'El código postal 28099 no consta en Madrid, ni Villarriba.'],
    ['28013', 'Madrid capital', undefined],
    ['28099', 'Madrid', undefined],
    ['01001', 'Vitoria', undefined],
    // A village that the tables lack.
    ['28013', 'Villarriba', undefined],
    ['28013', '', undefined],
  ])('%s with «%s»: %s', async (cliente_codigo_postal, cliente_ciudad, doubt) => {
    const values = cliente({ cliente_codigo_postal, cliente_ciudad });
    const stored = { ...values, ...storedPlace(values) };
    expect(doubtsOf(stored, await loadProvinces(['01', '28']))).toEqual(doubt ? [doubt.replace(' 1001 ', ' 01001 ')] : []);
  });
});

describe('phone', () => {
  test.each([
    '',
    '600112233',
    '600 11 22 33',
    '+34 600-11-22-33',
    '0034 912345678',
    '(91) 234 56 78',
    '+33 1 42 68 53 00',
    '00351 912 345 678',
    'tel: 687553290',
    '687/553/290',
    '687–553–290',
    '\u202a+34 687 55 32 90\u202c',
    '687\u00a0553\u00a0290\u200b',
    '687553290 (Ana)',
    '687553290 / 911234567',
    '+34687553290, 0034911234567',
    '+33 1 42 68 53 00 / 687553290',
  ])('the phone «%s» causes no warning', (cliente_telefono) => {
    expect(phoneWarning({ cliente_telefono })).toBeUndefined();
  });
  test.each(['60011223', '6001122334', '123456789', '+34 60011223', 'no tiene', '142685300', '687553290 / 91123', '+', 'tel: 60011'])(
    'the phone «%s» causes a warning',
    (cliente_telefono) => {
      expect(phoneWarning({ cliente_telefono })).toContain(cliente_telefono);
    },
  );
});

describe('doubts to confirm before saving', () => {
  test.each([
    ['2801', 'España', ['El código postal 2801 no es de España.']],
    ['99001', '', ['El código postal 99001 no es de España.']],
    ['1000-205', 'España', ['El código postal 1000-205 no es de España.']],
    ['28 013', 'España', []],
    ['1000-205', 'Portugal', []],
    ['', 'España', []],
  ])('the postcode «%s» in country «%s» raises the doubts %j', (cliente_codigo_postal, cliente_pais, doubts) => {
    expect(doubtsOf(cliente({ cliente_codigo_postal, cliente_pais }), new Map())).toEqual(doubts);
  });
  test('doubts about postcode and phone are listed together', () => {
    const odd = cliente({ cliente_codigo_postal: '28013', cliente_provincia: 'Toledo', cliente_telefono: '6112233' });
    expect(doubtsOf(odd, new Map())).toHaveLength(2);
  });
});

describe('a repeated customer', () => {
  const values = cliente({ cliente_nombre: 'Ana Gómez', cliente_direccion: 'C/ Mayor, 5', cliente_telefono: '600 11 22 33' });
  test.each([
    ['the same phone', { cliente_nombre: 'Otra', cliente_direccion: 'Otra', cliente_telefono: '+34600112233' }, true],
    ['the same name and address', { cliente_nombre: 'ana gomez', cliente_direccion: 'C/ Mayor 5', cliente_telefono: null }, true],
    ['the same name elsewhere', { cliente_nombre: 'Ana Gómez', cliente_direccion: 'C/ Mayor 6', cliente_telefono: null }, false],
    ['the same address, another person', { cliente_nombre: 'Eva', cliente_direccion: 'C/ Mayor, 5', cliente_telefono: null }, false],
  ])('a customer is recognised by phone, or by name and address: %s', (_, other, expected) => {
    expect(isSameCliente(values, other)).toBe(expected);
  });
  test('two missing phones do not identify a customer', () => {
    expect(isSameCliente(cliente({}), { cliente_nombre: 'Eva', cliente_direccion: 'X', cliente_telefono: null })).toBe(false);
  });
});
