import type { leerRespuesta } from '../../contract/envios/envios.ts';
import { bareReferencia, LECTURAS, type Lectura, worstLectura } from '../../contract/envios/fields.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { PEDIDO_FIELDS } from '../../contract/pedidos/fields.ts';
import { type WordKind, wordMeaning } from '../../contract/sheets/words.ts';
import { type Answers, readColumns, type SheetColumns, type Word, wordIn, wordsIn } from '../sheets/reading.ts';
import type { SheetLine, Table } from '../sheets/table.ts';

/* The file with which a company answers for a batch: reference, tracking number and states of each parcel. */

export const ANSWER_LABELS = {
  referencia: 'Nuestra referencia',
  seguimiento: 'Número de seguimiento',
  estado: 'Estado o incidencia',
} as const;
export type AnswerColumn = keyof typeof ANSWER_LABELS;
const isColumn = (name: string): name is AnswerColumn => Object.hasOwn(ANSWER_LABELS, name);

type Filas = BodyIn<typeof leerRespuesta>['filas'];
export type ReadAnswer = {
  columns: SheetColumns<AnswerColumn>;
  /** Columns about which nothing is known. */
  asked: readonly number[];
  words: readonly Word[];
  /** True if no column says a state, and nobody has said what that means. */
  unsaid: boolean;
  filas: Filas;
  /** True if everything is answered. */
  ready: boolean;
};

/** Reads a company's file by the answers given so far. Rows without a reference are left out. */
export function readAnswer({ titles, lines: all }: Table, answers: Answers): ReadAnswer {
  const lines = all.filter(({ hidden }) => !hidden);
  const { columns, asked } = readColumns('respuesta', titles, lines, answers, isColumn);
  const kinds = columns.map((column): WordKind | undefined => (column === 'estado' ? 'estado' : undefined));
  const words = wordsIn(lines, kinds, answers.words);
  const says = columns.some((column, at) => column === 'estado' && lines.some(({ cells }) => cells[at]));
  const unsaid = !says && answers.unsaid === undefined;
  const unsaidLectura = LECTURAS.find((lectura) => lectura === answers.unsaid);
  const text = ({ cells }: SheetLine, column: AnswerColumn, max: number) => (cells[columns.indexOf(column)] ?? '').slice(0, max);
  const filas = lines
    .map((line) => {
      const state = says ? stateOf(line, columns, answers) : { estado: '', lectura: unsaidLectura };
      return {
        referencia: text(line, 'referencia', 80),
        // Cuts one character above the server's limit, so that the server refuses a long number instead of storing a part.
        seguimiento: text(line, 'seguimiento', PEDIDO_FIELDS.numero_seguimiento.max + 1),
        ...state,
      };
    })
    .filter(({ referencia }) => bareReferencia(referencia) !== '');
  const answered = asked.length === 0 && !unsaid && words.every(({ meaning }) => meaning !== undefined);
  return { columns, asked, words, unsaid, filas, ready: answered && columns.includes('referencia') };
}

/** The worst that the columns of a row say, with its words. An empty cell beside a filled one says nothing. */
function stateOf(
  { cells }: SheetLine,
  columns: SheetColumns<AnswerColumn>,
  { words }: Answers,
): { estado: string; lectura: Lectura | undefined } {
  const filled = columns.flatMap((column, at) => (column === 'estado' && cells[at] ? [cells[at]] : []));
  const read = (filled.length ? filled : ['']).map((estado) => {
    const meaning = wordMeaning('estado', wordIn(estado), words);
    return { estado, lectura: LECTURAS.find((each) => each === meaning) ?? ('no_se_sabe' as const) };
  });
  const lectura = worstLectura(read.map((each) => each.lectura));
  return { estado: (read.find((each) => each.lectura === lectura)?.estado ?? '').slice(0, 300), lectura };
}
