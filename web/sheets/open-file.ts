import { type CountKnown, chooseTabs, type Table, tableOfTabs, tableOfTexts } from './table.ts';
import { decodeText, splitCells } from './text-file.ts';
import { type Tab, TooLarge } from './workbook.ts';

/* Opens a file of another program: a workbook or a text, told apart by its bytes. */

export type Book = { file: string; tabs: readonly Tab[] };
/** `table`: read. `book`: a workbook whose tabs the person chooses (`ask`) or can choose again. `error`: a Spanish sentence. */
export type OpenedFile = { table: Table; book?: Book } | { ask: Book } | { error: string };

const UNREADABLE = 'No se pudo leer el archivo. Guárdalo como Excel (.xlsx) o CSV y elígelo otra vez.';
const TOO_LARGE = 'El archivo ocupa demasiado: deja en él solo las filas que hacen falta.';
/** Far more than any list needs; reading a larger file would freeze the browser. */
const MAX_BYTES = 20_000_000;
const ZIP = [0x50, 0x4b];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

export async function openFile(file: File, known: CountKnown): Promise<OpenedFile> {
  if (file.size > MAX_BYTES) return { error: TOO_LARGE };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const begins = (mark: readonly number[]) => mark.every((byte, i) => bytes[i] === byte);
    if (begins(ZIP)) {
      const { readBook } = await import('./workbook.ts');
      const book = { file: file.name, tabs: readBook(bytes) };
      const { read, ask } = chooseTabs(book.tabs, known);
      return ask ? { ask: book } : { table: tableOfTabs(book.tabs, read, known), book };
    }
    // Old and encrypted workbooks, and HTML pages that a program has named .xls.
    const text = begins(OLE) ? '<html' : decodeText(bytes);
    if (/^\s*<(?:!doctype|html|\?xml|table|meta|head|body|style|div)/i.test(text)) return { error: UNREADABLE };
    return { table: tableOfTexts(splitCells(text, known), known) };
  } catch (cause) {
    return { error: cause instanceof TooLarge ? TOO_LARGE : UNREADABLE };
  }
}
