import { useCallback } from 'react';
import type { Import } from './draft.ts';
import { type Group, withoutRow, withTyped } from './groups.ts';
import { correctedRows, type OrderSheet } from './read-orders.ts';
import type { Row, Target } from './target.ts';
import type { View } from './view.ts';

type Change = (make: (state: Import) => Partial<Import>) => void;

/** Actions on the rows of an import. */
export function useRows(change: Change, sheet: OrderSheet | undefined, group: (rows: readonly Row[]) => readonly Group[]) {
  const edit = useCallback(
    (make: (rows: readonly Row[]) => readonly Row[]) => change((state) => (sheet ? { rows: make(correctedRows(sheet, state)) } : {})),
    [change, sheet],
  );
  const type = useCallback(
    (id: string, target: Target, text: string) => edit((rows) => withTyped(rows, group(rows), { id, target, text })),
    [edit, group],
  );
  const pick = useCallback(
    (id: string, pack_id: string) => edit((rows) => rows.map((row) => (row.id === id ? { ...row, pack_id } : row))),
    [edit],
  );
  const remove = useCallback(
    (id: string) => {
      edit((rows) => withoutRow(rows, group(rows), id));
      change(({ removed }) => ({ removed: [...removed, id] }));
    },
    [edit, change, group],
  );
  return {
    type,
    pick,
    remove,
    /** Accepts the warnings of these rows. */
    accept: (these: readonly View[]) =>
      change((now) => ({
        accepted: { ...now.accepted, ...Object.fromEntries(these.map(({ id, doubts }) => [id, doubts.map(({ text }) => text)])) },
      })),
  };
}
