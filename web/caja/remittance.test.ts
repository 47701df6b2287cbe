import { describe, expect, test } from 'vitest';
import { NO_ANSWERS } from '../sheets/reading.ts';
import { tableOfTexts } from '../sheets/table.ts';
import { readRemittance } from './read-remittance.ts';

/* A company's sheet of remittance, read from its cells. */

const KNOWN = { reembolso: 'importe', comision: 'comision', fecha: 'fecha' };
const read = (rows: string[][], columns: Record<string, string> = KNOWN) =>
  readRemittance(
    tableOfTexts(rows, () => 3),
    { ...NO_ANSWERS, columns },
  );

describe('a remittance', () => {
  test.each([
    ['1.234,56', 1234.56],
    ['1234.56', 1234.56],
    ['1,234.56', 1234.56],
    ['17,00 €', 17],
    ['17,00-', -17],
    ['-17', -17],
    ['(17,00)', -17],
  ])('the amount «%s» is %s', (text, importe) => {
    const { filas } = read([
      ['Referencia', 'Reembolso', 'Fecha'],
      ['ORD-1', text, '05/01/2026'],
    ]);
    expect(filas).toEqual([{ referencia: 'ORD-1', seguimiento: null, importe, comision: 0 }]);
  });

  test('rows without a number or an amount, such as totals, are told by their number, and empty ones are nothing', () => {
    const { filas, left, day, missing, asked } = read([
      ['Referencia', 'Expedición', 'Reembolso', 'Comisión', 'Fecha'],
      ['ORD-1', 'PQ1', '17', '-0,50', '29/12/2025'],
      ['', 'PQ2', '5', '', '08/01/2026'],
      ['Total', '', '', '', ''],
      ['', '', '22', '', ''],
      ['', '', '', '', ''],
      ['ORD-3', '', '0,00', '', ''],
    ]);
    expect([left, day, missing, asked]).toEqual([[4, 5, 7], '2026-01-08', [], []]);
    expect(filas).toEqual([
      { referencia: 'ORD-1', seguimiento: 'PQ1', importe: 17, comision: 0.5 },
      { referencia: 'PQ2', seguimiento: 'PQ2', importe: 5, comision: 0 },
    ]);
  });

  test('what the columns do not say is asked, and an answer is kept to its heading', () => {
    const rows = [
      ['Albarán', 'Euros', 'Notas'],
      ['ORD-1', '17', 'x'],
    ];
    expect(read(rows, {})).toMatchObject({ asked: [0, 1, 2], missing: ['Nuestra referencia', 'Importe cobrado (con signo)'] });
    expect(read(rows, { albaran: 'referencia', euros: 'importe', notas: '' })).toMatchObject({
      asked: [],
      missing: [],
      filas: [{ importe: 17 }],
    });
  });
});
