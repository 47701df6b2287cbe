import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './cards.module.css';
import { onTheRow } from './on-the-row.ts';

type Props<T> = {
  label: string;
  rows: readonly T[] | undefined;
  card: (row: T) => ReactNode;
  onRow: ((row: T) => void) | undefined;
  skeletons: number;
};

/** Rows of a table as cards, for narrow screens. */
export function Cards<T extends { id: string }>({ label, rows, card, onRow, skeletons }: Props<T>) {
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
          {card(row)}
        </li>
      ))}
    </ul>
  );
}
