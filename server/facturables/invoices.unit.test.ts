import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLANTILLAS_FACTURA, type PlantillaFactura } from '../../contract/facturables/plantillas.ts';
import { vatBreakdown, vatRowByRate } from '../../contract/iva/breakdown.ts';
import { chargedRows } from '../../contract/iva/charged.ts';
import { type FilaIva, TIPOS_IVA, vatPercent } from '../../contract/iva/fields.ts';
import { type Documento, numberDocuments } from './documents.ts';
import { priceWithoutVat, templateRows } from './file.ts';
import { expectedRows } from './settle.ts';

/** As `expect(value).toBe(expected)`, of which a million take seconds. */
function expectSame(value: unknown, expected: unknown): void {
  if (!Object.is(value, expected)) expect(value).toBe(expected);
}
const sumOf = (rows: readonly { total_cents: number }[]) => rows.reduce((sum, { total_cents }) => sum + total_cents, 0);

test.each([21, 10, 4, 0])('a price without %s %% of VAT gives back each amount from 0,01 to 1.000,00', (percent) => {
  const wrong = Array.from({ length: 100_000 }, (_, i) => i + 1).filter((cents) => {
    const price = priceWithoutVat(cents, percent);
    return Math.round(price * (100 + percent) + 1e-6) !== cents || priceWithoutVat(-cents, percent) !== -price;
  });
  expect(wrong).toEqual([]);
});

const line = fc.record({
  iva: fc.option(fc.constantFrom(...TIPOS_IVA), { nil: null }),
  cantidad: fc.integer({ min: 1, max: 50 }),
  unit: fc.integer({ min: 0, max: 20_000 }),
  back: fc.double({ min: 0, max: 1, noNaN: true }),
});
const address = fc.constantFrom(
  { cliente_codigo_postal: '28013' },
  { cliente_codigo_postal: '35001' },
  { cliente_codigo_postal: '51001', cliente_pais: 'España' },
  { cliente_pais: 'Andorra' },
  { cliente_pais: 'Francia', cliente_nif: 'FR40303265045', iva_regimen: 'intracomunitaria' },
  { cliente_pais: 'Portugal' },
);
const order = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  envio_cents: fc.integer({ min: 0, max: 5000 }),
  off: fc.double({ min: 0, max: 1, noNaN: true }),
  address,
  // What the shop keeps of a return, with a reason.
  kept: fc.double({ min: 0, max: 0.5, noNaN: true }),
  // Goodwill beyond the returned goods, as a share of the sale.
  beyond: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
  charged: fc.boolean(),
  year: fc.constantFrom('2025', '2026', '2027'),
});

const documentOf = (motivo: string, filas: Documento['filas']): Documento => ({
  documento: 'V26-000001',
  motivo,
  fecha: '2026-11-27',
  numero_orden: 'ORD-2026000001',
  cliente: 'Ana',
  corrige: null,
  nif: null,
  direccion: null,
  codigo_postal: null,
  ciudad: null,
  provincia: null,
  pais: null,
  regimen: null,
  cobrado: null,
  corrige_numero: null,
  metodos: null,
  cobrado_cents: 0,
  total_cents: sumOf(filas),
  filas,
  is_exported: false,
});

/** Total that a program finds in the rows of a template, in cents. */
function totalIn(template: PlantillaFactura, document: Documento): number {
  const sign = template.positiva && document.total_cents < 0 ? -1 : 1;
  const cells = templateRows(template, document).map((row) =>
    row.map((cell) => (cell && typeof cell === 'object' && 'n' in cell ? cell.n : 0)),
  );
  const at = (found: (columna: PlantillaFactura['columnas'][number]) => boolean) => template.columnas.findIndex(found);
  const total = at((columna) => 'dato' in columna && columna.dato === 'total');
  if (template.por === 'documento') return cells.reduce((sum, row) => sum + Math.round((row[total] ?? 0) * 100), 0);
  const price = at((columna) => 'linea' in columna && columna.linea === 'precio');
  const tipos = document.filas.toSorted((a, b) => placeOf(a.tipo) - placeOf(b.tipo));
  const units = at((columna) => 'linea' in columna && columna.linea === 'unidades');
  const each = (row: number[], i: number) => (row[price] ?? 0) * (row[units] ?? 0) * (100 + vatPercent(tipos[i]?.tipo ?? ''));
  return cells.reduce((sum, row, i) => sum + sign * Math.round(each(row, i)), 0);
}
const placeOf = (tipo: FilaIva) => [...TIPOS_IVA, 'exportacion', 'intracomunitaria', 'no_sujeto', 'sin_tipo'].indexOf(tipo);

test.each(['21', '10', '4'] as const)(
  'FacturaScripts finds each total from 0,01 to 1.000,00, sales and corrections, with VAT of %s',
  (tipo) => {
    const template = PLANTILLAS_FACTURA.facturascripts;
    const [price, units] = ['precio', 'unidades'].map((name) => template.columnas.findIndex((of) => 'linea' in of && of.linea === name));
    const cents = (euros: number) => Math.sign(euros) * Math.round(Math.abs(euros) * 100 + 1e-7);
    /** Net and VAT rounded apart; for units below 2 € the VAT is the difference to the rounded total. */
    const found = (total_cents: number) => {
      const filas = [{ tipo, base_cents: 0, cuota_cents: 0, total_cents }];
      const [row = []] = templateRows(template, documentOf('venta', filas));
      const [each, n] = [price, units].map((at) => (row[at as number] as { n: number }).n) as [number, number];
      const withVat = n * (cents(each * (1 + Number(tipo) / 100)) / 100);
      const vat = each < 2 ? cents(withVat) - cents(each * n) : cents((each * n * Number(tipo)) / 100);
      return cents(each * n) + vat;
    };
    const all = Array.from({ length: 100_000 }, (_, i) => i + 1);
    expect(all.filter((total) => found(total) !== total || found(-total) !== -total)).toEqual([]);
  },
);

/** Number that a template's file gives a document in each of its rows, which name it again or leave it out. */
function numberIn(template: PlantillaFactura, document: Documento): string | undefined {
  const at = template.columnas.findIndex((of) => 'dato' in of && ['numero', 'documento'].includes(of.dato));
  const [first, ...further] = templateRows(template, document).map((row) => row[at]);
  for (const cell of further) expectSame(cell, template.una_vez ? null : first);
  return first as string | undefined;
}

test('ten thousand random orders agree to the cent with their invoices in each template, and each invoice has its own number', () => {
  const last = new Map<string, number>();
  const used = new Map<PlantillaFactura, Set<string>>();
  let n = 0;
  fc.assert(
    fc.property(order, ({ lines: fields, envio_cents, off, address: to, kept, beyond, charged, year }) => {
      const lines = fields.map(({ unit, cantidad, back, iva }) => ({
        iva,
        cantidad,
        precio_total_cents: unit * cantidad,
        returned: Math.floor(back * (cantidad + 0.999)),
      }));
      const goods = lines.reduce((sum, { precio_total_cents }) => sum + precio_total_cents, 0);
      const descuento_cents = Math.floor((goods + envio_cents) * off);
      const total = goods + envio_cents - descuento_cents;
      const returned = lines.reduce((sum, { precio_total_cents, cantidad, returned: n }) => sum + (precio_total_cents * n) / cantidad, 0);
      const worth = goods === 0 ? 0 : (returned * Math.max(0, goods - descuento_cents)) / goods;
      const whole = lines.every(({ cantidad, returned: n }) => n === cantidad);
      const devuelto_cents = whole ? total : Math.min(total, Math.round(worth * (1 - kept)) + Math.floor(beyond * total));
      const ours = vatBreakdown({ lines, envio_cents, descuento_cents, address: to });
      const taxes = ours.map(({ tipo, ...row }) => ({ percent: vatPercent(tipo), ...row }));
      const iva_cobrado = (charged && chargedRows(taxes, total, to)) || null;
      const sale = { ...to, envio_cents, descuento_cents, iva_cobrado };
      const before = expectedRows({ ...sale, devuelto_cents: 0, whole: false }, lines);
      const after = expectedRows({ ...sale, devuelto_cents, whole }, lines);
      expectSame(sumOf(before), total);
      expectSame(sumOf(after), total - devuelto_cents);
      for (const { base_cents, cuota_cents, total_cents } of after) expectSame(base_cents + cuota_cents, total_cents);
      const rowFor = vatRowByRate(to);
      const touched = new Set<string>(lines.flatMap(({ iva, returned: n }) => (n > 0 ? [rowFor(iva)] : [])));
      const back = before.map((row) => {
        const now = after.find(({ tipo }) => tipo === row.tipo);
        return {
          tipo: row.tipo,
          base_cents: (now?.base_cents ?? 0) - row.base_cents,
          cuota_cents: (now?.cuota_cents ?? 0) - row.cuota_cents,
          total_cents: (now?.total_cents ?? 0) - row.total_cents,
        };
      });
      if (!iva_cobrado) expectSame(after.filter((row) => Math.min(row.base_cents, row.cuota_cents, row.total_cents) < 0).length, 0);
      if (before.every(({ total_cents }) => total_cents > 0)) expectSame(after.filter(({ total_cents }) => total_cents < 0).length, 0);
      if (!whole && !iva_cobrado && beyond === 0)
        for (const { tipo, total_cents } of back) if (total_cents) expectSame(touched.has(tipo), true);
      const filas = back.filter(({ total_cents }) => total_cents !== 0);
      n += 1;
      const numero_orden = `ORD-${year}${String(n).padStart(6, '0')}`;
      const documents = [documentOf('venta', before), documentOf('devolucion', filas)]
        .map((document) => ({ ...document, numero_orden, fecha: `${year}-11-27` }))
        .filter((document) => document.filas.length > 0);
      const made = numberDocuments(documents, last).filter((document) => typeof document !== 'string');
      for (const template of Object.values(PLANTILLAS_FACTURA)) {
        const numbers = used.get(template) ?? new Set();
        used.set(template, numbers);
        for (const document of made) {
          expectSame(totalIn(template, document), document.total_cents);
          const number = numberIn(template, document) ?? '';
          expectSame(/^\S{9,14}$/.test(number) ? '' : number, '');
          expectSame(numbers.has(number) ? number : '', '');
          numbers.add(number);
        }
      }
      expectSame(sumOf(made), total - devuelto_cents);
    }),
    { numRuns: 10_000, seed: 20_261_127 },
  );
  // No number of a series is left out.
  const invoices = [...last.values()].reduce((sum, count) => sum + count, 0);
  for (const numbers of used.values()) expect(numbers.size).toBe(invoices);
}, 120_000);
