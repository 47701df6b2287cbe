import { Skeleton } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import classes from './cards.module.css';
import { areSame, onTheRow } from './row-parts.ts';

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

/** Rows of a table as cards, for narrow screens. */
export function Cards<T extends { id: string }>({ label, rows, card, onRow, skeletons, drawnBy }: Props<T>) {
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
    <ul className={classes.list} aria-label={label}>
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: every card holds a button that does the same
        <li
          key={row.id}
          className={classes.card}
          data-opens={!!onRow || undefined}
          onClick={(event) => onRow && onTheRow(event) && onRow(row)}
        >
          <Drawn row={row} drawnBy={drawnBy}>
            {card}
          </Drawn>
        </li>
      ))}
    </ul>
  );
}
