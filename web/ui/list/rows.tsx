import '@mantine/core/styles/Table.css';
import { Skeleton } from '@mantine/core';
import { type DataTableColumn, DataTable as MantineDataTable } from 'mantine-datatable';
import 'mantine-datatable/styles.css';
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useEffect } from 'react';
import { useAppearance } from '../../appearance.ts';
import { areSame, onTheRow } from './row-parts.ts';
import classes from './rows.module.css';
import type { Column, DataTableProps } from './table-props.ts';

// The library gives sortable headers the role of a button, which drops the header role, and English labels.
const SORTS = {
  none: ['Not sorted', 'sin ordenar'],
  ascending: ['Sorted ascending', 'de menor a mayor'],
  descending: ['Sorted descending', 'de mayor a menor'],
} as const;
const HANDLE = 'Arrastra para cambiar el ancho; doble clic, el de antes';
function translate(frame: HTMLElement | null) {
  for (const [order, [sort, label]] of Object.entries(SORTS)) {
    for (const icon of frame?.querySelectorAll(`th [aria-label="${sort}"]`) ?? []) {
      icon.setAttribute('aria-label', label);
      const head = icon.closest('th');
      head?.setAttribute('role', 'columnheader');
      head?.setAttribute('aria-sort', order);
    }
  }
  for (const handle of frame?.querySelectorAll('th > [title^="Drag"]') ?? []) handle.setAttribute('title', HANDLE);
}

/** First direction of a sort: newest and largest first, text from A to Z. */
const firstDir = (key: string): 'asc' | 'desc' => (/^(fecha|precio)_/.test(key) ? 'desc' : 'asc');

type Props<T> = DataTableProps<T> & { frame: RefObject<HTMLDivElement | null> };

export function Rows<T extends { id: string }>(props: Props<T>) {
  const {
    label,
    rows,
    columns,
    busy = false,
    sort,
    onRow,
    selection,
    skeletonRows = 5,
    rowLines = 1,
    oneLine = false,
    tight = false,
    storeColumnsKey,
    drawnBy,
    linked = false,
    frame,
  } = props;
  const { compactMode } = useAppearance();
  useEffect(() => translate(frame.current));

  // Includes hidden columns if columns are stored, because the library stores the order and width of those too.
  const known = storeColumnsKey ? columns : columns.filter(({ optional }) => !optional);
  const shown = known.filter((column) => !column.hidden);
  const look = {
    className: classes.table,
    verticalSpacing: oneLine ? 3 : compactMode ? 4 : 9,
    horizontalSpacing: tight ? 5 : 'xs',
    fz: 'sm',
    minHeight: 0,
    noRecordsText: '',
    withTableBorder: false,
    borderColor: 'var(--line)',
    rowBorderColor: 'var(--line)',
    'aria-label': label,
    // Makes the scroll area focusable for keyboards if the rows are not.
    scrollAreaProps: {
      ...(!onRow && { viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label } }),
      // Added columns may overflow: the scrollbar must not cover the last row.
      ...(storeColumnsKey && { offsetScrollbars: 'x' as const }),
    },
  } as const;

  return (
    <Still
      while={busy}
      chosen={selection?.rows}
      drawn={drawnBy && [rows, sort?.by, sort?.dir, compactMode, oneLine, known.map(({ key, hidden }) => key + hidden).join(), ...drawnBy]}
    >
      {rows ? (
        <MantineDataTable<T>
          {...look}
          records={[...rows]}
          {...(storeColumnsKey && { storeColumnsKey })}
          columns={known.map((column): DataTableColumn<T> => ({ ...head(column), render: column.render }))}
          sortStatus={{ columnAccessor: known.find((column) => keyOfSort(column) === sort?.by)?.key ?? '', direction: sort?.dir ?? 'asc' }}
          onSortStatusChange={({ columnAccessor, direction }) => {
            const by = known.map(keyOfSort)[known.findIndex(({ key }) => key === columnAccessor)] ?? String(columnAccessor);
            sort?.onSort(by, by === sort.by ? direction : firstDir(by));
          }}
          highlightOnHover={!!onRow}
          onRowClick={onRow && (({ event, record }) => onTheRow(event) && onRow(record))}
          customRowAttributes={(row) => (onRow ? openableByKeyboard(() => onRow(row), linked) : {})}
          {...(selection && {
            // The library's 44 pixels are too narrow for a checkbox at a large text size.
            selectionColumnStyle: { width: '2.75rem', minWidth: '2.75rem', maxWidth: '2.75rem' },
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
  );
}

// Skeleton of the library's checkbox column, under the same name for the same width.
const TICK = { accessor: '__selection__', title: '', render: () => <Skeleton w={20} h={20} mx="auto" /> };

type StillProps = { while: boolean; chosen: unknown; drawn: readonly unknown[] | undefined; children: ReactNode };
// Skips rendering the old rows while the next page loads, because rendering would delay the request. Also skips rows that would be drawn
// the same. A changed selection still renders.
const Still = memo(
  ({ children }: StillProps) => children,
  (before, next) =>
    before.chosen === next.chosen && (next.while || (before.while === next.while && !!next.drawn && areSame(before.drawn, next.drawn))),
);

const keyOfSort = <T,>({ key, sortBy = key }: Column<T>) => sortBy;

const head = <T,>({ key, title, sortable = false, align = 'left', width, ellipsis = false, className, ...column }: Column<T>) => ({
  accessor: key,
  title,
  // In rem, so that the column grows with the reader's text size.
  width: typeof width === 'number' ? `${width / 16}rem` : width,
  sortable,
  textAlign: align,
  titleClassName: className,
  cellsClassName: className,
  ellipsis,
  hidden: column.hidden ?? false,
  resizable: column.resizable ?? false,
  defaultToggle: !column.hidden,
});

/** Makes rows that open on click open on Enter too; a row with a link of its own is no stop of the tabulator. */
const openableByKeyboard = (open: () => void, linked: boolean) => ({
  tabIndex: linked ? -1 : 0,
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open();
  },
});
