import { describe, expect, test } from 'vitest';
import { type DoubtFacts, type DoubtId, type Draft, isBlocking, isSameCliente, orderDoubts, provinciaNamed } from './doubts.ts';

const NOW = Date.parse('2026-11-28T10:00:00Z');
const ORDER: Draft = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Mayor 5', cliente_pais: 'España' };
const ids = (fields: Draft, facts: DoubtFacts = {}) => orderDoubts({ ...ORDER, ...fields }, { now: NOW, ...facts }).map(({ id }) => id);

describe('a rule at both sides of its bound', () => {
  const street = (length: number) => ({ cliente_direccion: `Calle 5 ${'a'.repeat(length - 8)}` });
  test.each<[string, Draft, DoubtId[]]>([
    ...[30, 32, 35, 40, 50, 60, 64, 100].map((n): [string, Draft, DoubtId[]] => [`an address of ${n} letters`, street(n), ['cortada']]),
    ...[29, 31, 33, 34, 36, 39, 41, 49, 51, 59, 61, 63, 65, 99, 101].map((n): [string, Draft, DoubtId[]] => [
      `an address of ${n} letters`,
      street(n),
      [],
    ]),
    ['a cut address with a floor', { ...street(30), cliente_direccion2: '2º' }, []],
    ['twelve letters after the number', { cliente_direccion: `${'a'.repeat(17)}5${'b'.repeat(12)}` }, []],
    ['thirteen letters after the number', { cliente_direccion: `${'a'.repeat(16)}5${'b'.repeat(13)}` }, ['cortada']],
    ['a day ago', { fecha_estimada: '2026-11-27T10:00:00Z' }, []],
    ['more than a day ago', { fecha_estimada: '2026-11-27T09:59:59Z' }, ['dia']],
    ['cash of the limit', { contra_reembolso: true, total_cents: 100_000 }, ['efectivo']],
    ['cash of a cent less', { contra_reembolso: true, total_cents: 99_999 }, []],
    ['the limit, paid before', { contra_reembolso: false, total_cents: 100_000 }, []],
    ['cash of an unknown total', { contra_reembolso: true }, []],
    ['euros', { moneda: 'EUR' }, []],
    ['dollars', { moneda: 'USD' }, ['moneda']],
    ['a pickup', { recogida: 'Obrador' }, ['recogida']],
    ['a choice', { elegido: 'lunes' }, ['elegido']],
    ['no address', { cliente_direccion: '' }, []],
    ['an address of blanks', { cliente_direccion: '  ' }, []],
    ['no text', { cliente_direccion: null, cliente_telefono: null, franja_horaria: null }, []],
    ['an address without number', { cliente_direccion: 'Calle Mayor' }, ['puerta']],
    ['an address that says so', { cliente_direccion: 'Calle Mayor, sin número' }, []],
    ['until midnight', { franja_horaria: '20-24' }, []],
    ['until after midnight', { franja_horaria: '20-25' }, ['franja']],
    ['from eleven', { franja_horaria: '23-24' }, []],
    ['from midnight', { franja_horaria: '24-24' }, ['franja']],
    ['an hour to itself', { franja_horaria: '10-10' }, ['franja']],
    ['an hour and the next', { franja_horaria: '10h a las 11' }, []],
    ['an hour alone', { franja_horaria: 'a partir de 10' }, []],
    ['a postcode of a province', { cliente_codigo_postal: '52001' }, []],
    ['a postcode of none', { cliente_codigo_postal: '53001' }, ['codigo_postal']],
    ['a whole telephone', { cliente_telefono: '600112233' }, []],
    ['a figure less', { cliente_telefono: '60011223' }, ['telefono']],
  ])('%s', (_, fields, wanted) => expect(ids(fields)).toEqual(wanted));

  test('what a door does not know, it does not ask', () => {
    expect(orderDoubts({ ...ORDER, fecha_estimada: '2020-01-01' })).toEqual([]);
    expect(ids({ cliente_codigo_postal: '28013', cliente_ciudad: 'Getafe' })).toEqual([]);
    expect(ids({}, { same: 'ORD-1', paper: 'Dos líneas más' })).toEqual(['repetido', 'largo']);
  });
});

test('only where the goods go, cash and the currency want an answer first', () => {
  const all: DoubtId[] = [
    'telefono',
    'pais',
    'codigo_postal',
    'provincia',
    'poblacion',
    'puerta',
    'cortada',
    'franja',
    'dia',
    'repetido',
    'largo',
    'elegido',
    'recogida',
    'efectivo',
    'moneda',
  ];
  expect(all.filter((id) => isBlocking({ id, campo: 'cliente_nombre', frase: '' }))).toEqual(['recogida', 'efectivo', 'moneda']);
});

describe('a town by its province', () => {
  const provinces = new Map([
    [
      '28',
      {
        names: new Set(['madrid', 'getafe', 'parla', 'pinto', 'leganes']),
        byPostcode: new Map([
          ['28013', ['Madrid']],
          ['28900', ['Getafe', 'Parla', 'Pinto']],
          ['28901', ['Getafe', 'Parla', 'Pinto', 'Leganés']],
        ]),
      },
    ],
  ]);
  const town = (cliente_codigo_postal: string, cliente_ciudad: string, cliente_pais = 'España') =>
    orderDoubts(
      { ...ORDER, cliente_codigo_postal, cliente_ciudad, cliente_pais },
      { provinces: provinces as unknown as DoubtFacts['provinces'] & object },
    )
      .filter(({ id }) => id === 'poblacion')
      .map(({ frase }) => frase.replace(/^El código postal /, ''))
      .join();
  test.each([
    ['28013', 'Madrid', ''],
    ['28013', 'Getafe', '28013 es de Madrid, no de Getafe.'],
    ['28900', 'Madrid', '28900 es de Getafe o Parla o Pinto, no de Madrid.'],
    ['28901', 'Madrid', '28901 es de otra población, no de Madrid.'],
    ['28013', 'Aldea', ''],
    ['28999', 'Aldea', '28999 no consta en Madrid, ni Aldea.'],
    ['28999', 'Getafe', ''],
    ['28013', 'Bilbao', '28013 es de Madrid, no de Bilbao.'],
    ['28999', 'Bilbao', '28999 es de Madrid, no de Bilbao.'],
    ['08001', 'Getafe', ''],
    ['28013', '', ''],
  ])('%s %s: %s', (postcode, name, wanted) => expect(town(postcode, name)).toBe(wanted));
});

test.each<[string, string | undefined]>([
  ['Bizkaia', 'Bizkaia'],
  ['Bilbao', 'Bizkaia'],
  ['Palma de Mallorca', 'Baleares'],
  ['Getafe', undefined],
  ['', undefined],
])('«%s» names the province %s', (text, provincia) => expect(provinciaNamed(text)).toBe(provincia));

test('nobody is the same by a telephone that is made up, or by half an address', () => {
  const ana = { cliente_nombre: 'Ana', cliente_direccion: 'Sol 1', cliente_telefono: '600112233' };
  const other = { cliente_nombre: 'Eva', cliente_direccion: 'Mar 2', cliente_telefono: '600112233' };
  expect(isSameCliente(ana, other)).toBe(true);
  expect(isSameCliente({ ...ana, cliente_telefono: '600112234' }, other)).toBe(false);
  expect(isSameCliente({ ...ana, cliente_telefono: '000000000' }, { ...other, cliente_telefono: '000000000' })).toBe(false);
  const nameless = { cliente_nombre: '', cliente_direccion: 'Sol 1', cliente_telefono: null };
  expect(isSameCliente(nameless, nameless)).toBe(false);
  expect(isSameCliente({ ...ana, cliente_direccion: '' }, { ...ana, cliente_direccion: '', cliente_telefono: null })).toBe(false);
});
