import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { KNOWN_WORDS, knownMeaning, wordMeaning } from '../../contract/sheets/words.ts';
import { countTargets, HEADINGS, headingTarget, knownHeadings, type Use } from './headings.ts';
import { numberFormat, showCell } from './number-format.ts';
import { dayIn, monthFirstIn, NO_ANSWERS, readColumns, withColumns, withWord, wordsIn } from './reading.ts';
import { chooseTabs, tableOfTabs, tableOfTexts } from './table.ts';
import { decodeText, splitCells } from './text-file.ts';
import { readBook, type Tab } from './workbook.ts';

const known = (row: readonly string[]) => countTargets('pedidos', row);
const any = (name: string): name is string => name !== '';

describe('the dictionaries', () => {
  test('have at most 150 headings and 40 words a kind', () => {
    expect(knownHeadings()).toBeLessThanOrEqual(150);
    for (const [kind, words] of KNOWN_WORDS) expect(words.size, kind).toBeLessThanOrEqual(40);
  });
  test('say of each heading which program writes it', () => {
    for (const use of Object.keys(HEADINGS) as Use[])
      for (const [program, text] of Object.entries(HEADINGS[use])) {
        expect(program).not.toBe('');
        expect(text).toMatch(/^(\w+: [^;]+)(; \w+: [^;]+)*$/);
      }
  });
  test('know whole words alone', () => {
    expect(knownMeaning('estado', 'ENTREGADO')).toBe('entregado');
    expect(knownMeaning('estado', 'Entregado en punto de recogida')).toBeUndefined();
    expect(knownMeaning('situacion', 'Shipped - Delivered to Buyer')).toBeUndefined();
    expect(knownMeaning('pago', 'Señal pagada')).toBeUndefined();
    expect(knownMeaning('estado', '')).toBeUndefined();
    expect(wordMeaning('estado', 'Geliefert', { estado: { geliefert: 'entregado' } })).toBe('entregado');
  });
});

describe('a cell shows', () => {
  test.each([
    [0.1, 9, undefined, '10 %'],
    [0.4375, 20, undefined, '10:30'],
    [46_366, 16, undefined, '10/12/2026'],
    [44_884, 14, undefined, '20/11/2026'],
    [46_346.5, 22, undefined, '20/11/2026 12:00'],
    [1001, 164, '00000', '01001'],
    [49, 164, '#,##0.00\\ [$SEK]', '49 SEK'],
    [49, 164, '[$$-409]#,##0.00', '49 $'],
    [17.5, 164, '#,##0.00\\ "€"', '17.5'],
    [600_112_233, 0, undefined, '600112233'],
    [0.1 + 0.2, 0, undefined, '0.3'],
    [46_346, 164, 'd" de "mmmm" de "yyyy', '20/11/2026'],
    [0.5, 164, 'h:mm AM/PM', '12:00'],
    [3, 164, '0" uds"', '3 uds'],
  ])('%s under the format %s %s as %s', (value, id, code, text) =>
    expect(showCell(value, numberFormat(id, code), value === 44_884).text).toBe(text),
  );
});

describe('headings', () => {
  test('are found below a title, and rows keep their numbers', () => {
    const { titles, lines } = tableOfTexts([['Pedidos de hoy'], [], ['Nombre', 'Dirección', 'Pack'], ['Ana', 'Calle 1', 'Tarro']], known);
    expect(titles).toEqual(['Nombre', 'Dirección', 'Pack']);
    expect(lines).toEqual([{ n: 4, cells: ['Ana', 'Calle 1', 'Tarro'] }]);
  });
  test('in another language are headings too, if they are texts above figures', () => {
    const { titles } = tableOfTexts(
      [
        ['Naam', 'Straat'],
        ['Ana', 'Straat 1'],
      ],
      known,
    );
    expect(titles).toEqual(['Naam', 'Straat']);
  });
  test('that are unknown, or the same twice, are asked about; answered once, they are not', () => {
    const { titles, lines } = tableOfTexts(
      [
        ['Nombre', 'Dirección', 'Pack', 'Talla', 'Ciudad', 'Ciudad'],
        ['Ana', 'C 1', 'T', 'L', 'A', 'B'],
      ],
      known,
    );
    const { columns, asked } = readColumns('pedidos', titles, lines, NO_ANSWERS, any);
    expect([columns, asked]).toEqual([
      ['cliente_nombre', 'cliente_direccion', 'pack', '', '', ''],
      [3, 4, 5],
    ]);
    const answers = withColumns(NO_ANSWERS, titles, columns.with(5, 'cliente_ciudad'));
    const again = readColumns('pedidos', titles, lines, answers, any);
    expect([again.columns[4], again.columns[5], again.asked]).toEqual(['', 'cliente_ciudad', []]);
  });
  test.each(['Código postal', 'Fecha envío', 'Tipo de envío', 'Código cliente', 'Peso envío', 'Número de abonado'])(
    'such as «%s» are no tracking number',
    (title) => expect(headingTarget('respuesta', title)).toBeUndefined(),
  );
});

describe('words', () => {
  const lines = [['Pagado'], ['Señal pagada'], [''], ['Pagado'], ['12/11/2026']].map((cells, i) => ({ n: i + 2, cells }));
  test('are told once each, with their rows and an example; an empty cell beside filled ones is a word', () => {
    expect(wordsIn(lines, ['pago'], {})).toEqual([
      { kind: 'pago', text: 'Pagado', rows: 2, at: 0, example: 2, meaning: 'pagado' },
      { kind: 'pago', text: 'Señal pagada', rows: 1, at: 0, example: 3, meaning: undefined },
      { kind: 'pago', text: '', rows: 1, at: 0, example: 4, meaning: undefined },
      { kind: 'pago', text: '{fecha}', rows: 1, at: 0, example: 6, meaning: undefined },
    ]);
  });
  test('once answered have their meaning, whatever their case', () => {
    const { words } = withWord(NO_ANSWERS, 'pago', 'Señal pagada', 'parte');
    expect(wordMeaning('pago', 'SEÑAL PAGADA', words)).toBe('parte');
  });
  test('an empty cell beside another column of its kind says nothing', () => {
    const two = [{ n: 2, cells: ['', 'En reparto'] }];
    expect(wordsIn(two, ['estado', 'estado'], {}).map(({ text }) => text)).toEqual(['En reparto']);
  });
});

describe('days', () => {
  test.each([
    [['11/20/2026', '11/05/2026'], { monthFirst: true }],
    [['05/11/2026', '20/11/2026'], { monthFirst: false }],
    [['05/11/2026', '05/05/2026'], { ask: '05/11/2026' }],
    [['2026-11-05', 'hoy'], {}],
  ])('%s are read one way', (texts, expected) => expect(monthFirstIn(texts)).toEqual(expected));
  test.each([
    ['11/05/2026', true, '2026-11-05'],
    ['5/11/26', false, '2026-11-05'],
    ['2026-11-20T09:12:31+00:00', false, '2026-11-20'],
    ['31/02/2026', false, undefined],
    ['10-12', false, undefined],
  ])('%s, month first: %s, is %s', (text, monthFirst, day) => expect(dayIn(text, monthFirst)).toBe(day));
});

describe('a text file', () => {
  test('is read in its encoding', () => {
    const bytes = (text: string, add: (code: number) => number[]) =>
      new Uint8Array([...text].flatMap((letter) => add(letter.charCodeAt(0))));
    expect(decodeText(bytes('Peña', (code) => [code & 255, code >> 8]))).toBe('Peña');
    expect(decodeText(new TextEncoder().encode('Peña'))).toBe('Peña');
    expect(decodeText(bytes('Peña', (code) => [code]))).toBe('Peña');
  });
  test.each([';', ',', '\t', '|'])('is separated at «%s»', (sign) =>
    expect(splitCells(['Nombre', 'Dirección', 'Pack'].join(sign), known)).toEqual([['Nombre', 'Dirección', 'Pack']]),
  );
});

describe('tabs', () => {
  const tab = (name: string, rows: string[][], hidden = false): Tab => ({
    name,
    hidden,
    cells: rows.map((row) => row.map((text) => ({ text }))),
    hiddenRows: new Set(),
    hiddenColumns: new Set(),
  });
  const monday = tab('Lunes', [
    ['Nombre', 'Dirección', 'Pack'],
    ['Ana', 'Calle 1', 'T'],
  ]);
  const tuesday = tab('Martes', [
    ['Pack', 'Nombre', 'Dirección'],
    ['T', 'Eva', 'Calle 2'],
  ]);
  test('a single tab with orders is read, and the others are named', () => {
    const tabs = [tab('Notas', [['Hola']]), monday];
    const { read, ask } = chooseTabs(tabs, known);
    expect([read, ask, tableOfTabs(tabs, read, known).unread]).toEqual([[monday], false, [{ name: 'Notas', hidden: false }]]);
  });
  test('several are asked about, and joined by their headings', () => {
    const tabs = [monday, tuesday];
    expect(chooseTabs(tabs, known)).toEqual({ read: tabs, ask: true });
    expect(tableOfTabs(tabs, tabs, known).lines.map(({ n, cells }) => [n, ...cells])).toEqual([
      [2, 'Ana', 'Calle 1', 'T'],
      [4, 'Eva', 'Calle 2', 'T'],
    ]);
  });
});

/** A workbook of one tab with these rows, as programs write it that keep texts in their cells: without styles and shared strings. */
function bareWorkbook(rows: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const cells = rows.map((row) => `<row>${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`).join('');
  const id = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"';
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
  return zipSync({
    'xl/workbook.xml': strToU8(`<workbook><sheets><sheet name="Hoja" sheetId="1" ${id}/></sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships><Relationship Id="rId1" Type="${type}" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${cells}</sheetData></worksheet>`),
  }) as Uint8Array<ArrayBuffer>;
}

test('a workbook without styles and shared strings is read; without tabs it is none', () => {
  const [tab] = readBook(bareWorkbook([['Nombre'], ['Ana']]));
  expect(tab?.cells.map((row) => row.map(({ text }) => text))).toEqual([['Nombre'], ['Ana']]);
  expect(() => readBook(zipSync({ 'xl/a.xml': strToU8('<a/>') }))).toThrow();
});
