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

// On a telephone there are cards.
const table = later(() => import('./rows.tsx'), 'when wanted');

export type Column<T> = {
  /** Also the sort key, when the column is sortable. */
  key: string;
  title: string;
  render: (row: T) => ReactNode;
  sortable?: boolean;
  align?: 'left' | 'center' | 'right';
  width?: number | string;
  /** Text that does not fit ends in an ellipsis. */
  ellipsis?: boolean;
  hidden?: boolean;
  /** Shown only to whoever chooses it. */
  optional?: boolean;
  /** Neither hidden nor moved by whoever chooses the columns. */
  fixed?: boolean;
  resizable?: boolean;
  /** Of its cells and of its title: what hides or narrows it where there is little room. */
  className?: string | undefined;
};

export type DataTableProps<T> = {
  /** Accessible name of the table. */
  label: string;
  /** Undefined while they load. */
  rows: readonly T[] | undefined;
  columns: readonly Column<T>[];
  /** The same row in a window narrower than `cardsUnder`. */
  card: (row: T) => ReactNode;
  /** In pixels, for a table that needs more room than others; 768 unless told. */
  cardsUnder?: number;
  empty: { title: string; hint?: ReactNode; action?: ReactNode };
  error?: { title: string; cause: { message: string } | null; onRetry?: () => void };
  /** Another page or filter is on its way: the rows on screen are the last ones. */
  busy?: boolean;
  pages?: PagesOf;
  sort?: { by: string; dir: 'asc' | 'desc'; onSort: (by: string, dir: 'asc' | 'desc') => void };
  onRow?: (row: T) => void;
  /** `label` names the tick of a row. */
  selection?: { rows: readonly T[]; onChange: (rows: T[]) => void; label: (row: T) => string };
  skeletonRows?: number;
  /** Lines of text in a usual row, so that the skeletons are as high. */
  rowLines?: number;
  /** Where the browser keeps the widths that the person gives the columns. */
  storeColumnsKey?: string;
  /** As many rows as fit: one line of text each. */
  oneLine?: boolean;
  /** Less room between columns, where there are many. */
  tight?: boolean;
  /** Keeps the last column, of actions, in sight while a wide table is scrolled sideways. */
  pinLast?: boolean;
};

/** Lists: rows with sticky header on a desktop, cards on a phone, and the four states of every list. */
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
    >
      {parts ? <parts.Rows {...props} frame={frame} /> : <Skeletons m="sm" heights={Array.from({ length: skeletonRows }, () => 32)} />}
      {footer}
    </div>
  );
}
