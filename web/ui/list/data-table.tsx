import { Skeleton } from '@mantine/core';
import { type DataTableColumn, DataTable as MantineDataTable } from 'mantine-datatable';
import 'mantine-datatable/styles.css';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from 'react';
import { useAppearance } from '../../appearance.ts';
import { useUnder } from '../page/use-phone.ts';
import { Cards } from './cards.tsx';
import classes from './data-table.module.css';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { onTheRow } from './on-the-row.ts';
import { Pages, type PagesOf } from './pages.tsx';
import { useRoomBelow } from './use-room-below.ts';

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
  /** Keeps the last column, of actions, in sight while a wide table is scrolled sideways. */
  pinLast?: boolean;
};

// The library makes a button of a header that sorts, so that it heads nothing any more, and speaks English.
const SORTS = {
  none: ['Not sorted', 'sin ordenar'],
  ascending: ['Sorted ascending', 'de menor a mayor'],
  descending: ['Sorted descending', 'de mayor a menor'],
} as const;
const HANDLE = 'Arrastra para cambiar el ancho; doble clic, el de antes';
function translate(frame: HTMLElement | null) {
  for (const [order, [given, label]] of Object.entries(SORTS)) {
    for (const icon of frame?.querySelectorAll(`th [aria-label="${given}"]`) ?? []) {
      icon.setAttribute('aria-label', label);
      const head = icon.closest('th');
      head?.setAttribute('role', 'columnheader');
      head?.setAttribute('aria-sort', order);
    }
  }
  for (const handle of frame?.querySelectorAll('th > [title^="Drag"]') ?? []) handle.setAttribute('title', HANDLE);
}

/** Of a column that is sorted anew: the latest and the largest first; text from A to Z. */
const firstDir = (key: string): 'asc' | 'desc' => (/^(fecha|precio)_/.test(key) ? 'desc' : 'asc');

/** Lists: rows with sticky header on a desktop, cards on a phone, and the four states of every list. */
export function DataTable<T extends { id: string }>(props: DataTableProps<T>) {
  const {
    label,
    rows,
    columns,
    card,
    empty,
    error,
    busy = false,
    pages,
    sort,
    onRow,
    selection,
    skeletonRows = 5,
    rowLines = 1,
    pinLast = false,
    oneLine = false,
    storeColumnsKey,
    cardsUnder = 768,
  } = props;
  const asCards = useUnder(cardsUnder);
  const { compactMode } = useAppearance();
  const frame = useRef<HTMLDivElement>(null);
  useRoomBelow(frame);
  useEffect(() => translate(frame.current));

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

  // The library keeps the order and the width of hidden columns too.
  const known = storeColumnsKey ? columns : columns.filter(({ optional }) => !optional);
  const shown = known.filter((column) => !column.hidden);
  const look = {
    className: classes.table,
    verticalSpacing: oneLine ? 3 : compactMode ? 4 : 9,
    horizontalSpacing: 'xs',
    fz: 'sm',
    minHeight: 0,
    noRecordsText: '',
    withTableBorder: false,
    borderColor: 'var(--line)',
    rowBorderColor: 'var(--line)',
    'aria-label': label,
    // Where no row takes the focus, the keys scroll from here.
    scrollAreaProps: {
      ...(!onRow && { viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label } }),
      // Columns that somebody adds may not fit: the bar that scrolls to them does not cover the last row.
      ...(storeColumnsKey && { offsetScrollbars: 'x' as const }),
    },
  } as const;

  return (
    <div
      ref={frame}
      aria-busy={busy || !rows}
      className={classes.frame}
      data-busy={busy || undefined}
      data-pin-last={pinLast || undefined}
      data-one-line={oneLine || undefined}
    >
      <Still while={busy} chosen={selection?.rows}>
        {rows ? (
          <MantineDataTable<T>
            {...look}
            records={[...rows]}
            {...(storeColumnsKey && { storeColumnsKey })}
            columns={known.map((column): DataTableColumn<T> => ({ ...head(column), render: column.render }))}
            sortStatus={{ columnAccessor: sort?.by ?? '', direction: sort?.dir ?? 'asc' }}
            onSortStatusChange={({ columnAccessor, direction }) => {
              const by = String(columnAccessor);
              sort?.onSort(by, by === sort.by ? direction : firstDir(by));
            }}
            highlightOnHover={!!onRow}
            onRowClick={onRow && (({ event, record }) => onTheRow(event) && onRow(record))}
            customRowAttributes={(row) => (onRow ? openableByKeyboard(() => onRow(row)) : {})}
            {...(selection && {
              selectedRecords: [...selection.rows],
              onSelectedRecordsChange: selection.onChange,
              allRecordsSelectionCheckboxProps: { 'aria-label': 'Seleccionar todas las filas' },
              getRecordSelectionCheckboxProps: (row: T) => ({ 'aria-label': selection.label(row) }),
            })}
          />
        ) : (
          <MantineDataTable<{ id: string }>
            {...look}
            records={Array.from({ length: skeletonRows }, (_, i) => ({ id: String(i) }))}
            columns={[
              ...(selection ? [TICK] : []),
              ...shown.map((column) => ({
                ...head(column),
                sortable: false,
                render: () => <Skeleton className={classes.wait} h={`${rowLines * 1.1}rem`} ml={column.align === 'right' ? 'auto' : 0} />,
              })),
            ]}
          />
        )}
      </Still>
      {footer}
    </div>
  );
}

// The name that the library gives to its column of ticks, which is as wide.
const TICK = { accessor: '__selection__', title: '', render: () => <Skeleton w={20} h={20} mx="auto" /> };

// What is asked for meanwhile is sooner on its way when the last rows are not drawn once more first, unless one is ticked.
const Still = memo(
  ({ children }: { while: boolean; chosen: unknown; children: ReactNode }) => children,
  (before, next) => next.while && before.chosen === next.chosen,
);

const head = <T,>({ key, title, sortable = false, align = 'left', width, ellipsis = false, className, ...column }: Column<T>) => ({
  accessor: key,
  title,
  width,
  sortable,
  textAlign: align,
  titleClassName: className,
  cellsClassName: className,
  ellipsis,
  hidden: column.hidden ?? false,
  resizable: column.resizable ?? false,
  defaultToggle: !column.hidden,
});

/** A row that opens on click opens on Enter too. */
const openableByKeyboard = (open: () => void) => ({
  tabIndex: 0,
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open();
  },
});
