import { type Answers, dayIn, monthFirstIn, readColumns, type SheetColumns } from '../sheets/reading.ts';
import { parseSigned } from '../sheets/signed.ts';
import type { Table } from '../sheets/table.ts';
import { type FileMovement, movementText } from './statement.ts';

/* A bank's sheet: its columns are asked once for each row of headings. */

export const STATEMENT_LABELS = {
  fecha: 'Fecha',
  importe: 'Importe (con signo)',
  abono: 'Abono o haber',
  concepto: 'Concepto, ordenante o referencia',
  cuenta: 'Cuenta',
} as const;
type StatementColumn = keyof typeof STATEMENT_LABELS;
const isColumn = (name: string): name is StatementColumn => Object.hasOwn(STATEMENT_LABELS, name);

export type ReadSheet = {
  columns: SheetColumns<StatementColumn>;
  asked: readonly number[];
  /** Labels of the required fields without a column. */
  missing: readonly string[];
  /** A date that could be read both ways, to ask about. */
  date: string | undefined;
  movements: FileMovement[];
  /** Numbers of the rows without a day or an amount, such as totals. */
  left: number[];
};

/** Reads the movements of a bank's sheet. `account`: of rows without one. */
export function readBankSheet({ titles, lines: all }: Table, answers: Answers, account: string): ReadSheet {
  const lines = all.filter(({ hidden }) => !hidden);
  const { columns, asked } = readColumns('banco', titles, lines, answers, isColumn);
  const has = (column: StatementColumn) => columns.includes(column);
  const missing = [
    ...(has('fecha') ? [] : [STATEMENT_LABELS.fecha]),
    ...(has('importe') || has('abono') ? [] : [STATEMENT_LABELS.importe]),
    ...(has('concepto') ? [] : [STATEMENT_LABELS.concepto]),
  ];
  const cellsOf = (cells: readonly string[], column: StatementColumn) =>
    columns.flatMap((each, at) => (each === column ? [cells[at] ?? ''] : []));
  const { monthFirst, ask } = monthFirstIn(lines.flatMap(({ cells }) => cellsOf(cells, 'fecha')));
  const month = monthFirst ?? answers.monthFirst;
  const left: number[] = [];
  const movements = lines.flatMap(({ n, cells }): FileMovement[] => {
    const [fecha] = cellsOf(cells, 'fecha').map((text) => dayIn(text, month));
    const [amount] = [...cellsOf(cells, 'abono'), ...cellsOf(cells, 'importe')].filter(Boolean).map(parseSigned);
    if (!fecha || amount === undefined) {
      if (cellsOf(cells, 'importe').some(Boolean) || cellsOf(cells, 'abono').some(Boolean)) left.push(n);
      return [];
    }
    const texto = movementText(cellsOf(cells, 'concepto'));
    return [{ cuenta: cellsOf(cells, 'cuenta').find(Boolean) || account, fecha, cents: Math.round(amount * 100), texto }];
  });
  return { columns, asked, missing, date: month === undefined ? ask : undefined, movements, left };
}
