import { useCallback } from 'react';
import type { SessionUser } from '../../../contract/session/session.ts';
import { HIDDEN, matchColumns } from './columns.ts';
import type { Import } from './draft.ts';
import { type Group, withoutRow, withTyped } from './groups.ts';
import { leaveOut } from './left-out.ts';
import { knownColumns, rememberColumns, rememberNoCantidad, rememberPack } from './memory.ts';
import type { Row } from './row.ts';
import { columnsFor, type Target, type Targets } from './target.ts';
import type { View } from './view.ts';

type Change = (make: (state: Import) => Partial<Import>) => void;
const inOrder = (rows: readonly Row[]) => [...rows].sort((a, b) => Number(a.id) - Number(b.id));

/** Actions on the rows of an import. */
export function useRows(change: Change, group: (rows: readonly Row[]) => readonly Group[]) {
  const type = useCallback(
    (id: string, target: Target, text: string) => change(({ rows }) => ({ rows: withTyped(rows, group(rows), { id, target, text }) })),
    [change, group],
  );
  const pick = useCallback(
    (id: string, pack_id: string) => change(({ rows }) => ({ rows: rows.map((row) => (row.id === id ? { ...row, pack_id } : row)) })),
    [change],
  );
  const remove = useCallback((id: string) => change(({ rows }) => ({ rows: withoutRow(rows, group(rows), id) })), [change, group]);
  return {
    type,
    pick,
    remove,
    /** Includes the hidden rows, or the others that were left out, at their original places. */
    takeIn: (hidden: boolean) =>
      change(({ rows, fuera = [], incluidas }) => {
        const taken = fuera.filter(({ is }) => (is === 'hidden') === hidden);
        return {
          rows: inOrder([...rows, ...taken.map(({ row: { hidden: _, ...row } }) => row)]),
          fuera: fuera.filter((each) => !taken.includes(each)),
          ...(!hidden || incluidas ? { incluidas: true } : {}),
        };
      }),
    /** Accepts the warnings of these rows. */
    accept: (these: readonly View[]) =>
      change((now) => ({
        accepted: { ...now.accepted, ...Object.fromEntries(these.map(({ id, doubts }) => [id, doubts.map(({ text }) => text)])) },
      })),
  };
}

/** Actions on the whole sheet. Choices of columns and packs are remembered for later imports. */
export function columnActions(actor: SessionUser, change: Change, anew: () => void) {
  const owner = actor.id;
  return {
    setColumns: (next: Targets) => {
      anew();
      change(({ titles, rows, fuera = [], incluidas }) => {
        rememberColumns(owner, titles, next);
        if (incluidas) return { columns: next };
        const { rows: kept, out } = leaveOut(titles, next, inOrder([...rows, ...fuera.map(({ row }) => row)]));
        return { columns: next, rows: kept, fuera: out };
      });
    },
    /** Matches the hidden columns as if they were visible. */
    showColumns: () => {
      anew();
      change(({ titles, columns }) => {
        const shown = titles?.map((title) => (title.endsWith(HIDDEN) ? title.slice(0, -HIDDEN.length) : title)) ?? null;
        const matched = shown ? columnsFor(actor, matchColumns(shown)) : columns;
        return { titles: shown, columns: columns.map((column, i) => column || (matched[i] ?? '')) };
      });
    },
    /** Remembers that this column is not the quantity. */
    notQuantity: (at: number) =>
      change(({ titles, noCantidad = [], columns }) => {
        const all = [...noCantidad, at];
        rememberNoCantidad(owner, titles, columns.length, all);
        return { noCantidad: all };
      }),
    /** Turns the headings into a row, or the first row into headings. */
    toggleTitles: () => change((now) => toggled(actor, now)),
    choosePack: (key: string, pack_id: string) => {
      anew();
      rememberPack(owner, key, pack_id);
      change((now) => ({ chosen: { ...now.chosen, [key]: pack_id } }));
    },
  };
}

function toggled(actor: SessionUser, { titles, columns, rows }: Import): Partial<Import> {
  if (titles) return { titles: null, rows: [{ id: 'títulos', n: Math.max(1, (rows[0]?.n ?? 2) - 1), cells: titles, typed: {} }, ...rows] };
  const [first, ...others] = rows;
  if (!first) return {};
  const matched = columnsFor(actor, knownColumns(actor.id, first.cells, columns.length) ?? matchColumns(first.cells));
  return { titles: first.cells, rows: others, columns: columns.map((column, i) => column || (matched[i] ?? '')) };
}
