import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { matchColumns } from './columns.ts';
import { cellsOf, decode, sheetOf, TooLarge } from './sheet.ts';
import { chooseTabs, sheetOfTabs } from './tabs.ts';
import { MAX_UNPACKED, readBook } from './xlsx.ts';

it('a day number under the heading of a day is a date', () => {
  const [titles = '', ...rows] = [
    'Nombre;Dirección;Fecha de pago;Pagado el;Fec. entrega;Fecha/Hora;CP',
    'Ana;Calle 1;46347;46347,5;46348;46347.75;46347',
    'Eva;Calle 2;Sí;12;21/11/2026;;28013',
  ];
  expect(sheetOf(cellsOf([titles, ...rows].join('\n'))).lines.map(({ cells }) => cells.slice(2))).toEqual([
    ['21/11/2026', '21/11/2026', '22/11/2026', '21/11/2026', '46347'],
    ['Sí', '12', '21/11/2026', '', '28013'],
  ]);
});

describe('a text', () => {
  it.each([
    ['tabs', 'Cliente\tDirección\nAna, la de arriba\tCalle Mayor, 3\n'],
    ['semicolons', 'Cliente;Dirección\r\nAna, la de arriba;Calle Mayor, 3\r\n'],
    ['commas', 'Cliente,Dirección\n"Ana, la de arriba","Calle Mayor, 3"\n'],
    ['bars', 'Cliente|Dirección\nAna, la de arriba|Calle Mayor, 3\n'],
    ['the delimiter in Excel’s «sep=» line', 'sep=;\r\nCliente;Dirección\r\nAna, la de arriba;Calle Mayor, 3'],
  ])('text with columns separated by %s is read', (_, text) => {
    const { titles, lines } = sheetOf(cellsOf(text));
    expect(titles).toEqual(['Cliente', 'Dirección']);
    expect(lines).toEqual([{ n: 2, cells: ['Ana, la de arriba', 'Calle Mayor, 3'] }]);
  });
  it('line breaks inside a cell and row numbers of the sheet are kept', () => {
    const { lines } = sheetOf(cellsOf('Cliente\tNotas\n\n"Ana"\t"Llamar antes\nNo hay timbre"\n\t\nEva\t'));
    expect(lines).toEqual([
      { n: 3, cells: ['Ana', 'Llamar antes\nNo hay timbre'] },
      { n: 5, cells: ['Eva', ''] },
    ]);
  });
  it('the marks with which programs store numbers as text are removed', () => {
    expect(sheetOf([["'28013", '="08001"', "'+34600112233", "'s-Hertogenbosch"]]).lines[0]?.cells).toEqual([
      ...['28013', '08001', '+34600112233', "'s-Hertogenbosch"],
    ]);
  });
  it('a sheet may lack headings, or have unknown headings that were matched earlier', () => {
    expect(sheetOf([['Ana', 'Calle Mayor 3']])).toEqual({ titles: null, lines: [{ n: 1, cells: ['Ana', 'Calle Mayor 3'] }] });
    expect(
      sheetOf(
        [
          ['Quién', 'Dónde'],
          ['Ana', 'Calle Mayor 3'],
        ],
        () => true,
      ).titles,
    ).toEqual(['Quién', 'Dónde']);
    expect(sheetOf([])).toEqual({ titles: null, lines: [] });
  });
});

it.each([
  ['UTF-8', new TextEncoder().encode('Peña'), 'Peña'],
  ['UTF-8 with a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x50]), 'P'],
  ['windows-1252', new Uint8Array([0x50, 0x65, 0xf1, 0x61, 0x20, 0x80]), 'Peña €'],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0xf1, 0x00]), 'ñ'],
])('a file in %s is decoded', (_, bytes, text) => {
  expect(decode(bytes)).toBe(text);
});

/** Smallest possible workbook with these sheets; `state` of a sheet, `cols` and `merges` are XML. `isChart`: the tab is a chart. */
type Look = { state?: string; cols?: string; merges?: string; isChart?: boolean };
function workbook(sheets: Record<string, string[]>, look: Record<string, Look> = {}): Uint8Array {
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${rel}"><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" ${look[name]?.state ?? ''} r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((name, i) => `<Relationship Id="rId${i + 1}" Type="${rel}/${look[name]?.isChart ? 'chartsheet' : 'worksheet'}" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}</Relationships>`,
  };
  names.forEach((name, i) => {
    if (look[name]?.isChart) files[`xl/worksheets/sheet${i + 1}.xml`] = `<chartsheet xmlns="${main}"><sheetViews/></chartsheet>`;
    else
      files[`xl/worksheets/sheet${i + 1}.xml`] =
        `<worksheet xmlns="${main}">${look[name]?.cols ?? ''}<sheetData>${sheets[name]?.join('')}</sheetData>${look[name]?.merges ?? ''}</worksheet>`;
  });
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
}
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (at: string, value: string) => `<c r="${at}"><v>${value}</v></c>`;
const HEAD = `<row r="1">${text('A1', 'Cliente')}${text('B1', 'Teléfono')}${text('C1', 'CP')}</row>`;

describe('a workbook', () => {
  it('a workbook’s sheet with the most known headings is read, with telephone numbers as digits', async () => {
    const bytes = workbook({
      Resumen: [`<row r="1">${text('A1', 'Total')}${number('B1', '12.5')}</row>`],
      Pedidos: [HEAD, `<row r="2">${text('A2', 'Ana Peña')}${number('B2', '6.00112233E8')}${number('C2', '1001')}</row>`],
    });
    const tabs = await readBook(bytes);
    expect(chooseTabs(tabs, never).read.map(({ cells }) => cells)).toEqual([
      [
        ['Cliente', 'Teléfono', 'CP'],
        ['Ana Peña', '600112233', '1001'],
      ],
    ]);
  });
  const never = () => false;
  const rowOf = (n: number, cells: readonly string[], attributes = '') =>
    `<row r="${n}" ${attributes}>${cells.map((cell, i) => (cell ? text(`${'ABCDEFGHIJK'[i]}${n}`, cell) : '')).join('')}</row>`;
  const TITLES = ['Nombre', 'Dirección', 'Pack'];
  const sheetIn = async (bytes: Uint8Array) => {
    const tabs = await readBook(bytes);
    return sheetOfTabs(tabs, chooseTabs(tabs, never).read, never);
  };

  it('rows hidden by a filter are marked, and columns hidden by a person match no field', async () => {
    const rows = [
      rowOf(1, ['Dirección', ...TITLES]),
      rowOf(2, ['Vieja 9', 'Ana', 'Uno 1', 'T1']),
      rowOf(3, ['', 'Eva', 'Dos 2', 'T1'], 'hidden="1"'),
    ];
    const { titles, lines } = await sheetIn(
      workbook({ Pedidos: rows }, { Pedidos: { cols: '<cols><col min="1" max="1" hidden="1"/></cols>' } }),
    );
    expect(titles).toEqual(['Dirección (oculta)', ...TITLES]);
    expect(matchColumns(titles ?? [])).toEqual(['', 'cliente_nombre', 'cliente_direccion', 'pack']);
    expect(lines.map(({ hidden }) => hidden)).toEqual([undefined, true]);
  });
  it.each([
    ['below empty rows', [rowOf(4, ['Ana', 'Uno 1', 'T1']), rowOf(6, ['Eva', 'Dos 2', 'T1'], 'hidden="1"')]],
    [
      'in a collapsed group',
      [rowOf(4, ['Ana', 'Uno 1', 'T1'], 'collapsed="1"'), rowOf(5, ['Eva', 'Dos 2', 'T1'], 'outlineLevel="1" hidden="true"')],
    ],
    ['without height', [rowOf(4, ['Ana', 'Uno 1', 'T1']), rowOf(5, ['Eva', 'Dos 2', 'T1'], 'ht="0" customHeight="1"')]],
  ])('a hidden row %s is marked', async (_, rows) => {
    const { lines } = await sheetIn(workbook({ Pedidos: [rowOf(3, TITLES), ...rows] }));
    expect(lines.map(({ cells, hidden }) => [cells[0], hidden])).toEqual([
      ['Ana', undefined],
      ['Eva', true],
    ]);
  });
  it.each([
    ['without width', '<col min="1" max="1" width="0" customWidth="1"/>', ['', 'cliente_nombre', 'cliente_direccion', 'pack']],
    ['up to the last of the sheet', '<col min="4" max="16384" hidden="1"/>', ['cliente_direccion', 'cliente_nombre', '', '']],
    ['in a collapsed group', '<col min="1" max="2" outlineLevel="1" hidden="true"/>', ['', '', 'cliente_direccion', 'pack']],
  ])('hidden columns %s match no field', async (_, cols, columns) => {
    const rows = [rowOf(1, ['Dirección', ...TITLES]), rowOf(2, ['Vieja 9', 'Ana', 'Uno 1', 'T1'])];
    const { titles } = await sheetIn(workbook({ Pedidos: rows }, { Pedidos: { cols: `<cols>${cols}</cols>` } }));
    expect(matchColumns(titles ?? [])).toEqual(columns);
  });
  it.each([
    ['is hidden', { state: 'state="hidden"' }],
    ['has only hidden rows', {}, 'hidden="1"'],
    ['is a chart', { isChart: true }],
  ])('a tab that %s is not read', async (_, look: Look, attributes = '') => {
    const tabs = {
      Ventas: [rowOf(1, [...TITLES, 'CP']), rowOf(2, ['X', 'Y 1', 'T1', '28013'], attributes)],
      Pedidos: [rowOf(1, TITLES), rowOf(2, ['Ana', 'Uno 1', 'T1'])],
    };
    expect((await sheetIn(workbook(tabs, { Ventas: look }))).lines.map(({ cells }) => cells[0])).toEqual(['Ana']);
  });
  it.each([
    [['DATOS DEL REMITENTE', '', '', 'DATOS DEL DESTINATARIO', '', ''], 3],
    [['Enviar a', '', '', 'Facturar a', '', ''], 0],
    [['BILLING ADDRESS', '', '', 'SHIPPING ADDRESS', '', ''], 3],
  ])('under the groups %j the delivery’s columns are read', (groups, first) => {
    const own = ['Nombre', 'Dirección', 'CP'];
    const { titles } = sheetOf([['Pedidos de la semana'], [], [...groups, 'Artículo'], [...own, ...own, '']]);
    const columns = ['cliente_nombre', 'cliente_direccion', 'cliente_codigo_postal'];
    expect(matchColumns(titles ?? [])).toEqual([...(first ? ['', '', '', ...columns] : [...columns, '', '', '']), 'pack']);
  });
  it('a hidden tab is not read, even with more headings, and is named', async () => {
    const bytes = workbook(
      {
        Pedidos: [rowOf(1, TITLES), rowOf(2, ['Ana', 'Uno 1', 'T1'])],
        Plantilla: [rowOf(1, [...TITLES, 'CP']), rowOf(2, ['X', 'Y 1', 'T1', '28013'])],
      },
      { Plantilla: { state: 'state="veryHidden"' } },
    );
    const { lines, unread } = await sheetIn(bytes);
    expect(lines.map(({ cells }) => cells[0])).toEqual(['Ana']);
    expect(unread).toEqual([{ name: 'Plantilla', hidden: true }]);
  });
  it('several visible tabs with orders are asked about, and joined by their headings', async () => {
    const tabs = await readBook(
      workbook({
        Lunes: [rowOf(1, TITLES), rowOf(2, ['Ana', 'Uno 1', 'T1'])],
        Martes: [rowOf(1, ['Pack', 'CP', 'Nombre', 'Dirección']), rowOf(2, ['T2', '28013', 'Eva', 'Dos 2'])],
        Notas: [rowOf(1, ['Llamar al almacén'])],
      }),
    );
    const { read, ask } = chooseTabs(tabs, never);
    expect([ask, read.map(({ name }) => name)]).toEqual([true, ['Lunes', 'Martes']]);
    expect(sheetOfTabs(tabs, read, never)).toEqual({
      titles: [...TITLES, 'CP'],
      lines: [
        { n: 2, cells: ['Ana', 'Uno 1', 'T1', ''] },
        { n: 4, cells: ['Eva', 'Dos 2', 'T2', '28013'] },
      ],
      unread: [{ name: 'Notas', hidden: false }],
    });
  });
  it('groups over equal headings name them as far as their merged cells reach, and the delivery wins', async () => {
    const rows = [
      rowOf(1, ['Pedido', 'FACTURACIÓN', '', 'DATOS DE ENVÍO', '', '', 'Pack']),
      rowOf(2, ['', 'Nombre', 'Dirección', 'Nombre', 'Dirección', 'Número', '']),
      rowOf(3, ['P1', 'Paga', 'Uno 1', 'Recibe', 'Dos', '2', 'T1']),
    ];
    const merges = '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="D1:F1"/></mergeCells>';
    for (const bytes of [workbook({ Pedidos: rows }, { Pedidos: { merges } }), workbook({ Pedidos: rows })]) {
      const { titles } = await sheetIn(bytes);
      expect(titles?.slice(0, 4)).toEqual(['Pedido', 'FACTURACIÓN / Nombre', 'FACTURACIÓN / Dirección', 'DATOS DE ENVÍO / Nombre']);
      expect(matchColumns(titles ?? [])).toEqual(['pedido', '', '', 'cliente_nombre', 'cliente_direccion', 'cliente_direccion', 'pack']);
    }
  });

  it('a workbook that unpacks to too much is refused before unpacking', async () => {
    const bytes = workbook({ Pedidos: [HEAD, `<!--${' '.repeat(MAX_UNPACKED)}-->`] });
    expect(bytes.length).toBeLessThan(100_000);
    await expect(readBook(bytes)).rejects.toThrow(TooLarge);
  });
  it('a workbook that unpacks to more than it declares fails before filling the memory', async () => {
    const bytes = workbook({ Pedidos: [HEAD, `<!--${' '.repeat(MAX_UNPACKED)}-->`] });
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    // Falsifies the uncompressed size of each entry in the central directory (APPNOTE 4.3.12).
    for (let at = 0; at < bytes.length - 46; at += 1) if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1000, true);
    const { arrayBuffers } = process.memoryUsage();
    await expect(readBook(bytes)).rejects.toThrow();
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(MAX_UNPACKED / 2);
  });
  it('a file that is not a workbook is refused', async () => {
    await expect(readBook(strToU8('Cliente;Dirección'))).rejects.toThrow();
  });
});
