import { seededRandom } from '../demo/random.ts';
import type { Expected } from '../server/banco/expected-index.ts';

/* A month of an invented shop at an invented bank, written as Norma 43 and as camt.053, with what is true of each credit. */

export type Credit = {
  day: number;
  cents: number;
  name: string;
  concept: string /** Keys that it truly pays; empty: nothing of the shop. */;
  truth: string[];
};

const FIRST = ['Ana', 'Luis', 'María', 'José', 'Carmen', 'Pablo', 'Lucía', 'Iñaki', 'Núria', 'Óscar', 'Elena', 'Hugo'];
const LAST = ['García', 'Muñoz', 'Peña', 'Ruiz', 'Ibáñez', 'Vidal', 'Soler', 'Castro', 'Núñez', 'Ferrer', 'Ramos', 'Gil', 'Sáez', 'Prieto'];
const date = (day: number) => `2026-10-${String(day).padStart(2, '0')}`;

/** 300 transfers, 40 card payouts, 6 remittances and 20 credits of something else, in a random order drawn by `seed`. */
export function makeMonth(seed: number): { expected: Expected; credits: Credit[] } {
  const random = seededRandom(seed);
  const expected: Expected = { orders: [], payments: [], remittances: [], cards: [], cash: [] };
  const credits: Credit[] = [];
  for (let n = 0; n < 300; n += 1) {
    const nombre = `${random.pick(FIRST)} ${random.pick(LAST)} ${random.pick(LAST)}`;
    const numero = `ORD-2026${String(1000 + n).padStart(6, '0')}`;
    const cents = random.pick([1990, 2490, 3980, 1000 + random.int(1, 9000)]);
    expected.orders.push({ numero, concepto: numero, externa: null, nombre, cliente: `c${n}`, cents });
    const day = random.int(1, 28);
    const kind = random.chance(0.78) ? 'number' : random.chance(0.5) ? 'name' : random.chance(0.5) ? 'cut' : 'other name';
    const concept =
      kind === 'number' ? numero : kind === 'cut' ? `Pedido ${numero.replace('-', ' ')}` : kind === 'name' ? 'Compra aceite' : 'pago';
    const name = kind === 'other name' ? `${random.pick(FIRST)} ${random.pick(LAST)}` : nombre;
    credits.push({ day, cents, name, concept, truth: [numero] });
  }
  for (let n = 0; n < 40; n += 1) {
    const [proveedor, day] = [n % 2 ? 'redsys' : 'stripe', 1 + (n >> 1)];
    const cards = Array.from({ length: random.int(1, 5) }, (_, i) => ({
      id: `card-${n}-${i}`,
      proveedor,
      cents: random.int(900, 9000),
      fecha: date(day),
    }));
    expected.cards.push(...cards);
    const sum = cards.reduce((cents, card) => cents + card.cents, 0);
    const fee = proveedor === 'stripe' ? Math.round(sum * 0.015) + 25 * cards.length : Math.round(sum * 0.006);
    const name = proveedor === 'stripe' ? 'STRIPE PAYMENTS EUROPE LTD' : 'ABONO REMESA TPV COMERCIO 0342';
    credits.push({ day: day + 2, cents: sum - fee, name, concept: `PAYOUT ${1000 + n}`, truth: cards.map(({ id }) => id) });
  }
  for (let n = 0; n < 6; n += 1) {
    const empresa = random.pick(['Correos', 'GLS', 'SEUR']);
    const cents = random.int(20_000, 90_000);
    expected.remittances.push({
      id: `remesa-${n}`,
      numero: n + 1,
      referencia: n % 2 ? `LQ-7734${n}` : null,
      empresa,
      cents,
      fecha: date(4 * n + 2),
    });
    credits.push({
      day: 4 * n + 3,
      cents,
      name: `${empresa} ESPAÑA SA`,
      concept: n % 2 ? `LIQUIDACION LQ-7734${n}` : 'REEMBOLSOS',
      truth: [`remesa-${n}`],
    });
  }
  for (let n = 0; n < 20; n += 1)
    credits.push({
      day: random.int(1, 28),
      cents: random.int(100, 50_000),
      name: random.pick(['MUTUA SEGUROS', 'AGENCIA TRIBUTARIA', 'LIQ. INTERESES', 'TRASPASO PROPIO', 'EVA RUIZ SOCIO']),
      concept: 'ABONO',
      truth: [],
    });
  return {
    expected,
    credits: credits
      .map((credit) => ({ credit, at: random.int(0, 1_000_000) }))
      .toSorted((a, b) => a.credit.day - b.credit.day || a.at - b.at)
      .map(({ credit }) => credit),
  };
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();

/** As Norma 43: capitals, and concepts cut every 38 characters. */
export function asNorma43(credits: readonly Credit[]): string {
  const sum = credits.reduce((cents, credit) => cents + credit.cents, 0);
  const body = credits.flatMap(({ day, cents, name, concept }) => {
    const at = `2610${String(day).padStart(2, '0')}`;
    const text = plain(`TRANSFERENCIA DE ${name} ${concept}`);
    return [
      `22    0418${at}${at}02${'001'}2${String(cents).padStart(14, '0')}${'0'.repeat(10)}${'0'.repeat(12)}${'0'.repeat(16)}`,
      `2301${text.slice(0, 38).padEnd(38)}${text.slice(38, 76).padEnd(38)}`,
    ];
  });
  return [
    `11${'2100'}${'0418'}${'0200051332'}261001261031${'2'}${'0'.repeat(14)}9783${'TIENDA SL'.padEnd(26)}   `,
    ...body,
    `33${'2100'}${'0418'}${'0200051332'}${'0'.repeat(5)}${'0'.repeat(14)}${String(credits.length).padStart(5, '0')}${String(sum).padStart(14, '0')}2${String(sum).padStart(14, '0')}978    `,
    `88${'9'.repeat(18)}${String(body.length + 2).padStart(6, '0')}`,
  ].join('\r\n');
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** As camt.053, version 02 or 08. */
export function asCamt(credits: readonly Credit[], version: '02' | '08'): string {
  const sts = version === '02' ? '<Sts>BOOK</Sts>' : '<Sts><Cd>BOOK</Cd></Sts>';
  const payer = (name: string) =>
    version === '02' ? `<Dbtr><Nm>${xml(name)}</Nm></Dbtr>` : `<Dbtr><Pty><Nm>${xml(name)}</Nm></Pty></Dbtr>`;
  const entries = credits.map(
    ({ day, cents, name, concept }) => `<Ntry><Amt Ccy="EUR">${(cents / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd>${sts}
<BookgDt><Dt>${date(day)}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties>${payer(name)}<Cdtr><Nm>Tienda SL</Nm></Cdtr></RltdPties><RmtInf><Ustrd>${xml(concept)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>ES9121000418450200051332</IBAN></Id></Acct>${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`;
}
