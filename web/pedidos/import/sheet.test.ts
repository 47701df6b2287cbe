import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { cellsOf, decode, sheetOf, TooLarge } from './sheet.ts';
import { MAX_UNPACKED, readSheetOf } from './xlsx.ts';

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

/** Smallest possible workbook with these sheets. */
function workbook(sheets: Record<string, string[]>): Uint8Array {
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${rel}"><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${rel}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}</Relationships>`,
  };
  names.forEach((name, i) => {
    files[`xl/worksheets/sheet${i + 1}.xml`] = `<worksheet xmlns="${main}"><sheetData>${sheets[name]?.join('')}</sheetData></worksheet>`;
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
    expect(await readSheetOf(bytes)).toEqual([
      ['Cliente', 'Teléfono', 'CP'],
      ['Ana Peña', '600112233', '1001'],
    ]);
  });
  it('a workbook that unpacks to too much is refused before unpacking', async () => {
    const bytes = workbook({ Pedidos: [HEAD, `<!--${' '.repeat(MAX_UNPACKED)}-->`] });
    expect(bytes.length).toBeLessThan(100_000);
    await expect(readSheetOf(bytes)).rejects.toThrow(TooLarge);
  });
  it('a workbook that unpacks to more than it declares fails before filling the memory', async () => {
    const bytes = workbook({ Pedidos: [HEAD, `<!--${' '.repeat(MAX_UNPACKED)}-->`] });
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    // Falsifies the uncompressed size of each entry in the central directory (APPNOTE 4.3.12).
    for (let at = 0; at < bytes.length - 46; at += 1) if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1000, true);
    const { arrayBuffers } = process.memoryUsage();
    await expect(readSheetOf(bytes)).rejects.toThrow();
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(MAX_UNPACKED / 2);
  });
  it('a file that is not a workbook is refused', async () => {
    await expect(readSheetOf(strToU8('Cliente;Dirección'))).rejects.toThrow();
  });
});
