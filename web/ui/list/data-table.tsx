import { type ReactNode, useRef } from 'react';
import { later } from '../../lazy.ts';
import { useUnder } from '../page/use-phone.ts';
import { Cards } from './cards.tsx';
import classes from './data-table.module.css';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { Skeletons } from './loaded.tsx';
import { Pages, type PagesOf } from './pages.tsx';
import { useRoomBelow } from './use-room-below.ts';

// A phone shows cards instead.
const table = later(() => import('./rows.tsx'), 'when wanted');

export type Column<T> = {
  /** Also the sort key, for a sortable column. */
  key: string;
  title: string;
  render: (row: T) => ReactNode;
  sortable?: boolean;
  align?: 'left' | 'center' | 'right';
  width?: number | string;
  /** Truncates long text with an ellipsis. */
  ellipsis?: boolean;
  hidden?: boolean;
  /** Hidden until the person chooses it. */
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
  /** Card of a row, in windows narrower than `cardsUnder`. */
  card: (row: T) => ReactNode;
  /** In pixels; 768 by default, more for tables that need more room. */
  cardsUnder?: number;
  empty: { title: string; hint?: ReactNode; action?: ReactNode };
  error?: { title: string; cause: { message: string } | null; onRetry?: () => void };
  /** The next page is loading; the rows on screen are still the previous ones. */
  busy?: boolean;
  pages?: PagesOf;
  sort?: { by: string; dir: 'asc' | 'desc'; onSort: (by: string, dir: 'asc' | 'desc') => void };
  onRow?: (row: T) => void;
  /** `label` is the accessible name of a row's checkbox. */
  selection?: { rows: readonly T[]; onChange: (rows: T[]) => void; label: (row: T) => string };
  skeletonRows?: number;
  /** Lines of text in a typical row, for the height of the skeletons. */
  rowLines?: number;
  /** localStorage key of the person's column widths. */
  storeColumnsKey?: string;
  /** One line of text per row, to fit more rows. */
  oneLine?: boolean;
  /** Less space between columns. */
  tight?: boolean;
  /** Less room above and below the rows, of two lines each. */
  dense?: boolean;
  /** Keeps the last column, of actions, in sight while a wide table is scrolled sideways. */
  pinLast?: boolean;
};

/** A list: table with sticky header on a desktop, cards on a phone; handles loading, error and empty states. */
export function DataTable<T extends { id: string }>(props: DataTableProps<T>) {
  const {
    label,
    rows,
    card,
    empty,
    error,
    busy = false,
    pages,
    onRow,
    skeletonRows = 5,
    pinLast = false,
    oneLine = false,
    dense = false,
    cardsUnder = 768,
  } = props;
  const asCards = useUnder(cardsUnder);
  const parts = table.useParts(!asCards);
  const frame = useRef<HTMLDivElement>(null);
  useRoomBelow(frame);

  if (error?.cause && !rows) {
    return (
      <div className={classes.frame}>
        <ErrorState title={error.title} error={error.cause} onRetry={error.onRetry} />
      </div>
    );
  }
  const nothing = rows?.length === 0;
  const footer = pages && <Pages {...pages} shown={rows?.length ?? 0} busy={busy} />;
  if (asCards || nothing) {
    return (
      <div ref={frame} aria-busy={busy || !rows} className={classes.frame} data-cards={(asCards && !nothing) || undefined}>
        {nothing ? <EmptyState {...empty} /> : <Cards label={label} rows={rows} card={card} onRow={onRow} skeletons={skeletonRows} />}
        {footer}
      </div>
    );
  }

  return (
    <div
      ref={frame}
      aria-busy={busy || !rows}
      className={classes.frame}
      data-busy={busy || undefined}
      data-pin-last={pinLast || undefined}
      data-one-line={oneLine || undefined}
      data-dense={dense || undefined}
    >
      {parts ? <parts.Rows {...props} frame={frame} /> : <Skeletons m="sm" heights={Array.from({ length: skeletonRows }, () => 32)} />}
      {footer}
    </div>
  );
}
