import { describe, expect, test } from 'vitest';
import { columnasText, type EnvioValues, evaluate, parseColumnas, problemOfExpresion } from './plantilla.ts';
import { bareReferencia, leerEstado, respuestaColumns } from './respuesta.ts';

const values = {
  numero_orden: 'ORD-1',
  cliente_nombre: 'Ana  Gil\nSanz',
  reembolso: 12.5,
  unidades: 3,
  cliente_telefono: null,
} as EnvioValues;
const evaluated = (expresion: string, max = 0, comaDecimal = true) => evaluate({ expresion, max }, values, { comaDecimal });

describe('an expression', () => {
  test.each([
    ['{numero_orden}', 'ORD-1'],
    ['Ref. {numero_orden}: {cliente_nombre}', 'Ref. ORD-1: Ana Gil Sanz'],
    ['{cliente_telefono}', ''],
    ['{reembolso}', '12,50'],
    ['{unidades}', '3'],
    ['1', '1'],
  ])('%s', (expresion, expected) => expect(evaluated(expresion)).toBe(expected));
  test('is cut to its length in characters', () => expect(evaluated('{cliente_nombre}', 5)).toBe('Ana G'));
  test('has a point where the company wants one', () => expect(evaluated('{reembolso}', 0, false)).toBe('12.50'));
  test.each(['{constructor}', '{__proto__}', '{nombre}', '{cliente_nombre', 'a}', '{{numero_orden}}', '{}'])('%s is refused', (text) => {
    expect(problemOfExpresion(text)).toBeDefined();
  });
  test('keeps other text as it is', () => expect(evaluated('$1 $& =A1')).toBe('$1 $& =A1'));
});

test('columns are edited as lines', () => {
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

describe('an answer', () => {
  test.each([
    [['Referencia cliente', 'Código de envío', 'Estado'], { referencia: 0, seguimiento: 1, estado: 2 }],
    [['Nº EXPEDICIÓN', 'Su ref.', 'Incidencia'], { seguimiento: 0, referencia: 1, estado: 2 }],
    [['Tracking number', 'Order'], { seguimiento: 0, referencia: 1 }],
    [['Fecha', 'Peso'], {}],
  ])('has its columns known by their words: %s', (titles, expected) => expect(respuestaColumns(titles)).toEqual(expected));
  test('gives references back in any form', () => expect(bareReferencia(' ord 2026-000123 ')).toBe(bareReferencia('ORD-2026000123')));
  test.each([
    ['', 'entregado'],
    ['ENTREGADO', 'entregado'],
    ['Sin incidencias', 'entregado'],
    ['No entregado', 'incidencia'],
    ['Destinatario ausente', 'incidencia'],
    ['Dirección incorrecta', 'incidencia'],
    ['Devuelto al remitente', 'incidencia'],
    ['En reparto', 'en_camino'],
    ['Admitido', 'en_camino'],
    ['Доставка', 'en_camino'],
  ])('«%s»: %s', (words, expected) => expect(leerEstado(words)).toBe(expected));
  test.each([
    'Entregado',
    'ENTREGADO EN DESTINO',
    'Entregado en oficina',
    'Envío entregado',
    'El envío ha sido entregado al destinatario o autorizado',
    'Su paquete se ha entregado en el buzón',
    'ENTREGADA 25/11/2026 10:30 ANA GIL',
    '25/11/2026 10:30 - ENTREGADO',
    'Entregado en ParcelShop',
    'Entregado sin incidencias',
    'Entregado sin firma',
    'Entregado a un vecino',
    'Entregados 2 de 2 bultos',
    'ENTREGA EFECTUADA',
    'Entrega realizada',
    'La entrega se ha realizado',
    'Delivered',
    'Your parcel has been delivered',
  ])('«%s» is a delivery', (words) => expect(leerEstado(words)).toBe('entregado'));
  test.each([
    'No se ha entregado',
    'No ha podido ser entregado',
    'No se pudo entregar',
    'Imposible entregar',
    'Entrega no realizada',
    'Entrega fallida',
    'Entrega intentada',
    'Entregado a remitente',
    'Entregado al remitente',
    'ENTREGADO EN ORIGEN',
    'Devuelto al remitente',
    'Not delivered',
    'Could not be delivered',
    "Couldn't be delivered",
    'Undelivered',
    'Delivery attempted',
    'Delivery failed',
    'Delivered to sender',
    'Returned to sender',
  ])('«%s» is an incident', (words) => expect(leerEstado(words)).toBe('incidencia'));
  test.each([
    'Aún no ha sido entregado',
    'Todavía no entregable',
    'Not yet delivered',
    'Pendiente de ser entregado',
    'Será entregado mañana',
    'Se entregará mañana',
    'Entregado mañana',
    'Entregado parcialmente',
    'Parcialmente entregado',
    'Entregado en parte',
    'Entregados 1 de 2 bultos',
    'Entregado, falta un bulto',
    'Entregado por error',
    'Entregado: no',
    'Entregado al transportista',
    'Entregado a la delegación',
    'Entregado por el remitente en oficina',
    'En reparto para ser entregado',
    'Listo para ser entregado',
    'Disponible para entrega',
    'To be delivered',
    'Will be delivered tomorrow',
    'Being delivered',
    'Partially delivered',
    'Out for delivery',
    'Delivered to local courier',
  ])('«%s» is on its way', (words) => expect(leerEstado(words)).toBe('en_camino'));
});
