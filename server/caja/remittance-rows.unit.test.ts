import { describe, expect, test } from 'vitest';
import { bareReferencia } from '../../contract/envios/fields.ts';
import { type Candidate, classifyRows, type HeldPayment, type SheetRow } from './remittance-rows.ts';

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

  test('the wrong row of an order gets the payment that no row agrees with', () => {
    const two = order('ORD-6', [pago(1700), pago(900)]);
    const results = classifyRows('Correos', [row('ORD-6', 1600), row('ORD-6', 1700)], [two]);
    expect(results.map(({ clase, pago: its }) => [clase, its?.cents])).toEqual([
      ['distinta', 900],
      ['exacta', 1700],
    ]);
  });

  test('a cent is a row like any other, given or taken back', () => {
    const cent = [order('ORD-7', [pago(1, { remesa: 2 })]), order('ORD-8', [pago(2)])];
    expect(read([row('ORD-7', -1)], ...cent)).toEqual(['negativa apuntar aparte']);
    expect(read([row('ORD-8', 1)], ...cent)).toEqual(['distinta comision apuntar fuera']);
    expect(read([row('ORD-8', 3)], ...cent)).toEqual(['distinta aparte apuntar fuera']);
  });

  test.each<[string, number, [Partial<HeldPayment>[], Partial<Candidate>], [Partial<HeldPayment>[], Partial<Candidate>], string]>([
    ['whose payment has the amount', 200, [[{ cents: 100 }], {}], [[{ cents: 200 }], {}], 'exacta'],
    ['that has a payment of the amount among several', 200, [[{ cents: 100 }], {}], [[{ cents: 300 }, { cents: 200 }], {}], 'exacta'],
    ['that the company has', 300, [[], { en_empresa: 'MRW' }], [[], { en_empresa: 'Correos', due: 300 }], 'sin_entregar'],
    ['that the company has paid', 300, [[{ empresa: 'MRW' }], {}], [[{ remesa: 4 }], {}], 'ya_pagada'],
    ['that the company has paid among others', 300, [[{ empresa: 'MRW' }], {}], [[{ empresa: 'MRW' }, { remesa: 4 }], {}], 'ya_pagada'],
  ])('of two orders with one tracking number, the one %s is meant', (_, cents, [others, more], [pagos, own], clase) => {
    const made = (numero: string, all: Partial<HeldPayment>[], given: Partial<Candidate>) =>
      order(
        numero,
        all.map((each) => pago(500, each)),
        { tracking: 'PQ7', ...given },
      );
    for (const candidates of [
      [made('A-1', others, more), made('B-1', pagos, own)],
      [made('B-1', pagos, own), made('A-1', others, more)],
    ])
      expect(classifyRows('Correos', [row('PQ7', cents)], candidates)[0]).toMatchObject({ clase, order: { numero: 'B-1' } });
  });

  test.each<[SheetRow, Candidate, string, number?]>([
    [row('ORD-1', 1700), candidates[0]!, 'Cobrado 17,00 €', 1700],
    [row('ORD-1', 1600), candidates[0]!, 'Cobró 17,00 €, y paga 16,00 €', 1700],
    [row('ORD-2', 900), candidates[1]!, 'Según lo apuntado, 9,00 € los tiene MRW', 900],
    [row('ORD-2', 800), candidates[1]!, 'Según lo apuntado, 9,00 € los tiene MRW'],
    [row('ORD-3', 500), candidates[2]!, 'Ya lo pagó Correos en la liquidación 4'],
    [row('ORD-4', 800), candidates[3]!, 'Aquí no está entregado'],
    [row('ORD-4', 700), candidates[3]!, 'Aquí no está entregado, y había que cobrar 8,00 €'],
    [row('ORD-3', -500), candidates[2]!, 'La empresa descuenta lo que pagó de ese pedido', 500],
    [row('ORD-3', -500), order('ORD-3', [pago(500, { remesa: 4, reversible: false })]), 'No hay ningún pago de ese importe que descontar'],
    [row('ORD-9', 500), candidates[0]!, 'Ningún pedido tiene ese número'],
  ])('of %o the company is told what is known, and which payment', (sheet, candidate, message, cents) => {
    const [result] = classifyRows('Correos', [sheet], [candidate]);
    expect([result?.message.replaceAll('\u00a0', ' '), result?.pago?.cents]).toEqual([message, cents]);
    expect(result && 'pago' in result).toBe(cents !== undefined);
  });

  test('several orders with the number of a row are named by that number', () => {
    const twins = ['A-1', 'C-1'].map((numero) => order(numero, [pago(100)], { tracking: 'PQ7' }));
    expect(classifyRows('Correos', [row('PQ7', 100)], twins)[0]).toMatchObject({ message: 'Varios pedidos tienen el número «PQ7»' });
  });
});
