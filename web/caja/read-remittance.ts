import type { leerRemesa } from '../../contract/caja/caja.ts';
import { bareReferencia } from '../../contract/envios/fields.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { type Answers, dayIn, monthFirstIn, readColumns, type SheetColumns } from '../sheets/reading.ts';
import { parseSigned } from '../sheets/signed.ts';
import type { Table } from '../sheets/table.ts';

/* The sheet with which a company says what it pays of the money that it collected at the door. */

export const REMITTANCE_LABELS = {
  referencia: 'Nuestra referencia',
  seguimiento: 'Número de seguimiento',
  importe: 'Importe cobrado (con signo)',
  comision: 'Comisión',
  fecha: 'Fecha',
} as const;
type Column = keyof typeof REMITTANCE_LABELS;
const isColumn = (name: string): name is Column => Object.hasOwn(REMITTANCE_LABELS, name);

export type Fila = BodyIn<typeof leerRemesa>['filas'][number];
export type ReadRemittance = {
  columns: SheetColumns<Column>;
  asked: readonly number[];
  /** Labels of the required fields without a column. */
  missing: readonly string[];
  filas: Fila[];
  /** Numbers of the rows that are not empty and have no number or no amount, such as totals. */
  left: number[];
  /** Latest day of the rows. */
  day: string | undefined;
};

/** Reads a company's remittance by the answers given so far. */
export function readRemittance({ titles, lines: all }: Table, answers: Answers): ReadRemittance {
  const lines = all.filter(({ hidden }) => !hidden);
  const { columns, asked } = readColumns('remesa', titles, lines, answers, isColumn);
  const has = (column: Column) => columns.includes(column);
  const missing = [
    ...(has('referencia') || has('seguimiento') ? [] : [REMITTANCE_LABELS.referencia]),
    ...(has('importe') ? [] : [REMITTANCE_LABELS.importe]),
  ];
  const cell = (cells: readonly string[], column: Column) => (cells[columns.indexOf(column)] ?? '').trim();
  const { monthFirst } = monthFirstIn(lines.map(({ cells }) => cell(cells, 'fecha')));
  const days = lines.flatMap(({ cells }) => dayIn(cell(cells, 'fecha'), monthFirst) ?? []);
  const left: number[] = [];
  const filas = lines.flatMap(({ n, cells }): Fila[] => {
    const [reference, tracking] = [cell(cells, 'referencia'), cell(cells, 'seguimiento')].map((text) => text.slice(0, 80));
    const referencia = [reference, tracking].find((text) => text && bareReferencia(text));
    const importe = parseSigned(cell(cells, 'importe'));
    if (!referencia || !importe) {
      if (cells.some(Boolean)) left.push(n);
      return [];
    }
    // Companies write what they keep with either sign.
    return [{ referencia, seguimiento: tracking || null, importe, comision: Math.abs(parseSigned(cell(cells, 'comision')) ?? 0) }];
  });
  return { columns, asked, missing, filas, left, day: days.toSorted().at(-1) };
}
