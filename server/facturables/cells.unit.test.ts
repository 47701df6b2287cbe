import { describe, expect, test } from 'vitest';
import type { Dato, DatoLinea, PlantillaFactura } from '../../contract/facturables/plantillas.ts';
import type { FilaIva } from '../../contract/iva/fields.ts';
import { type Documento, numberDocuments } from './documents.ts';
import { templateRows } from './file.ts';

const fila = (tipo: FilaIva, total_cents: number, base_cents = total_cents) => ({
  tipo,
  base_cents,
  cuota_cents: total_cents - base_cents,
  total_cents,
});
const SALE: Documento = {
  documento: 'V26-000007',
  motivo: 'venta',
  fecha: '2026-11-27',
  numero_orden: 'ORD-1',
  cliente: 'Ana',
  corrige: null,
  nif: null,
  direccion: 'Sol 1',
  codigo_postal: '28013',
  ciudad: 'Madrid',
  provincia: 'M',
  pais: null,
  regimen: 'interior',
  cobrado: '2026-11-26',
  corrige_numero: null,
  metodos: ['Tarjeta', 'Bizum'],
  cobrado_cents: 1210,
  total_cents: 1210,
  filas: [fila('21', 1210, 1000)],
  is_exported: false,
};
const BACK: Partial<Documento> = {
  documento: 'R26-000001',
  motivo: 'devolucion',
  corrige: 'V26-000007',
  corrige_numero: 'ORD-0',
  total_cents: -1210,
  filas: [fila('21', -1210, -1000)],
};
const euros = (n: number) => ({ n, decimals: 2 });
const whole = (n: number) => ({ n, decimals: 0 });
const TEMPLATE: PlantillaFactura = { nombre: 'x', verificada: true, por: 'documento', columnas: [] };
const rows = (columnas: object[], document: Partial<Documento> = {}, template: Partial<PlantillaFactura> = {}) =>
  templateRows({ ...TEMPLATE, ...template, columnas: columnas as unknown as PlantillaFactura['columnas'] }, { ...SALE, ...document });

describe('a column of a document', () => {
  const CLASES = { clases: ['A', 'R'] } as const;
  const ODOO = { clases: ['out_invoice', 'out_refund'] } as const;
  const KINDS = { operaciones: ['0', '1', '2'] } as const;
  test.each<[Dato, Partial<Documento>, Partial<PlantillaFactura>, unknown]>([
    ['fecha', {}, {}, { date: '2026-11-27' }],
    ['numero', {}, {}, 'ORD-1'],
    ['numero', BACK, {}, 'R26-000001'],
    ['documento', {}, {}, 'V26-000007'],
    ['corrige', BACK, {}, 'ORD-0'],
    ['corrige_documento', BACK, {}, 'V26-000007'],
    ['nif', { nif: '12345678-z' }, {}, '12345678Z'],
    ['nif', {}, {}, null],
    ['nif_o_particular', {}, {}, null],
    ['nif_o_particular', {}, { particular: '00T' }, '00T'],
    ['nif_o_particular', { nif: '12345678-z' }, { particular: '00T' }, '12345678Z'],
    ['pais', {}, {}, 'España'],
    ['pais', { pais: 'Francia' }, {}, 'Francia'],
    ['codigo_pais', { pais: 'Francia' }, {}, 'FR'],
    ['codigo_pais', { pais: 'Narnia' }, {}, 'Narnia'],
    ['motivo', {}, {}, 'Venta'],
    ['clase', {}, {}, ''],
    ['clase', {}, CLASES, 'A'],
    ['clase', BACK, CLASES, 'R'],
    ['clase', { ...BACK, total_cents: 1 }, CLASES, 'R'],
    // A correction that charges more is an invoice of Odoo, since its amounts have no sign.
    ['clase', { ...BACK, total_cents: 1 }, ODOO, 'out_invoice'],
    ['clase', { ...BACK, total_cents: 0 }, ODOO, 'out_refund'],
    ['clase', BACK, ODOO, 'out_refund'],
    ['descripcion', {}, {}, 'Venta, pedido ORD-1, V26-000007'],
    ['operacion', {}, {}, ''],
    ['operacion', {}, KINDS, '0'],
    ['operacion', { regimen: 'exportacion' }, KINDS, '1'],
    ['operacion', { regimen: 'intracomunitaria' }, KINDS, '2'],
    ['metodo_pago', {}, {}, 'Tarjeta, Bizum'],
    ['metodo_pago', { metodos: null }, {}, null],
    ['cobrado', {}, {}, euros(12.1)],
    ['cobrado_fecha', {}, {}, { date: '2026-11-26' }],
    ['cobrado_fecha', { cobrado_cents: 0 }, {}, null],
    ['cobrado_fecha', { cobrado: null }, {}, null],
    ['pagada', {}, {}, whole(1)],
    ['pagada', { cobrado_cents: 1209 }, {}, whole(0)],
    ['total', {}, {}, euros(12.1)],
    ['base_exenta', {}, {}, euros(0)],
    ['base_exenta', { filas: [fila('21', 121, 100), fila('0', 50), fila('exportacion', 25)] }, {}, euros(0.75)],
  ])('%s', (dato, document, template, cell) => expect(rows([{ dato }], document, template)).toEqual([[cell]]));

  test('descripcion of a correction names what it corrects', () => {
    expect(rows([{ dato: 'descripcion' }], BACK)[0]?.[0]).toMatch(/, pedido ORD-1, R26-000001, corrige ORD-0$/);
  });
});

describe('a column of a rate', () => {
  const LINE = { por: 'linea' } as const;
  const PLUS = { ...LINE, positiva: true } as const;
  const HALF = { ...LINE, redondea_aparte: true } as const;
  const of = (total_cents: number, tipo: FilaIva = '4') => ({ filas: [fila(tipo, total_cents, 0)] });
  test.each<[DatoLinea, Partial<Documento>, Partial<PlantillaFactura>, unknown]>([
    ['tipo', {}, LINE, '21 %'],
    ['porcentaje', {}, LINE, whole(21)],
    ['clave', {}, LINE, ''],
    ['clave', {}, { ...LINE, claves: { 21: 'IVA21' } }, 'IVA21'],
    ['excepcion', {}, LINE, ''],
    ['excepcion', {}, { ...LINE, excepciones: { 21: 'E' } }, 'E'],
    ['base', BACK, LINE, euros(-10)],
    ['base', BACK, PLUS, euros(10)],
    ['cuota', BACK, LINE, euros(-2.1)],
    ['cuota', BACK, PLUS, euros(2.1)],
    ['total_linea', BACK, LINE, euros(-12.1)],
    ['total_linea', BACK, PLUS, euros(12.1)],
    ['precio', BACK, LINE, { n: -10, decimals: 6 }],
    ['precio', BACK, PLUS, { n: 10, decimals: 6 }],
    // Half a cent of base, of an odd number of 13 cents.
    ['unidades', of(39), HALF, whole(3)],
    ['precio', of(39), HALF, { n: 0.125, decimals: 6 }],
    ['unidades', of(13), HALF, whole(1)],
    ['precio', of(13), HALF, { n: 0.125, decimals: 6 }],
    ['unidades', of(26), HALF, whole(1)],
    ['unidades', of(39), LINE, whole(1)],
    ['unidades', of(39, '10'), HALF, whole(1)],
    ['unidades', of(-13), HALF, whole(1)],
    ['unidades', of(0), HALF, whole(1)],
  ])('%s', (linea, document, template, cell) => expect(rows([{ linea }], document, template)).toEqual([[cell]]));
});

describe('the rows of a document', () => {
  const columnas = [{ texto: 'Ventas' }, { numero: 3 }, { dato: 'numero' }, { linea: 'porcentaje' }];
  const two = { filas: [fila('0', 50), fila('21', 121, 100)] };
  test('are one a rate, highest first', () => {
    expect(rows(columnas, two, { por: 'linea' })).toEqual([
      ['Ventas', whole(3), 'ORD-1', whole(21)],
      ['Ventas', whole(3), 'ORD-1', whole(0)],
    ]);
  });
  test('have the columns of the document in the first alone if the program wants that', () => {
    expect(rows(columnas, two, { por: 'linea', una_vez: true }).map((row) => row[2])).toEqual(['ORD-1', null]);
  });
  test('are one a document, without the columns of a rate', () => {
    expect(rows(columnas, two)).toEqual([['Ventas', whole(3), 'ORD-1', null]]);
  });
  test('are none without amounts', () => {
    expect([rows(columnas, { filas: [] }), rows(columnas, { filas: [] }, { por: 'linea' })]).toEqual([[], []]);
  });
  test('have the base and quota of each rate, and of the taxed ones in turn', () => {
    const at = (indice: number) => (['base', 'porcentaje', 'cuota'] as const).map((parte) => ({ indice, parte }));
    const document = { filas: [fila('0', 50), fila('4', 104, 100), fila('21', 121, 100)] };
    expect(
      rows(
        [
          { fila: '21', parte: 'base' },
          { fila: '21', parte: 'cuota' },
          { fila: '10', parte: 'base' },
        ],
        document,
      ),
    ).toEqual([[euros(1), euros(0.21), null]]);
    expect(rows([...at(0), ...at(1), ...at(2)], document)).toEqual([
      [euros(1), whole(21), euros(0.21), euros(1), whole(4), euros(0.04), euros(0), whole(0), euros(0)],
    ]);
  });
});

test('documents are numbered by series and year, after the last of each', () => {
  const of = (motivo: string, fecha: string) => ({ motivo, fecha });
  const last = new Map([['V26', 41]]);
  const numbers = numberDocuments(
    [of('venta', '2026-11-27'), 'V25-000003', of('devolucion', '2026-11-27'), of('venta', '2027-01-01'), of('venta', '2026-12-31')],
    last,
  );
  expect(numbers.map((made) => (typeof made === 'string' ? made : made.documento))).toEqual([
    'V26-000042',
    'V25-000003',
    'R26-000001',
    'V27-000001',
    'V26-000043',
  ]);
  expect([...last]).toEqual([
    ['V26', 43],
    ['R26', 1],
    ['V27', 1],
  ]);
});
