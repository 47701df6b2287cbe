import { AMOUNT_WORD, DATE_WORD, type Meanings, type WordKind, wordKey, wordMeaning } from '../../contract/sheets/words.ts';
import { headingKey, headingTarget, type Use } from './headings.ts';
import { HIDDEN, type SheetLine } from './table.ts';

/* What the columns of a file are, and what its words mean: known, answered, or still to be asked. */

/** Field of each column; '' if the column is not used. */
export type SheetColumns<T extends string = string> = readonly (T | '')[];

/** What a person has answered about the files of one format. */
export type Answers = {
  /** Field by the key of a heading, or by the number of a column without one. */
  columns: Readonly<Record<string, string>>;
  words: Meanings;
  /** Packs by the key of their text. */
  packs: Readonly<Record<string, string>>;
  /** True if the file writes the month before the day. */
  monthFirst?: boolean;
  /** True if rows of one customer form one order. */
  joined?: boolean;
  /** True if rows without address and product stay out. */
  notOrders?: boolean;
  /** Meaning of a company's file without a column of states. */
  unsaid?: string;
};
export const NO_ANSWERS: Answers = { columns: {}, words: {}, packs: {} };

/** True if something has been answered. */
export const hasAnswers = ({ columns, packs, words }: Answers): boolean =>
  [columns, packs, ...Object.values(words)].some((each) => each && Object.keys(each).length > 0);

/** True if another column has the same heading. */
const isTwice = (titles: readonly string[] | null, at: number) =>
  !!titles?.[at] && titles.some((other, i) => i !== at && headingKey(other) === headingKey(titles[at] ?? ''));

/** Key of a column in the answers: its heading, with its number where another column has the same one. */
function columnKey(titles: readonly string[] | null, at: number): string {
  const key = headingKey(titles?.[at] ?? '');
  return !key ? String(at) : isTwice(titles, at) ? `${key} ${at}` : key;
}

type Line = Pick<SheetLine, 'cells'>;
const isFilled = (lines: readonly Line[], at: number) => lines.some(({ cells }) => (cells[at] ?? '') !== '');

/**
 * Field of each column by the answers, or else by its exact heading. `asked`: columns with cells about which nothing is known, such as two
 * columns with the same heading.
 */
export function readColumns<T extends string>(
  use: Use,
  titles: readonly string[] | null,
  lines: readonly Line[],
  { columns: answered }: Pick<Answers, 'columns'>,
  allowed: (target: string) => target is T,
): { columns: SheetColumns<T>; asked: number[] } {
  const width = titles?.length ?? lines[0]?.cells.length ?? 0;
  const asked: number[] = [];
  const columns = Array.from({ length: width }, (_, at): T | '' => {
    const title = titles?.[at];
    const answer = answered[columnKey(titles, at)];
    if (answer !== undefined) return allowed(answer) ? answer : '';
    const target = title && !isTwice(titles, at) && !title.endsWith(HIDDEN) ? headingTarget(use, title) : undefined;
    if (target !== undefined) return allowed(target) ? target : '';
    if (!title?.endsWith(HIDDEN) && isFilled(lines, at)) asked.push(at);
    return '';
  });
  return { columns, asked };
}

/** The answers with the field of one column, or of every column. */
export function withColumns(answers: Answers, titles: readonly string[] | null, columns: SheetColumns, only?: number): Answers {
  const answered = columns.flatMap((target, at) => (only === undefined || at === only ? [[columnKey(titles, at), target] as const] : []));
  return { ...answers, columns: { ...answers.columns, ...Object.fromEntries(answered) } };
}

/** The answers with the meaning of one more word. */
export const withWord = (answers: Answers, kind: WordKind, text: string, meaning: string): Answers => ({
  ...answers,
  words: { ...answers.words, [kind]: { ...answers.words[kind], [wordKey(text)]: meaning } },
});

/** A date, with or without an hour. */
const DAY = /^(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})(?:[ T]\d{1,2}:\d{2}.*)?$/;
/** An amount of money in figures, in euros if a currency is named. */
const AMOUNT = /^[-+]?(?:€ ?)?\d[\d.,]*(?: ?(?:€|eur))?$/i;

/** Day of a cell as `yyyy-mm-dd`; undefined for other text and impossible days. */
export function dayIn(text: string, monthFirst = false): string | undefined {
  const [, a = '', b = '', c = ''] = DAY.exec(text.trim()) ?? [];
  if (!a) return undefined;
  const [y, m, d] = a.length === 4 ? [a, b, c] : monthFirst ? [c, a, b] : [c, b, a];
  const year = y.length === 2 ? `20${y}` : y;
  const day = `${year}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
  const at = new Date(`${day}T00:00:00Z`);
  return year.length === 4 && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined;
}

/** Whether dates of a column begin with the month: one that can be only one way decides. `ask`: an example if none decides. */
export function monthFirstIn(texts: readonly string[]): { monthFirst?: boolean; ask?: string } {
  let ask: string | undefined;
  for (const text of texts) {
    const [, a = '', b = ''] = DAY.exec(text.trim()) ?? [];
    if (!a || a.length === 4) continue;
    if (Number(a) > 12) return { monthFirst: false };
    if (Number(b) > 12) return { monthFirst: true };
    if (a !== b) ask ??= text;
  }
  return ask === undefined ? {} : { ask };
}

/** Word of a cell; dates and amounts are one word each, whatever they say. */
export const wordIn = (text: string): string => (DAY.test(text.trim()) ? DATE_WORD : AMOUNT.test(text.trim()) ? AMOUNT_WORD : text);

/** A word of a column of words, with the number of its rows, and the column and row of an example. */
export type Word = { kind: WordKind; text: string; rows: number; at: number; example: number; meaning: string | undefined };

/**
 * Distinct words of the columns of words, the most frequent ones first. An empty cell is a word where another row has one; `counts` leaves out
 * rows whose empty cells say nothing, such as further lines of an order. `isPlain`: cells that need no meaning, such as amounts.
 */
export function wordsIn(
  lines: readonly SheetLine[],
  kinds: readonly (WordKind | undefined)[],
  answered: Meanings,
  {
    counts = () => true,
    isPlain = () => false,
  }: { counts?: (line: SheetLine) => boolean; isPlain?: (kind: WordKind, word: string) => boolean } = {},
): Word[] {
  const words = new Map<string, Word>();
  for (const [at, kind] of kinds.entries()) {
    if (!kind || !isFilled(lines, at)) continue;
    for (const line of lines) {
      const text = line.cells[at] ?? '';
      if (text === '' && (kind === 'anulado' || !counts(line) || isOtherFilled(line, kinds, kind))) continue;
      const word = wordIn(text);
      if (isPlain(kind, word)) continue;
      const key = `${kind} ${wordKey(word)}`;
      const before = words.get(key);
      if (before) before.rows += 1;
      else words.set(key, { kind, text: word, rows: 1, at, example: line.n, meaning: wordMeaning(kind, word, answered) });
    }
  }
  return [...words.values()].sort((a, b) => b.rows - a.rows);
}

/** True if another column of the same kind says something: an empty «Incidencia» beside a state means nothing. */
const isOtherFilled = ({ cells }: SheetLine, kinds: readonly (WordKind | undefined)[], kind: WordKind) =>
  kinds.some((other, i) => other === kind && (cells[i] ?? '') !== '');

/** Text of a word as a question shows it. */
export const shownWord = (text: string): string =>
  text === '' ? 'celda vacía' : text === DATE_WORD ? 'una fecha' : text === AMOUNT_WORD ? 'un importe' : `«${text}»`;
