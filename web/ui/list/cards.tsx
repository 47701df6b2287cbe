import { Group, Skeleton } from '@mantine/core';
import { createContext, memo, type ReactNode, useDeferredValue } from 'react';
import classes from './cards.module.css';
import { areSame, onTheRow } from './row-parts.ts';
import type { Column } from './table-props.ts';

type Props<T> = {
  label: string;
  rows: readonly T[] | undefined;
  card: (row: T) => ReactNode;
  onRow: ((row: T) => void) | undefined;
  skeletons: number;
  drawnBy: readonly unknown[] | undefined;
};

type DrawnProps = { row: unknown; drawnBy: readonly unknown[] | undefined; children: (row: never) => ReactNode };
const Drawn = memo(
  ({ row, children }: DrawnProps) => children(row as never),
  (before, next) => !!next.drawnBy && before.row === next.row && areSame(before.drawnBy, next.drawnBy),
);

/** True on a card, where actions show their names. */
export const OnCard = createContext(false);

const EMPTY: readonly ReactNode[] = ['', '—', null, undefined, false];

/** Card of a row, made from the columns that have a place on cards. */
export const rowCard =
  <T,>(columns: readonly Column<T>[]) =>
  (row: T) => {
    const cells = (...places: Column<T>['at'][]) =>
      columns
        .filter(({ at, hidden }) => places.includes(at) && !hidden)
        .map((column) => ({ ...column, value: column.render(row) }))
        .filter(({ value }) => !EMPTY.includes(value))
        .map(({ key, title, at, value }) => (
          <div key={key} className={at === 'labelled' ? classes.labelled : undefined}>
            {at === 'labelled' && `${title}: `}
            {value}
          </div>
        ));
    const [lines, foot] = [cells('line', 'labelled'), cells('foot')];
    return (
      <>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div className={classes.title}>{cells('title')}</div>
          <div className={classes.aside}>{cells('aside')}</div>
        </Group>
        {lines.length > 0 && <div className={classes.lines}>{lines}</div>}
        {foot.length > 0 && <div className={classes.foot}>{foot}</div>}
      </>
    );
  };

/** Cards of the first drawing, more than a telephone shows, and pixels kept for each other one, so that a list opens where it was left. */
const [FIRST, HEIGHT] = [6, 200];

/** Rows of a table as cards, for narrow screens. */
export function Cards<T extends { id: string }>({ label, rows, card, onRow, skeletons, drawnBy }: Props<T>) {
  const shown = useDeferredValue(Number.POSITIVE_INFINITY, FIRST);
  if (!rows) {
    return (
      <div className={classes.list}>
        {Array.from({ length: skeletons }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
          <Skeleton key={i} h={96} />
        ))}
      </div>
    );
  }
  return (
    <ul className={classes.list} aria-label={label} style={{ paddingBottom: Math.max(0, rows.length - shown) * HEIGHT }}>
      {rows.slice(0, shown).map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: every card holds a button that does the same
        <li
          key={row.id}
          className={classes.card}
          data-opens={!!onRow || undefined}
          onClick={(event) => onRow && onTheRow(event) && onRow(row)}
        >
          <OnCard value>
            <Drawn row={row} drawnBy={drawnBy}>
              {card}
            </Drawn>
          </OnCard>
        </li>
      ))}
    </ul>
  );
}
