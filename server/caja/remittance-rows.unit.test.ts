import { describe, expect, test } from 'vitest';
import { bareReferencia } from '../../contract/envios/fields.ts';
import { type Candidate, classifyRows, type HeldPayment } from './remittance-rows.ts';

/* What each row of a company's sheet is, without a database. */

const pago = (cents: number, more: Partial<HeldPayment> = {}): HeldPayment => ({
  id: crypto.randomUUID(),
  empresa: 'Correos',
  cents,
  remesa: null,
  reversible: true,
  ...more,
});
const order = (
  numero: string,
  pagos: HeldPayment[],
  { tracking = '', ...more }: Partial<Candidate> & { tracking?: string } = {},
): Candidate => ({
  id: `id-${numero}`,
  numero,
  keys: [numero, tracking].map(bareReferencia).filter(Boolean),
  en_empresa: null,
  due: null,
  pagos,
  ...more,
});
const row = (referencia: string, cents: number, seguimiento: string | null = null) => ({ referencia, seguimiento, cents });
const read = (rows: Parameters<typeof classifyRows>[1], ...candidates: Candidate[]) =>
  classifyRows('Correos', rows, candidates).map(({ clase, formas }) => [clase, ...formas].join(' '));

describe('a row of a remittance', () => {
  const candidates = [
    order('ORD-1', [pago(1700)]),
    order('ORD-2', [pago(900, { empresa: 'MRW' })]),
    order('ORD-3', [pago(500, { remesa: 4 })]),
    order('ORD-4', [], { due: 800 }),
    order('ORD-5', []),
  ];
  test.each([
    ['the same amount', row('ord 1', 1700), 'exacta'],
    ['less', row('ORD-1', 1600), 'distinta comision apuntar fuera'],
    ['more', row('ORD-1', 1800), 'distinta aparte apuntar fuera'],
    ['of another company', row('ORD-2', 900), 'otra_empresa apuntar aparte'],
    ['of another company and another amount', row('ORD-2', 800), 'otra_empresa aparte fuera'],
    ['paid before', row('ORD-3', 500), 'ya_pagada fuera aparte'],
    ['not delivered yet', row('ORD-4', 800), 'sin_entregar apuntar aparte'],
    ['not delivered, with another amount', row('ORD-4', 700), 'sin_entregar aparte fuera'],
    ['that no company collected', row('ORD-5', 800), 'sin_cobro aparte fuera'],
    ['of nothing', row('ORD-9', 800), 'desconocida aparte fuera'],
    ['that takes back what was paid', row('ORD-3', -500), 'negativa apuntar aparte'],
    ['that takes back a part', row('ORD-3', -400), 'negativa aparte fuera'],
    ['that takes back what was never paid', row('ORD-1', -1700), 'negativa aparte fuera'],
  ])('%s', (_, given, expected) => expect(read([given], ...candidates)).toEqual([expected]));

  test('a row twice counts once, and the one that agrees counts whatever its place', () => {
    expect(read([row('ORD-1', 1700), row('ORD-1', 1700)], ...candidates)).toEqual(['exacta', 'repetida fuera aparte']);
    expect(read([row('ORD-1', 1600), row('ORD-1', 1700)], ...candidates)).toEqual(['repetida fuera aparte', 'exacta']);
  });

  test('a reversal finds what it takes back in the same file, whatever its place, and once', () => {
    const rows = [row('ORD-1', -1700), row('ORD-1', 1700), row('ORD-1', -1700)];
    expect(read(rows, ...candidates)).toEqual(['negativa apuntar aparte', 'exacta', 'negativa aparte fuera']);
  });

  test('of two orders with one tracking number, the one whose money the company has is meant', () => {
    const [own, other] = [
      order('A-1', [pago(100)], { tracking: 'PQ7' }),
      order('B-1', [pago(100, { empresa: 'MRW' })], { tracking: 'PQ7' }),
    ];
    expect(classifyRows('Correos', [row('PQ7', 100)], [other, own])[0]).toMatchObject({ clase: 'exacta', order: { numero: 'A-1' } });
    const twin = order('C-1', [pago(100)], { tracking: 'PQ7' });
    expect(read([row('PQ7', 100)], own, twin)).toEqual(['desconocida aparte fuera']);
    expect(classifyRows('Correos', [row('C-1', 100, 'PQ7')], [own, twin])[0]).toMatchObject({ order: { numero: 'C-1' } });
  });
});
