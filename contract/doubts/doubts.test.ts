import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storedPlace } from '../pedidos/direccion.ts';
import type { EditableField } from '../pedidos/fields.ts';
import { type DoubtId, isSameCliente, newDoubts, orderDoubts } from './doubts.ts';
import { readTowns } from './towns.ts';

const cliente = (fields: Partial<Record<EditableField | 'fecha_estimada', string>>) => ({
  ...{ cliente_nombre: 'Ana', cliente_telefono: '', cliente_direccion: 'Calle Mayor 5', cliente_codigo_postal: '', cliente_ciudad: '' },
  ...{ cliente_provincia: '', cliente_pais: 'España', ...fields },
});
const provinces = new Map(
  ['01', '28'].map((prefix) => [
    prefix,
    readTowns(readFileSync(join(import.meta.dirname, '../../web/pedidos/cliente/poblaciones', `${prefix}.txt`), 'utf8')),
  ]),
);
/** Sentence of a rule about an order. */
const ask = (id: DoubtId, fields: Parameters<typeof cliente>[0]) =>
  orderDoubts(cliente(fields), { provinces, now: Date.parse('2026-11-28T10:00:00Z') }).find((doubt) => doubt.id === id)?.frase;

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
    expect(ask('provincia', { cliente_codigo_postal, cliente_provincia, cliente_pais })).toBeUndefined();
  });

  test.each(['28013', '28 013', '280 13', '28.013', 'ES-28013', 'E-28013'])(
    'a province that does not match postcode %s causes a warning',
    (postcode) => {
      expect(ask('provincia', { cliente_codigo_postal: postcode, cliente_provincia: 'Toledo' })).toBe(
        `El código postal ${postcode} es de Madrid, no de Toledo.`,
      );
    },
  );

  test('a province is matched by whole words: «Leonardo» is not «León»', () => {
    expect(ask('provincia', { cliente_codigo_postal: '24001', cliente_provincia: 'Leonardo' })).toBeDefined();
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
    ['28013', 'MADRID', undefined],
    ['28099', 'Madrid', undefined],
    ['01001', 'Vitoria', undefined],
    // A village that the tables lack.
    ['28013', 'Villarriba', undefined],
    ['28013', '', undefined],
  ])('%s with «%s»: %s', (cliente_codigo_postal, cliente_ciudad, doubt) => {
    const values = cliente({ cliente_codigo_postal, cliente_ciudad });
    const stored = { ...values, ...storedPlace(values) };
    expect(ask('poblacion', stored)).toBe(doubt?.replace(' 1001 ', ' 01001 '));
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
    expect(ask('telefono', { cliente_telefono })).toBeUndefined();
  });
  test.each(['60011223', '6001122334', '123456789', '+34 60011223', 'no tiene', '142685300', '687553290 / 91123', '+', 'tel: 60011'])(
    'the phone «%s» causes a warning',
    (cliente_telefono) => {
      expect(ask('telefono', { cliente_telefono })).toContain(cliente_telefono);
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
    expect(orderDoubts(cliente({ cliente_codigo_postal, cliente_pais })).map(({ frase }) => frase)).toEqual(doubts);
  });
  test('doubts about postcode and phone are listed together', () => {
    const odd = cliente({ cliente_codigo_postal: '28013', cliente_provincia: 'Toledo', cliente_telefono: '6112233' });
    expect(orderDoubts(odd).map(({ campo }) => campo)).toEqual(['cliente_telefono', 'cliente_provincia']);
  });
});

describe('other rules', () => {
  test.each<[DoubtId, Parameters<typeof cliente>[0], string | undefined]>([
    ['telefono', { cliente_telefono: '212 345 678', cliente_pais: 'Portugal' }, undefined],
    ['telefono', { cliente_telefono: '212 345 678' }, 'no parece completo'],
    ['pais', { cliente_pais: 'Españita' }, 'No se conoce el país Españita'],
    ['pais', { cliente_pais: 'Islas Canarias' }, undefined],
    ['puerta', { cliente_direccion2: '3/1/2026' }, '«3/1/2026» parece una fecha'],
    ['puerta', { cliente_direccion2: '03-ene' }, '«03-ene» parece una fecha'],
    ['puerta', { cliente_direccion2: '3-izq' }, undefined],
    ['puerta', { cliente_direccion: 'Gran Vía 10/12/2026' }, 'parece una fecha'],
    ['puerta', { cliente_direccion: 'Calle Mayor' }, 'no lleva número'],
    ['puerta', { cliente_direccion: 'Calle Mayor s/n' }, undefined],
    ['puerta', { cliente_direccion: 'Calle Mayor', cliente_direccion2: 'nº 5' }, undefined],
    ['cortada', { cliente_direccion: 'Avenida de la Constitución Españ' }, '32 caracteres'],
    ['cortada', { cliente_direccion: 'Avenida de la Constitución E, 12' }, undefined],
    ['franja', { franja_horaria: '30/12/1899' }, 'parece una fecha'],
    ['franja', { franja_horaria: 'de 20 a 18' }, 'no son dos horas'],
    ['franja', { franja_horaria: '10:00 - 12:30' }, undefined],
    ['franja', { franja_horaria: 'Mañanas' }, undefined],
    ['dia', { fecha_estimada: '2026-11-20T09:00:00Z' }, 'ya ha pasado'],
    ['dia', { fecha_estimada: '2026-11-28T09:00:00Z' }, undefined],
  ])('%s of %j: %s', (id, fields, doubt) => {
    if (doubt) expect(ask(id, fields)).toContain(doubt);
    else expect(ask(id, fields)).toBeUndefined();
  });
  test('an edit asks again only what it touches', () => {
    const before = cliente({ cliente_telefono: '6001', cliente_direccion2: '3-1' });
    expect(newDoubts(before, { ...before, cliente_direccion2: '3/1/2026' }).map(({ id }) => id)).toEqual(['puerta']);
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
