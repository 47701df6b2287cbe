import { describe, expect, test } from 'vitest';
import { asCamt, asNorma43, makeMonth } from '../../test/bank-month.ts';
import { NO_ANSWERS } from '../sheets/reading.ts';
import { parseSigned } from '../sheets/signed.ts';
import { tableOfTexts } from '../sheets/table.ts';
import { isCamt, readCamt } from './camt053.ts';
import { isNorma43, readNorma43 } from './norma43.ts';
import { readBankSheet } from './sheet-columns.ts';
import { creditsIn, partsByDay } from './statement.ts';

const account = (number: string, movements: readonly string[], totals: string, currency = '978') => [
  `1121000418${number}2610012610312${'0'.repeat(14)}${currency}3TIENDA SL`.padEnd(80),
  ...movements,
  `3321000418${number}${totals}`.padEnd(80),
];
const movement = (side: 1 | 2, cents: number, concept = '02', day = '261005') =>
  `22    0418${day}${day}${concept}001${side}${String(cents).padStart(14, '0')}${'0'.repeat(38)}`;
const concept = (a: string, b = '') => `2301${a.padEnd(38)}${b.padEnd(38)}`;
const totals = (debits: number, owed: number, credits: number, had: number) =>
  `${String(debits).padStart(5, '0')}${String(owed).padStart(14, '0')}${String(credits).padStart(5, '0')}${String(had).padStart(14, '0')}`;
const file = (...lines: string[]) => [...lines, `88${'9'.repeat(18)}000009`].join('\r\n');

describe('Norma 43', () => {
  test('the credits of every account are read, with a number that the lines cut', () => {
    const text = file(
      ...account(
        '0200051332',
        [movement(2, 1990), concept('TRANSFERENCIA DE ANA RUIZ PEDRO ORD-202', '6000012 GRACIAS'), movement(1, 500)],
        totals(1, 500, 1, 1990),
      ),
      ...account('0200099999', [movement(2, 100), concept('OTRA')], totals(0, 0, 1, 100)),
    );
    expect(isNorma43(text)).toBe(true);
    expect(creditsIn(readNorma43(text))).toEqual([
      { cuenta: '210004180200051332', fecha: '2026-10-05', importe: 19.9, texto: 'TRANSFERENCIA DE ANA RUIZ PEDRO ORD-2026000012 GRACIAS' },
      { cuenta: '210004180200099999', fecha: '2026-10-05', importe: 1, texto: 'OTRA' },
    ]);
  });

  test('an account in another currency stays out', () => {
    expect(readNorma43(file(...account('0200051332', [movement(2, 100)], totals(0, 0, 1, 100), '840')))).toEqual([]);
  });

  test('a credit that the bank corrects leaves with its correction; one of an earlier file is shown as negative', () => {
    const own = [movement(2, 700), concept('ANA'), movement(1, 700, '98'), concept('ANULACION')];
    expect(creditsIn(readNorma43(file(...account('0200051332', own, totals(1, 700, 1, 700)))))).toEqual([]);
    const later = account('0200051332', own.slice(2), totals(1, 700, 0, 0));
    expect(creditsIn(readNorma43(file(...later)))).toMatchObject([{ importe: -7, texto: 'ANULACION' }]);
  });

  test('a file that is cut, or whose totals differ, is refused whole', () => {
    const whole = account('0200051332', [movement(2, 700)], totals(0, 0, 1, 700));
    expect(() => readNorma43(whole.slice(0, -1).join('\n'))).toThrow('le falta una parte');
    expect(() => readNorma43(file(...account('0200051332', [movement(2, 700)], totals(0, 0, 2, 700))))).toThrow('totales');
    expect(() => readNorma43(file(...account('0200051332', [movement(2, 700).replace('0700', '07x0')], totals(0, 0, 1, 700))))).toThrow(
      'válido',
    );
  });
});

describe('camt.053', () => {
  const entry = (
    inside: string,
    head = '<Amt Ccy="EUR">20.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-10-05</Dt></BookgDt>',
  ) =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>ES9121000418450200051332</IBAN></Id></Acct><Ntry>${head}${inside}</Ntry></Stmt></BkToCstmrStmt></Document>`;
  test('the payer and the concept are read, of the shop and the banks nothing', () => {
    const inside =
      '<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Ana &amp; Co</Nm></Dbtr><Cdtr><Nm>Tienda</Nm></Cdtr></RltdPties><RltdAgts><DbtrAgt><FinInstnId><Nm>BANCO</Nm></FinInstnId></DbtrAgt></RltdAgts><RmtInf><Ustrd>ORD-1</Ustrd></RmtInf></TxDtls></NtryDtls>';
    expect(isCamt(entry(inside))).toBe(true);
    expect(creditsIn(readCamt(entry(inside)))).toEqual([
      { cuenta: '210004180200051332', fecha: '2026-10-05', importe: 20, texto: 'Ana & Co ORD-1' },
    ]);
  });

  test.each([
    ['not booked yet', '<Amt Ccy="EUR">20.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2026-10-05</Dt></BookgDt>'],
    ['in dollars', '<Amt Ccy="USD">20.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-10-05</Dt></BookgDt>'],
    ['a debit', '<Amt Ccy="EUR">20.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-10-05</Dt></BookgDt>'],
  ])('a movement %s stays out', (_, head) => {
    expect(creditsIn(readCamt(entry('', head)))).toEqual([]);
  });

  test('a file that is cut, or declares entities, is refused', () => {
    expect(() => readCamt(entry('').slice(0, -60))).toThrow();
    expect(() => readCamt(entry('').replace('<Document', '<!DOCTYPE a [<!ENTITY b "c">]><Document'))).toThrow('no es un extracto');
  });
});

describe('a sheet of a bank', () => {
  const table = (rows: string[][]) => tableOfTexts(rows, () => 3);
  const columns = { fecha: 'fecha', importe: 'importe', concepto: 'concepto', observaciones: '' };
  test('the amounts of banks are read, debits and totals stay out', () => {
    const rows = [
      ['Fecha', 'Concepto', 'Importe'],
      ['05/10/2026', 'Ana', '1.234,56'],
      ['06/10/2026', 'Eva', '1234.56'],
      ['07/10/2026', 'Luz', '12,00-'],
      ['', 'Total', '99'],
    ];
    const { movements, left, missing, date } = readBankSheet(
      table(rows),
      { ...NO_ANSWERS, columns, monthFirst: false },
      'ES91 2100 0418 4502 0005 1332',
    );
    expect([missing, date, left]).toEqual([[], undefined, [5]]);
    expect(creditsIn(movements)).toEqual([
      { cuenta: '210004180200051332', fecha: '2026-10-05', importe: 1234.56, texto: 'Ana' },
      { cuenta: '210004180200051332', fecha: '2026-10-06', importe: 1234.56, texto: 'Eva' },
    ]);
  });

  test('what the columns do not say is asked', () => {
    const rows = [
      ['Fecha', 'Quién', 'Cuánto'],
      ['05/10/2026', 'Ana', '5'],
    ];
    expect(readBankSheet(table(rows), NO_ANSWERS, '').missing).toEqual([
      'Fecha',
      'Importe (con signo)',
      'Concepto, ordenante o referencia',
    ]);
    const known = { ...NO_ANSWERS, columns: { fecha: 'fecha', quien: 'concepto', cuanto: 'importe' } };
    expect(readBankSheet(table(rows), known, '')).toMatchObject({ missing: [], date: '05/10/2026' });
  });

  test.each([
    ['12,00-', -12],
    ['(12,00)', -12],
    ['-1.234,56', -1234.56],
    ['1,234.56', 1234.56],
    ['+5 €', 5],
    ['', undefined],
    ['doce', undefined],
  ])('«%s» is %s', (text, amount) => expect(parseSigned(text)).toBe(amount));
});

test('parts of a file end with a day', () => {
  const day = (fecha: string) => ({ cuenta: '', fecha, importe: 1, texto: '' });
  const parts = partsByDay([day('2026-10-01'), day('2026-10-02'), day('2026-10-02'), day('2026-10-03')], 2);
  expect(parts.map((part) => part.map(({ fecha }) => fecha.slice(-1)).join(''))).toEqual(['1', '22', '3']);
});

test('20,000 movements are read from both formats', () => {
  const { credits } = makeMonth(1);
  const many = Array.from({ length: 20_000 }, (_, i) => ({ ...credits[i % credits.length], cents: i + 1 }) as (typeof credits)[number]);
  expect([readNorma43(asNorma43(many)).length, readCamt(asCamt(many, '08')).length]).toEqual([20_000, 20_000]);
});
