import type { ReactNode } from 'react';
import type { PagesOf } from './pages.tsx';

export type Column<T> = {
  /** Also the sort key of a sortable column. */
  key: string;
  title: string;
  render: (row: T) => ReactNode;
  /** Place of the value on a card: the title, beside it, a line (`labelled` with the column's title), or the actions at the foot. */
  at?: 'title' | 'aside' | 'line' | 'labelled' | 'foot';
  sortable?: boolean;
  /** Sort key, if it is another one: of a second value below the first. */
  sortBy?: string;
  align?: 'left' | 'center' | 'right';
  width?: number | string;
  ellipsis?: boolean;
  hidden?: boolean;
  /** Hidden until the person chooses the column. */
  optional?: boolean;
  /** Can be neither hidden nor moved. */
  fixed?: boolean;
  resizable?: boolean;
  /** Class of the cells and the header; hides or narrows the column on small screens. */
  className?: string | undefined;
};

export type DataTableProps<T> = {
  label: string;
  /** Undefined while loading. */
  rows: readonly T[] | undefined;
  columns: readonly Column<T>[];
  /** Card of a row, in windows narrower than `cardsUnder`; by default made from the columns. */
  card?: (row: T) => ReactNode;
  /** Window width in pixels under which cards replace the table; 768 by default, more for tables that need more room. */
  cardsUnder?: number;
  empty: { title: string; hint?: ReactNode; action?: ReactNode; onReset?: (() => void) | undefined };
  error?: { title: string; cause: { message: string } | null; onRetry?: () => void };
  /** True while the next page loads; the rows on screen are still the previous page's. */
  busy?: boolean;
  pages?: PagesOf;
  sort?: { by: string; dir: 'asc' | 'desc'; onSort: (by: string, dir: 'asc' | 'desc') => void };
  onRow?: (row: T) => void;
  /** Other data that cells show. If given, only changed rows render again; callbacks may be those of an earlier render. */
  drawnBy?: readonly unknown[];
  /** `label` is the accessible name of a row's checkbox. */
  selection?: { rows: readonly T[]; onChange: (rows: T[]) => void; label: (row: T) => string };
  skeletonRows?: number;
  /** Lines of text in a typical row, for the height of the skeletons. */
  rowLines?: number;
  /** localStorage key of the person's columns: visibility, order and widths. */
  storeColumnsKey?: string;
  oneLine?: boolean;
  tight?: boolean;
  dense?: boolean;
  /** True if each row has a link of its own: the row is then no stop of the tabulator. */
  linked?: boolean;
  /** Keeps the last column (actions) in view while a wide table is scrolled sideways. */
  pinLast?: boolean;
};
