import { wordsOf } from '../lineas/words.ts';
import { matchColumns } from './columns.ts';
import { severalIn } from './quantity.ts';
import type { Sheet, SheetLine } from './sheet.ts';
import { targetLabel } from './target.ts';

/* Gives each product its own row in sheets that list the products of an order side by side: «Producto 1», «Cantidad 1», «Producto 2», … */

type Place = { which: number; title: string; target: 'pack' | 'cantidad' };

/** Target and number of a numbered heading: «Item #2 Name» is the second pack. */
function placeOf(title: string): Place | undefined {
  const words = wordsOf(title);
  const [figure, ...others] = words.filter((word) => /^\d+$/.test(word));
  if (figure === undefined || others.length > 0) return undefined;
  const plain = words.filter((word) => word !== figure).join(' ');
  const [target] = matchColumns([plain]);
  return target === 'pack' || target === 'cantidad' ? { which: Number(figure), title: plain, target } : undefined;
}

/** Returns the sheet with a row for each product, or the same object if nothing changes. */
export const spread = (sheet: Sheet): Sheet => spreadCells(spreadColumns(sheet));

/** Gives each product of a cell such as «MIEL500 x2, ACEITE2 x1» its own row. */
function spreadCells(sheet: Sheet): Sheet {
  const columns = matchColumns(sheet.titles ?? []);
  const at = columns.indexOf('pack');
  if (!sheet.titles || at < 0 || !sheet.lines.some(({ cells }) => severalIn(cells[at] ?? ''))) return sheet;
  const numbered = columns.includes('pedido');
  const numberOf = (n: number) => (numbered ? [] : [`Fila ${n}`]);
  return {
    ...sheet,
    titles: numbered ? sheet.titles : [...sheet.titles, targetLabel('pedido')],
    lines: sheet.lines.flatMap((line) => {
      const { n, cells } = line;
      const products = severalIn(cells[at] ?? '')?.map(({ text, cantidad }) => `${cantidad} x ${text}`) ?? [cells[at] ?? ''];
      return products.map((product) => ({ ...line, cells: [...cells.with(at, product), ...numberOf(n)] }));
    }),
  };
}

function spreadColumns(sheet: Sheet): Sheet {
  const places = (sheet.titles ?? []).map(placeOf);
  const packs = places.flatMap((place) => (place?.target === 'pack' ? place.which : []));
  const [first] = packs;
  if (!sheet.titles || first === undefined || new Set(packs).size !== packs.length) return sheet;
  const columns = matchColumns(sheet.titles);
  // With a single product, an added order number would suppress the question about several rows of a customer.
  const numbered = columns.includes('pedido') || packs.length === 1;
  const kept = sheet.titles.map((_, at) => at).filter((at) => !places[at] || places[at].which === first);
  const at = (which: number, target: Place['target']) => places.findIndex((place) => place?.which === which && place.target === target);
  const lineOf = (line: SheetLine, which: number): SheetLine => {
    const cells = kept.map((i) => line.cells[places[i] ? at(which, places[i].target) : i] ?? '');
    return { ...line, cells: numbered ? cells : [...cells, `Fila ${line.n}`] };
  };
  const has = (line: SheetLine, which: number) => !!line.cells[at(which, 'pack')];
  const titles = kept.map((i) => places[i]?.title ?? sheet.titles?.[i] ?? '');
  return {
    ...sheet,
    titles: numbered ? titles : [...titles, targetLabel('pedido')],
    lines: sheet.lines.flatMap((line) => packs.filter((which) => which === first || has(line, which)).map((which) => lineOf(line, which))),
  };
}
