import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { countTargets, headingTarget } from './headings.ts';
import { numberFormat, showCell } from './number-format.ts';
import { dayIn, monthFirstIn, NO_ANSWERS, readColumns, shownWord, withColumns, wordIn, wordsIn } from './reading.ts';
import { chooseTabs, findTable, HIDDEN, tableOfTabs, tableOfTexts } from './table.ts';
import { cellText, decodeText, splitCells } from './text-file.ts';
import { MAX_UNPACKED, readBook, type Tab, TooLarge } from './workbook.ts';

/* What stands a row, a column, a figure or a byte to each side of an edge. */

const known = (row: readonly string[]) => countTargets('pedidos', row);

describe('a number format', () => {
  test('of Excel’s own is a date, a time, both or a percentage by its number', () => {
    const kinds = Array.from({ length: 50 }, (_, id) => numberFormat(id, undefined).is);
    const at = (kind: string) => kinds.flatMap((each, id) => (each === kind ? [id] : []));
    expect([at('percent'), at('date'), at('both'), at('time')]).toEqual([[9, 10], [14, 15, 16, 17], [22], [18, 19, 20, 21, 45, 46, 47]]);
  });
  test.each([
    ['dd/mm/yyyy', { is: 'date' }],
    ['mmm', { is: 'date' }],
    ['mm:ss', { is: 'time' }],
    ['h:mm', { is: 'time' }],
    ['mm:ss.0', { is: 'time' }],
    ['[h]:mm:ss', { is: 'time' }],
    ['d/m/yy h:mm', { is: 'both' }],
    ['yyyy-mm-dd hh:mm:ss', { is: 'both' }],
    ['0.00%', { is: 'percent' }],
    ['0', { is: 'plain' }],
    ['00', { is: 'plain', zeros: 2 }],
    ['00000;-00000', { is: 'plain', zeros: 5 }],
    ['0.00', { is: 'plain' }],
    ['[Red]0', { is: 'plain' }],
    ['0" días"', { is: 'plain', currency: 'días' }],
    ['0" cajas"', { is: 'plain', currency: 'cajas' }],
    ['0\\d', { is: 'plain' }],
    ['0 "EUR"', { is: 'plain' }],
    ['0 "USD"', { is: 'plain', currency: 'USD' }],
    ['[$€-C0A] 0', { is: 'plain' }],
    ['[$kr.-406] 0', { is: 'plain', currency: 'kr.' }],
    ['£0;[Red]-$0', { is: 'plain', currency: '£' }],
  ] as const)('%s is %j', (code, format) => expect(numberFormat(164, code)).toEqual(format));
  test.each([
    [0, 'date', true, { text: '1/1/1904', mark: 'date' }],
    [0.5, 'date', false, { text: '12:00', mark: 'time' }],
    [1, 'date', false, { text: '31/12/1899', mark: 'date' }],
    [1.25, 'both', false, { text: '31/12/1899 6:00', mark: 'date' }],
    [46_346, 'both', false, { text: '20/11/2026', mark: 'date' }],
    [46_346.378_5, 'time', false, { text: '9:05', mark: 'time' }],
    [0.125, 'percent', false, { text: '12.5 %' }],
    [1e21, 'plain', false, { text: '1000000000000000000000' }],
    [-1234.5, 'plain', false, { text: '-1234.5' }],
  ] as const)('%d as %s, from 1904: %s, is %j', (value, is, from1904, shown) => expect(showCell(value, { is }, from1904)).toEqual(shown));
  test('with zeros fills up to them, and no further', () => {
    expect([1, 12, 123].map((value) => showCell(value, { is: 'plain', zeros: 2 }, false).text)).toEqual(['01', '12', '123']);
  });
});

describe('columns', () => {
  const lines = [{ cells: ['a', '', 'b', 'c'] }];
  const isAny = (name: string): name is string => name !== 'pedido';
  const read = (titles: string[] | null, columns = {}) => readColumns('pedidos', titles, lines, { columns }, isAny);
  test('are asked about if nothing is known of them and they have cells', () => {
    expect(read(['Nombre', 'Talla', 'Color', `Nombre${HIDDEN}`])).toEqual({ columns: ['cliente_nombre', '', '', ''], asked: [2] });
    expect(read(null)).toEqual({ columns: ['', '', '', ''], asked: [0, 2, 3] });
  });
  test('whose field may not be used are none, and not asked about', () => {
    expect(read(['Nº pedido', 'Talla', 'Ciudad', 'Nombre'])).toEqual({ columns: ['', '', 'cliente_ciudad', 'cliente_nombre'], asked: [] });
    expect(read(['Talla'], { talla: 'pedido' })).toEqual({ columns: [''], asked: [] });
  });
  test('without a heading, and twice the same, are answered by their number', () => {
    expect(read(null, { 0: 'cliente_nombre', 3: '' })).toEqual({ columns: ['cliente_nombre', '', '', ''], asked: [2] });
    expect(read(['Talla', '', 'Talla', ''], { 'talla 2': 'pack', 'talla 0': '', 3: '' })).toEqual({
      columns: ['', '', 'pack', ''],
      asked: [],
    });
  });
  test('are answered one at a time, or all', () => {
    const columns = (only?: number) => withColumns(NO_ANSWERS, ['Talla', 'Color'], ['pack', ''], only).columns;
    expect([columns(0), columns(1), columns()]).toEqual([{ talla: 'pack' }, { color: '' }, { talla: 'pack', color: '' }]);
  });
  test('of the programs have their field, whatever their case and signs', () => {
    const titles = ['Lineitem name', 'SHIPPING ZIP', 'Total (€)', 'Nº de pedido', 'First Name (Shipping)', 'ship-address-3', 'Anticipo'];
    expect(titles.map((title) => headingTarget('pedidos', title))).toEqual([
      'pack',
      'cliente_codigo_postal',
      'total',
      'pedido',
      'cliente_nombre',
      'cliente_direccion2',
      'pago',
    ]);
    expect([headingTarget('respuesta', 'Localizador'), headingTarget('respuesta', 'Nombre')]).toEqual(['seguimiento', undefined]);
    expect([known(['Nombre', 'Nombre', 'Talla']), known(['Nombre', 'Ciudad'])]).toEqual([1, 2]);
  });
});

describe('a day', () => {
  test.each([
    ['29/02/2024', '2024-02-29'],
    ['29/02/2023', undefined],
    ['1-2-26', '2026-02-01'],
    ['1.2.2026 9:30', '2026-02-01'],
    ['1.2.2026 9', undefined],
    ['5/11/126', undefined],
    ['13/13/2026', undefined],
    [' 2026/1/5 ', '2026-01-05'],
    ['0/1/2026', undefined],
  ])('«%s» is %s', (text, day) => expect(dayIn(text)).toBe(day));
  test.each([
    [['12/12/2026'], {}],
    [['13/1/2026'], { monthFirst: false }],
    [['12/13/2026'], { monthFirst: true }],
    [['1/12/2026', '2/12/2026'], { ask: '1/12/2026' }],
    [['1/12/2026', 'x', '13/12/2026'], { monthFirst: false }],
    [['2026/01/13'], {}],
  ])('of %j the month is first: %j', (texts, expected) => expect(monthFirstIn(texts)).toEqual(expected));
});

describe('a word', () => {
  test.each([
    ['12/11/2026 10:30', '{fecha}'],
    ['12,50', '{importe}'],
    ['€ 12', '{importe}'],
    ['12 EUR', '{importe}'],
    ['-3', '{importe}'],
    ['12 USD', '12 USD'],
    ['Pagado 12', 'Pagado 12'],
  ])('«%s» is %s', (text, word) => expect(wordIn(text)).toBe(word));
  test('is shown as what it is', () =>
    expect(['', '{fecha}', '{importe}', 'Sí'].map(shownWord)).toEqual(['celda vacía', 'una fecha', 'un importe', '«Sí»']));
  const lines = [
    ['x', ''],
    ['', ''],
    ['x', ''],
    ['y', ''],
  ].map((cells, i) => ({ n: i + 2, cells }));
  const words = (...[kinds, options]: [Parameters<typeof wordsIn>[1], Parameters<typeof wordsIn>[3]?]) =>
    wordsIn(lines, kinds, {}, options).map(({ text, rows, example }) => [text, rows, example]);
  test('is asked about where its column has cells, the most frequent first', () => {
    expect(words(['pago', 'estado'])).toEqual([
      ['x', 2, 2],
      ['', 1, 3],
      ['y', 1, 5],
    ]);
    expect(words([undefined, 'pago'])).toEqual([]);
  });
  test('that is empty says nothing of a cancelled order, of a further line, or beside another column of its kind', () => {
    const filled = [
      ['x', 2, 2],
      ['y', 1, 5],
    ];
    expect(words(['anulado'])).toEqual(filled);
    expect(words(['pago'], { counts: ({ n }) => n !== 3 })).toEqual(filled);
    expect(words(['pago'], { counts: ({ n }) => n !== 2 })).toContainEqual(['', 1, 3]);
    expect(words(['pago'], { isPlain: (_, word) => word === 'x' })).toEqual([
      ['', 1, 3],
      ['y', 1, 5],
    ]);
  });
});

describe('headings', () => {
  const heading = ['Nombre', 'Ciudad'];
  const below = (rows: number) => [...Array.from({ length: rows }, (_, i) => ['x', `${i}`]), heading, ['Ana', 'Soria 1']];
  test('are looked for in eight rows', () => {
    expect([tableOfTexts(below(7), known).titles, tableOfTexts(below(8), known).titles]).toEqual([heading, null]);
  });
  test.each([
    ['one text alone', [['Naam'], ['Ana 1']]],
    [
      'twice the same',
      [
        ['Naam', 'Naam'],
        ['Ana', '1'],
      ],
    ],
    [
      'with a figure',
      [
        ['Naam', 'Straat 1'],
        ['Ana', '1'],
      ],
    ],
    [
      'with an empty cell',
      [
        ['Naam', '', 'Straat'],
        ['Ana', '1', 'x'],
      ],
    ],
    [
      'without figures below',
      [
        ['Naam', 'Straat'],
        ['Ana', 'x'],
      ],
    ],
    ['without rows below', [['Naam', 'Straat']]],
  ])('%s are none', (_, rows) => expect(tableOfTexts(rows, known).titles).toBeNull());
  test('and lines have one width; empty rows are left out, hidden ones and marks are said', () => {
    const shown = (...texts: string[]) => texts.map((text) => ({ text, ...(text === '3/1' && { mark: 'date' as const }) }));
    const cells = [shown('Nombre', 'Ciudad', 'Talla', ''), shown('', ' '), shown('Ana', '3/1'), shown('Eva')];
    expect(findTable(cells, known, { hiddenRows: new Set([3]), hiddenColumns: new Set([1, 3]) })).toEqual({
      titles: ['Nombre', `Ciudad${HIDDEN}`, 'Talla'],
      lines: [
        { n: 3, cells: ['Ana', '3/1', ''], marks: { 1: 'date' } },
        { n: 4, cells: ['Eva', '', ''], hidden: true },
      ],
    });
  });
});

describe('a tab', () => {
  const tab = (name: string, rows: string[][], hidden = false): Tab => ({
    ...{ name, hidden, hiddenRows: new Set<number>(), hiddenColumns: new Set<number>() },
    cells: rows.map((row) => row.map((text) => ({ text, ...(text === '3/1' && { mark: 'date' as const }) }))),
  });
  const three = tab('Tres', [
    ['Nombre', 'Dirección', 'Pack'],
    ['Ana', 'C 1', 'T'],
  ]);
  const two = tab('Dos', [
    ['Nombre', 'Ciudad'],
    ['Ana', 'C 1'],
  ]);
  test('is one of orders with three known headings; if none has them the best is read', () => {
    expect(chooseTabs([two, three], known)).toEqual({ read: [three], ask: false });
    expect(chooseTabs([tab('Notas', [['Hola']]), two], known)).toEqual({ read: [two], ask: false });
  });
  test('that is hidden is never read unasked', () => {
    const hidden = { ...three, hidden: true };
    expect([chooseTabs([hidden], known), chooseTabs([hidden, two], known), chooseTabs([], known)]).toEqual([
      { read: [], ask: true },
      { read: [two], ask: false },
      { read: [], ask: false },
    ]);
    expect(tableOfTabs([hidden, two], [two], known).unread).toEqual([{ name: 'Tres', hidden: true }]);
    expect(tableOfTabs([two], [], known)).toEqual({ titles: null, lines: [], unread: [{ name: 'Dos', hidden: false }] });
  });
  test('joined to another keeps its second heading of one name, its marks and its row numbers', () => {
    const twice = tab('A', [
      ['Nombre', 'Ciudad', 'Ciudad', 'Pack'],
      ['Ana', 'uno', 'dos', 'T'],
    ]);
    const other = tab('B', [
      ['Pack', 'Ciudad', 'Nombre'],
      ['3/1', 'tres', 'Eva'],
    ]);
    const { titles, lines, unread } = tableOfTabs([twice, other], [twice, other], known);
    expect([titles, unread]).toEqual([['Nombre', 'Ciudad', 'Ciudad', 'Pack'], undefined]);
    expect(lines).toEqual([
      { n: 2, cells: ['Ana', 'uno', 'dos', 'T'], marks: {} },
      { n: 4, cells: ['Eva', 'tres', '', '3/1'], marks: { 3: 'date' } },
    ]);
  });
});

describe('a text', () => {
  const sentence = 'Peña, ñandú y cigüeña en Ávila';
  test('is read from UTF-16 of both orders, with and without a mark, from DOS and from Mac', () => {
    const units = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
    const big = units(sentence).flatMap((code) => [code >> 8, code & 255]);
    const little = units(sentence).flatMap((code) => [code & 255, code >> 8]);
    for (const bytes of [[0xfe, 0xff, ...big], [0xff, 0xfe, ...little], big, little])
      expect(decodeText(new Uint8Array(bytes))).toBe(sentence);
    // Without the zeros of Western letters only the mark tells.
    expect(
      [
        [0xfe, 0xff, 0x6f, 0x22],
        [0xff, 0xfe, 0x22, 0x6f],
      ].map((bytes) => decodeText(new Uint8Array(bytes))),
    ).toEqual(['漢', '漢']);
    const bytesIn = (table: Record<string, number>) => new Uint8Array([...sentence].map((letter) => table[letter] ?? letter.charCodeAt(0)));
    expect(decodeText(bytesIn({ ñ: 0xa4, ú: 0xa3, ü: 0x81, Á: 0xb5 }))).toBe(sentence);
    expect(decodeText(bytesIn({ ñ: 0x96, ú: 0x9c, ü: 0x9f, Á: 0xe7 }))).toBe(sentence);
  });
  test('may name its separator, begin with a mark, and have commas in its cells', () => {
    expect(splitCells('\ufeffsep=;\r\nNombre;Ciudad\r\nAna;"Soria, 1"\r\n\r\n', known)).toEqual([
      ['Nombre', 'Ciudad'],
      ['Ana', 'Soria, 1'],
    ]);
    expect(splitCells('Ana\tCalle 1, bajo, izda\nEva\tCalle 2', known)).toEqual([
      ['Ana', 'Calle 1, bajo, izda'],
      ['Eva', 'Calle 2'],
    ]);
    expect(splitCells('Naam;Straat\nAna;C 1\nEva;C 2', known)).toEqual([
      ['Naam', 'Straat'],
      ['Ana', 'C 1'],
      ['Eva', 'C 2'],
    ]);
  });
  test.each([
    ['="28013"', '28013'],
    ["'28013", '28013'],
    ["'+34", '+34'],
    ["'t Hof", "'t Hof"],
    [' a ', 'a'],
    ['Pe&ntilde;a &amp; C&iacute;a', 'Peña & Cía'],
    ['Pe&amp;ntilde;a', 'Peña'],
    ['&#241;&#xF1;&#32;x', 'ññ x'],
    ['&#31;|&#xd800;|&#xdfff;|&#1114112;', '&#31;|&#xd800;|&#xdfff;|&#1114112;'],
    ['&nada; 5 &euro;', '&nada; 5 €'],
  ])('%s in a cell is %s', (cell, text) => expect(cellText(cell)).toBe(text));
});

describe('a workbook', () => {
  const rels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const book = (sheet: string, more: Record<string, string> = {}, { target = 'worksheets/s.xml', type = 'worksheet', of = '' } = {}) =>
    zipSync({
      'xl/workbook.xml': strToU8(
        `<x:workbook xmlns:r="${rels}"><workbookPr ${of}/><sheets><sheet name="H" state="${of ? 'veryHidden' : 'visible'}" r:id="a"/></sheets></x:workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(`<R><R Id="a" Type="${rels}/${type}" Target="${target}"/></R>`),
      'xl/worksheets/s.xml': strToU8(`<worksheet>${sheet}</worksheet>`),
      ...Object.fromEntries(Object.entries(more).map(([path, xml]) => [`xl/${path}.xml`, strToU8(xml)])),
    });
  const textsOf = (tab: Tab | undefined) => tab?.cells.map((row) => row.map(({ text }) => text));
  test('has its cells at their places, of every type', () => {
    const sheet = `<sheetData><row r="2"><c r="B2" t="s"><v>1</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c r="AA2" t="str"><v>a_x000D_b</v></c></row>
      <row><c t="d"><v>2026-01-05T00:00:00</v></c><c s="1"><v>46346</v></c><c s="2"><v>7</v></c><c t="n"><v>x</v></c><c/></row></sheetData>`;
    const strings = '<sst><si><t>uno</t></si><si><r><t>Pe</t></r><r><t>ña</t></r><rPh><t>no</t></rPh></si></sst>';
    const styles = `<s><numFmts><numFmt numFmtId="164" formatCode="000"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs><dxfs><xf/></dxfs></s>`;
    const [tab] = readBook(book(sheet, { sharedStrings: strings, styles }));
    expect(textsOf(tab)?.[0]).toEqual([]);
    expect(textsOf(tab)?.[1]?.slice(0, 4)).toEqual(['', 'Peña', 'Sí', 'No']);
    expect([textsOf(tab)?.[1]?.length, textsOf(tab)?.[1]?.[26]]).toEqual([27, 'a\rb']);
    expect(textsOf(tab)?.[2]).toEqual(['5/1/2026', '20/11/2026', '007', 'x', '']);
    expect(tab?.cells[2]?.map(({ mark }) => mark)).toEqual(['date', 'date', undefined, undefined, undefined]);
  });
  test('says what is hidden, and may count from 1904', () => {
    const sheet = `<cols><col min="2" max="3" hidden="1"/><col min="5" max="5" width="0"/><col min="6" max="6"/></cols>
      <sheetData><row r="1" hidden="true"><c><v>1</v></c></row><row r="2" ht="0"><c s="0"><v>0</v></c></row><row><c><v>1</v></c></row></sheetData>`;
    const styles = '<s><cellXfs><xf numFmtId="14"/></cellXfs></s>';
    const [tab] = readBook(book(sheet, { styles }, { of: 'date1904="true"', target: '/xl/worksheets/s.xml' }));
    expect([tab?.hidden, [...(tab?.hiddenRows ?? [])], [...(tab?.hiddenColumns ?? [])]]).toEqual([true, [0, 1], [1, 2, 4]]);
    expect(textsOf(tab)).toEqual([['2/1/1904'], ['1/1/1904'], ['2/1/1904']]);
    expect(readBook(book(sheet))[0]?.hidden).toBe(false);
  });
  test.each([
    ['A1:C1', [['T', 'T', 'T'], ['x']]],
    ['A1:D1', [['T'], ['x']]],
    [
      'A1:D2',
      [
        ['T', 'T', 'T', 'T'],
        ['T', 'T', 'T', 'T'],
      ],
    ],
    ['A1:A9', [['T'], ['T']]],
    ['B1:C2', [['T'], ['x']]],
  ])('has the text of the merged cells %s in each, but not a title’s', (ref, texts) => {
    const sheet = `<sheetData><row><c t="str"><v>T</v></c></row><row><c t="str"><v>x</v></c></row></sheetData>
      <mergeCells><mergeCell ref="${ref}"/></mergeCells>`;
    expect(textsOf(readBook(book(sheet))[0])).toEqual(texts);
  });
  test('has no tab that is a chart or empty, and one without any tab is none', () => {
    expect(() => readBook(book('', {}, { type: 'chartsheet' }))).toThrow('no workbook');
    expect(readBook(book('<sheetData><row><c t="str"><v></v></c></row></sheetData>'))).toEqual([]);
  });
  test('is refused a byte beyond the maximum, of its texts alone', () => {
    const error = (path: string, size: number) => {
      const bytes = zipSync({ [path]: strToU8('<a/>') }, { level: 1 });
      const directory = bytes.findLastIndex((_, i) => [0x50, 0x4b, 1, 2].every((byte, n) => bytes[i + n] === byte));
      new DataView(bytes.buffer).setUint32(directory + 24, size, true);
      try {
        return readBook(bytes);
      } catch (thrown) {
        return thrown instanceof TooLarge;
      }
    };
    expect([error('xl/a.xml', MAX_UNPACKED), error('xl/a.xml', MAX_UNPACKED + 1), error('xl/a.bin', MAX_UNPACKED + 1)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
