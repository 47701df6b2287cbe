import Papa from 'papaparse';
import type { leerRespuesta } from '../../contract/envios/envios.ts';
import { RESPUESTA_TARGETS, type RespuestaTarget, respuestaColumns } from '../../contract/envios/respuesta.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { PEDIDO_FIELDS } from '../../contract/pedidos/fields.ts';
import { decode, sheetOf } from '../pedidos/import/sheet.ts';

export type Filas = BodyIn<typeof leerRespuesta>['filas'];
/** Headings and rows of an answer, with the columns recognised or chosen. */
export type AnswerFile = { titles: string[]; rows: string[][]; columns: Partial<Record<RespuestaTarget, number>> };

const known = (titles: readonly string[]) => respuestaColumns(titles).referencia !== undefined;

/** Parses a company's answer file; undefined if the file has no rows. */
export function readAnswer(bytes: Uint8Array): AnswerFile | undefined {
  const text = decode(bytes).replace(/^\uFEFF/, '');
  const { data } = Papa.parse<string[]>(text, { delimitersToGuess: [';', '\t', '|', ','], skipEmptyLines: 'greedy' });
  const { titles, lines } = sheetOf(data, known);
  const [first, ...rest] = titles ? [titles, ...lines.map(({ cells }) => cells)] : lines.map(({ cells }) => cells);
  return first && rest.length ? { titles: first, rows: rest, columns: respuestaColumns(first) } : undefined;
}

/** Rows in the server's format, without rows that have no reference. */
export function filasOf({ rows, columns }: AnswerFile): Filas {
  const cell = (row: string[], target: RespuestaTarget, max: number) =>
    (columns[target] === undefined ? '' : (row[columns[target]] ?? '')).slice(0, max);
  return rows
    .map((row) => ({
      referencia: cell(row, 'referencia', 80),
      // Cuts one character above the server's limit, so that the server refuses a long number instead of storing a part.
      seguimiento: cell(row, 'seguimiento', PEDIDO_FIELDS.numero_seguimiento.max + 1),
      estado: cell(row, 'estado', 300),
    }))
    .filter(({ referencia }) => referencia);
}

export const TARGETS = Object.keys(RESPUESTA_TARGETS) as RespuestaTarget[];
