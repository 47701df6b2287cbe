import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pack } from '../../../contract/products/products.ts';
import { KNOWN_WORDS, knownMeaning, wordKey } from '../../../contract/sheets/words.ts';
import { readOrders } from '../../../test/web/sheet.ts';
import { type Answers, NO_ANSWERS, withWord } from '../../sheets/reading.ts';
import { parseAmount } from './payment.ts';

/* What becomes of a sheet: known words alone decide, all others are asked about once. */

const PACKS = ['MIEL500', 'ACEITE2'].map((alias, i) => ({ id: `p${i}`, alias, name: `Pack ${i}`, product_name: `Producto ${i}` }) as Pack);
const HEAD = 'Nombre;Dirección;CP;Población;Teléfono;Pack;Cantidad';
const ANA = 'Ana Gil;Calle Uno 1;28013;Madrid;600140001;MIEL500;1';
const EVA = 'Eva Ruiz;Calle Dos 2;28013;Madrid;600140002;MIEL500;2';
const read = (titles: string, rows: readonly string[], answers?: Answers) =>
  readOrders([`${HEAD};${titles}`, ...rows].join('\n'), { packs: PACKS, ...(answers && { answers }) });
const answered = (...given: (readonly [Parameters<typeof withWord>[1], string, string])[]) =>
  given.reduce((answers, [kind, text, meaning]) => withWord(answers, kind, text, meaning), NO_ANSWERS);

describe('the state of an order', () => {
  it.each(['Shipped - Delivered to Buyer', 'Suspected Fraud', 'Devuelto al remitente', 'No enviar', 'Anular', 'Expedido'])(
    '«%s» is asked about',
    (state) => expect(read('Estado', [`${ANA};${state}`, `${EVA};Pendiente`]).asked).toEqual([state]),
  );
  it('known and answered words leave rows out, with their reason', () => {
    const { out, filas } = read('Estado', [`${ANA};Expedido`, `${EVA};Pendiente`], answered(['situacion', 'Expedido', 'fuera']));
    expect([out.map(({ row, title, text }) => [row.n, title, text]), filas.length]).toEqual([[[2, 'Estado', 'Expedido']], 1]);
  });
  it('the worst of several columns counts', () => {
    const { out } = read('Estado;Forma de envío', [`${ANA};Pendiente;Recogida`], answered(['situacion', 'Recogida', 'fuera']));
    expect(out).toHaveLength(1);
  });
  it('further lines of an order that is out are out too', () => {
    const { out, filas } = readOrders(`Nº pedido;${HEAD};Estado\n1;${ANA};Cancelado\n;;;;;;ACEITE2;1;\n2;${EVA};Pendiente`, {
      packs: PACKS,
    });
    expect([out.map(({ row }) => row.n), filas.map(({ cliente_nombre }) => cliente_nombre)]).toEqual([[2, 3], ['Eva Ruiz']]);
  });
  it('a row without address and product is asked about, and then stays out', () => {
    expect(read('Total', [`${ANA};12,50`, 'Total;;;;;;;12,50']).unsure.map(({ n }) => n)).toEqual([3]);
    expect(read('Total', [`${ANA};12,50`, 'Total;;;;;;;12,50'], { ...NO_ANSWERS, notOrders: true }).out).toHaveLength(1);
  });
});

describe('a payment', () => {
  const pagoOf = (titles: string, cells: string, ...given: Parameters<typeof answered>) => {
    const { filas, asked, doubts, errors } = read(titles, [`${ANA};${cells}`], answered(...given));
    return { pago: filas[0]?.pago, delivery: filas[0]?.contra_reembolso, asked, doubts, errors };
  };
  it.each(['Señal pagada', '50% pagado', 'Pagado 10 de 17,50', 'Mitad pagada por bizum'])(
    '«%s» pays nothing and is asked about',
    (words) => {
      expect(pagoOf('Pago', words)).toMatchObject({ pago: undefined, asked: [words] });
    },
  );
  it('of a part wants the amount written', () => {
    expect(pagoOf('Pago', 'Señal pagada', ['pago', 'Señal pagada', 'parte']).errors).toEqual([
      'Escribe cuánto se ha pagado, como «10,00 €, Bizum»',
    ]);
  });
  it('is an amount, and what is left is told', () => {
    const { pago, doubts } = pagoOf('Total;Pagado', '17,50;10,00');
    expect([pago, doubts]).toEqual([
      { metodo: 'otro', importe: 10 },
      ['De 17,50\u00a0€ hay pagado 10,00\u00a0€: quedan 7,50\u00a0€ por pagar'],
    ]);
  });
  it('and what the van collects add up to the total', () => {
    expect(pagoOf('Total;Pagado;Importe reembolso', '17,50;10,00;7,50')).toMatchObject({
      pago: { importe: 10 },
      delivery: true,
      doubts: [],
    });
    expect(pagoOf('Total;Pagado;Importe reembolso', '17,50;10,00;5,00').doubts).toEqual([
      'De 17,50\u00a0€ hay pagado 10,00\u00a0€ y por cobrar 5,00\u00a0€: quedan 2,50\u00a0€ por pagar',
    ]);
  });
  it('has the method and the day of the other columns', () => {
    expect(pagoOf('Pagado;Método de pago;Fecha de pago', 'Sí;Bizum;20/11/2026').pago).toEqual({ metodo: 'bizum', fecha: '2026-11-20' });
    expect(pagoOf('Método de pago', 'Tarjeta').pago).toBeUndefined();
    expect(pagoOf('Pagado;Método de pago', 'No;Bizum').pago).toBeUndefined();
  });
  it('whole and on delivery contradicts itself', () => {
    expect(pagoOf('Pagado;Contra reembolso', 'Sí;Sí').errors).toHaveLength(1);
  });
  it('has one way to write its day', () => {
    const { filas } = read('Fecha de pago', [`${ANA};11/20/2026`, `${EVA};11/05/2026`]);
    expect(filas.map(({ pago }) => pago?.fecha)).toEqual(['2026-11-20', '2026-11-05']);
    expect(read('Fecha de pago', [`${ANA};05/11/2026`]).sheet.day).toBe('05/11/2026');
  });
  it.each(['5€50', '10 %', '49 SEK', 'gratis', '1.2.3'])('«%s» is no amount', (text) => expect(parseAmount(text)).toBeNaN());
  it.each([
    ['1,234.50', 1234.5],
    ['-3,00 €', 3],
    ['€ 5', 5],
    ['29.900000', 29.9],
    ['1.234,50', 1234.5],
  ])('«%s» is %s', (text, euros) => expect(parseAmount(text)).toBe(euros));
});

describe('a cell that Excel has made a date', () => {
  const lines = (cells: string[], marks: Record<number, 'date' | 'time'>) => ({
    titles: ['Nombre', 'Dirección', 'Piso', 'Pack', 'Franja horaria'],
    lines: [{ n: 2, cells, marks }],
  });
  it('is asked about, with what was probably typed', () => {
    const { orders, doubts } = readOrders(lines(['Ana', 'Calle 1', '3/1/2026', 'MIEL500', '10:30'], { 2: 'date', 4: 'time' }), {
      packs: PACKS,
    });
    expect([orders[0]?.[0]?.values.cliente_direccion2, doubts]).toEqual(['3-1', ['Excel ha cambiado «3-1» por una fecha: ¿qué ponía?']]);
  });
});

describe('products', () => {
  it('beside each other, or in one cell, are lines of one order', () => {
    const two = readOrders('Nombre;Dirección;Producto;Cantidad;Producto;Cantidad\nAna;C 1;MIEL500;2;ACEITE2;1\nEva;C 2;MIEL500;1;;', {
      packs: PACKS,
      answers: {
        ...NO_ANSWERS,
        columns: { 'producto 2': 'pack', 'producto 4': 'pack', 'cantidad 3': 'cantidad', 'cantidad 5': 'cantidad' },
      },
    });
    expect(two.filas.map((fila) => fila.lineas?.length ?? 1)).toEqual([2, 1]);
    const cell = readOrders('Nombre;Dirección;Pack\nAna;C 1;"MIEL500 x2, ACEITE2 x1"', { packs: PACKS });
    expect(cell.filas[0]?.lineas).toEqual([
      { pack_id: 'p0', cantidad: 2 },
      { pack_id: 'p1', cantidad: 1 },
    ]);
  });
  it.each(['2 uds', 'media docena', '1.000'])('«%s» is no quantity without a person', (cantidad) => {
    expect(readOrders(`Nombre;Dirección;Pack;Cantidad\nAna;C 1;MIEL500;${cantidad}`, { packs: PACKS }).errors).toHaveLength(1);
  });
});

/** States and ways to pay in many languages, with typing faults, beside words that programs write. */
const WORDS = (
  'Pagado Señal Bezahlt Payé Pagato Pago Betaald Zapłacono Zaplaceno Fizetve Plătit Betalt Maksettu Ödendi Оплачено Πληρωμένο 已付款 支払済 지불됨 מדווח مدفوع ' +
  'Pagdo pagadoo Cancelado Storniert Annulé Annullato Geannuleerd Anulowano Zrušeno İptal Отменён 取消 Enviat Lliurat Bidalita Cobrado? 50% x ok'
).split(' ');
const MEANING = { situacion: ['entra', 'fuera'], pago: ['pagado', 'no', 'reembolso', 'fuera', 'tarjeta', 'pagado:bizum'] } as const;
const COLUMNS = [...HEAD.split(';'), 'Estado', 'Pago'];

const sheets = fc
  .record({
    order: fc.shuffledSubarray(COLUMNS, { minLength: COLUMNS.length }),
    words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6, selector: wordKey }),
    size: fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 1, max: 40 }) }, { weight: 1, arbitrary: fc.constantFrom(500, 2000) }),
    seed: fc.nat(),
  })
  .map(({ order, words, size, seed }) => {
    const pick = <T>(from: readonly T[], i: number) => from[(seed + i * 7919) % from.length] as T;
    const truth = words.map((word, i) => ({ word, situacion: pick(MEANING.situacion, i), pago: pick(MEANING.pago, i + 3) }));
    const rows = Array.from({ length: size }, (_, i) => ({ i, state: pick(truth, i), pay: pick(truth, i * 3 + 1) }));
    const table = (these: typeof rows) => ({
      titles: order,
      lines: these.map(({ i, state, pay }) => {
        const cells = [`Cliente ${i}`, `Calle ${i}`, '28013', 'Madrid', '', 'MIEL500', '1', state.word, pay.word];
        return { n: i + 2, cells: order.map((title) => cells[COLUMNS.indexOf(title)] ?? '') };
      }),
    });
    return { truth, rows, table };
  });

/** Seed of the thousand runs. */
const SEED = 20_261_128;
const pairsOf = (rows: readonly { state: { word: string }; pay: { word: string } }[]) =>
  new Set(rows.flatMap(({ state, pay }) => [`situacion ${wordKey(state.word)}`, `pago ${wordKey(pay.word)}`]));

function holds({ truth, rows, table }: ReturnType<(typeof sheets)['generate']>['value']): void {
  const first = readOrders(table(rows), { packs: PACKS });
  const asked = new Set(
    first.sheet.words.flatMap(({ kind, text, meaning }) => (meaning === undefined ? [`${kind} ${wordKey(text)}`] : [])),
  );
  const unknown = [...pairsOf(rows)].filter((pair) => {
    const [kind = '', ...word] = pair.split(' ');
    return knownMeaning(kind as 'pago', word.join(' ')) === undefined;
  });
  // Exactly what is not known is asked about, and decides nothing before it is answered.
  expect([...asked].sort()).toEqual(unknown.sort());
  const outBefore = new Set(first.out.map(({ row }) => row.n));
  for (const { i, state, pay } of rows) {
    const says = [knownMeaning('situacion', state.word), knownMeaning('pago', pay.word)];
    expect(outBefore.has(i + 2)).toBe(says.includes('fuera'));
  }
  // Asked and answered, every order is right.
  let answers: Answers = NO_ANSWERS;
  for (const { word, situacion, pago } of truth) answers = withWord(withWord(answers, 'situacion', word, situacion), 'pago', word, pago);
  const second = readOrders(table(rows), { packs: PACKS, answers });
  expect(second.asked).toEqual([]);
  const sent = new Map(second.filas.map((fila) => [fila.cliente_nombre, fila]));
  for (const { i, state, pay } of rows) {
    const fila = sent.get(`Cliente ${i}`);
    const isOut = state.situacion === 'fuera' || pay.pago === 'fuera';
    expect(fila === undefined).toBe(isOut);
    if (!fila) continue;
    const metodo = pay.pago === 'pagado' ? 'otro' : pay.pago === 'pagado:bizum' ? 'bizum' : undefined;
    expect([fila.pago?.metodo, fila.contra_reembolso ?? false]).toEqual([metodo, pay.pago === 'reembolso']);
  }
  // A file with one more word asks that one.
  const [row] = rows;
  if (!row) return;
  const more = { ...row, i: rows.length, state: { ...row.state, word: 'Parola nuova' } };
  expect(readOrders(table([...rows, more]), { packs: PACKS, answers }).asked).toEqual(['Parola nuova']);
}

describe('for sheets by chance', () => {
  it('what is not exactly known is asked once, and then every order is right', () => {
    fc.assert(fc.property(sheets, holds), { seed: SEED, numRuns: 1000 });
  }, 120_000);
  it('without any known word nothing is wrong, only more is asked', () => {
    const before = [...KNOWN_WORDS].map(([kind, words]) => [kind, new Map(words)] as const);
    for (const words of KNOWN_WORDS.values()) words.clear();
    fc.assert(fc.property(sheets, holds), { seed: SEED, numRuns: 100 });
    for (const [kind, words] of before) KNOWN_WORDS.set(kind, words);
  }, 60_000);
});
