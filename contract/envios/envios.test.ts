import { describe, expect, test } from 'vitest';
import { isBrokenCell } from '../text/broken-cell.ts';
import { bareReferencia, worstLectura } from './fields.ts';
import {
  columnasText,
  type EnvioValues,
  evaluatePlantilla,
  parseColumnas,
  problemOfExpresion,
  shortReferencia,
  tooLong,
} from './plantilla.ts';

const values = {
  numero_orden: 'ORD-1',
  cliente_nombre: 'Ana  Gil\nSanz',
  reembolso: 12.5,
  unidades: 3,
  cliente_telefono: null,
} as EnvioValues;
const evaluated = (expresion: string, max = 0, comaDecimal = true) => evaluatePlantilla({ expresion, max }, values, { comaDecimal })?.text;

describe('an expression', () => {
  test.each([
    ['{numero_orden}', 'ORD-1'],
    ['Ref. {numero_orden}: {cliente_nombre}', 'Ref. ORD-1: Ana Gil Sanz'],
    ['{cliente_telefono}', ''],
    ['{reembolso}', '12,50'],
    ['{unidades}', '3'],
    ['1', '1'],
  ])('%s evaluates to «%s»', (expresion, expected) => expect(evaluated(expresion)).toBe(expected));
  test('words without figures are shortened to the maximum length, and what still does not fit is refused', () => {
    expect(evaluated('Calle Mayor 5, {cliente_nombre}', 20)).toBe('C. M. 5, A. Gil Sanz');
    expect(evaluated('{cliente_nombre}', 5)).toBeUndefined();
  });
  test('an amount has a decimal point if the company does not use the comma', () =>
    expect(evaluated('{reembolso}', 0, false)).toBe('12.50'));
  test.each(['{constructor}', '{__proto__}', '{nombre}', '{cliente_nombre', 'a}', '{{numero_orden}}', '{}'])(
    'the expression %s is refused',
    (text) => {
      expect(problemOfExpresion(text)).toBeDefined();
    },
  );
  test('text outside braces stays unchanged', () => expect(evaluated('$1 $& =A1')).toBe('$1 $& =A1'));
});

describe('what a column has no room for', () => {
  const of = (field: string, text: string, max: number, more: object = {}) =>
    evaluatePlantilla({ expresion: `{${field}}`, max }, { ...values, [field]: text, ...more }, { comaDecimal: true });

  test('a number keeps its end after a sum of the whole, and needs ten characters', () => {
    expect(of('numero_orden', 'TIENDA-SUR-000017', 12)?.text).toMatch(/^[0-9A-Z]{7}-0017$/);
    expect(of('numero_orden', 'TIENDA-SUR-000017', 9)).toBeUndefined();
    expect(shortReferencia('ORD-1', 20)).toBe('ORD-1');
  });

  test('of two telephones the first stays, with the prefix of the order’s country; one that does not fit is refused', () => {
    const abroad = { cliente_pais: 'Portugal' };
    expect(of('cliente_telefono', '912 345 678 / 600 112 233', 20, abroad)?.text).toBe('+351912345678');
    expect(of('cliente_telefono', '600112233 / 911234567', 20)?.text).toBe('600 112 233');
    expect(of('cliente_telefono', '912 345 678 / 600 112 233', 12, abroad)).toBeUndefined();
  });

  test('a note keeps readable words and the clauses with figures, and says that it is cut', () => {
    const note = 'Dejarlo en conserjería. Preguntar siempre primero. Verja 4521B';
    expect(of('instrucciones', note, 30)).toEqual({ text: 'Verja 4521B …', cut: true });
    expect(of('instrucciones', note, 40)).toEqual({ text: 'Dejarlo en conserjería. Verja 4521B …', cut: true });
    expect(of('instrucciones', note, 45)).toEqual({ text: 'Deja. en cons. Preg. siem. prim. Verja 4521B' });
    const columnas = [{ titulo: 'Observaciones', expresion: '{instrucciones}', max: 40 }];
    expect(tooLong(columnas, { ...values, instrucciones: note })).toEqual({ out: [], cut: ['Observaciones'] });
  });
});

test('columns are edited as one line each, and an invalid line is reported by number', () => {
  const columnas = [
    { titulo: 'Nombre', expresion: '{cliente_nombre}', max: 35 },
    { titulo: 'Bultos', expresion: '1', max: 0 },
  ];
  expect(columnasText(columnas)).toBe('Nombre | {cliente_nombre} | 35\nBultos | 1');
  expect(parseColumnas(columnasText(columnas))).toEqual(columnas);
  expect(parseColumnas('')).toBe('Escribe al menos una columna');
  expect(parseColumnas('Nombre | {nombre}')).toBe('Línea 1: No existe el campo {nombre}');
  expect(parseColumnas('A | 1\nB | 2 | x')).toBe('Línea 2: escribe título | contenido | largo máximo');
});

describe('the answer of a transport company', () => {
  test('a reference is found despite different spaces, hyphens and case', () =>
    expect(bareReferencia(' ord 2026-000123 ')).toBe(bareReferencia('ORD-2026000123')));
  test('of several readings the worst one counts', () => {
    expect(worstLectura(['entregado', 'en_camino', 'incidencia'])).toBe('incidencia');
    expect(worstLectura(['entregado', 'no_se_sabe'])).toBe('no_se_sabe');
    expect(worstLectura([])).toBeUndefined();
  });
  test.each(['6,31234E+15', '6.31E+15', '#N/D', '#N/A', '########', '#¡REF!', '#NAME?', '#¿NOMBRE?'])('%s is no tracking number', (cell) =>
    expect(isBrokenCell(cell)).toBe(true),
  );
  test.each(['GLS123456', '6312340000000001', 'PQ4E5+1', '#12345', '61E12345'])('%s can be a tracking number', (cell) =>
    expect(isBrokenCell(cell)).toBe(false),
  );
});
