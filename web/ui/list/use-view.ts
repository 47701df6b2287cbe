import { useLocalStorage } from '@mantine/hooks';
import { useDataTableColumns } from 'mantine-datatable';
import { useMemo } from 'react';
import { PER_PAGE_OPTIONS } from '../../../contract/kit/pages.ts';
import type { Column } from './table-props.ts';

export type Look = { oneLine: boolean; perPage: number };
const DEFAULT: Look = { oneLine: false, perPage: PER_PAGE_OPTIONS[0] };

function sound(text: string | undefined): Look {
  try {
    const { oneLine, perPage } = JSON.parse(text ?? '') as Partial<Look>;
    return { oneLine: oneLine === true, perPage: PER_PAGE_OPTIONS.find((n) => n === perPage) ?? DEFAULT.perPage };
  } catch {
    return DEFAULT;
  }
}

/** Row height and page size of a list, stored in this browser under `key`. */
export function useLook(key: string): Look & { setLook: (patch: Partial<Look>) => void } {
  const [look, set] = useLocalStorage<Look>({ key, defaultValue: DEFAULT, getInitialValueInEffect: false, deserialize: sound });
  return { ...look, setLook: (patch: Partial<Look>) => set({ ...look, ...patch }) };
}

type View = { id: string; version: number; columnas: string[] | null };

/** Columns as the person ordered and resized them, stored under `name`; a `view` with columns of its own resets them. */
export function useColumns<T>(name: string, defaults: readonly Column<T>[], view?: View) {
  const key = view?.columnas ? `${name}-vista-${view.id}-${view.version}` : name;
  const columns = view?.columnas ? asIn(view.columnas, defaults) : defaults;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version of a view
  useMemo(() => view?.columnas && storeColumns(key, `${name}-vista-${view.id}-`, columns), [key]);
  const kept = useDataTableColumns<T>({
    key,
    columns: columns.map(({ key: accessor, width, optional = false }) => ({ accessor, width, defaultToggle: !optional })),
    getInitialValueInEffect: false,
  });
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const all = kept.effectiveColumns.flatMap(({ accessor, width, hidden = false }): Column<T>[] => {
    const column = byKey.get(String(accessor));
    if (!column) return [];
    return [{ ...column, ...(width !== undefined && { width }), hidden: hidden && !column.fixed, resizable: column !== columns.at(-1) }];
  });
  // The actions column stays last.
  const ordered = all.toSorted((a, b) => Number(a.key === columns.at(-1)?.key) - Number(b.key === columns.at(-1)?.key));

  return {
    columns: ordered,
    /** Keys of the visible columns, in order. */
    shown: ordered.filter(({ hidden }) => !hidden).map((column) => column.key),
    table: { columns: ordered, storeColumnsKey: key },
    toggle: (key: string) =>
      kept.setColumnsToggle(kept.columnsToggle.map((it) => (it.accessor === key ? { ...it, toggled: !it.toggled } : it))),
    move: (key: string, by: -1 | 1) => {
      const keys = ordered.map((column) => column.key);
      const from = keys.indexOf(key);
      kept.setColumnsOrder(keys.with(from, keys[from + by] ?? key).with(from + by, key));
    },
    reset: () => {
      kept.resetColumnsOrder();
      kept.resetColumnsToggle();
      kept.resetColumnsWidth();
    },
  };
}

/** Sorts the view's columns first, in its order, and hides the others. */
function asIn<T>(keys: readonly string[], columns: readonly Column<T>[]): Column<T>[] {
  const place = ({ key }: Column<T>) => (keys.includes(key) ? keys.indexOf(key) : keys.length);
  const last = columns.at(-1);
  // The actions column stays last.
  const order = (column: Column<T>) => (column === last ? Number.POSITIVE_INFINITY : place(column));
  return columns
    .map((column) => ({ column, at: order(column) }))
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    .map(({ column }) => ({ ...column, optional: !column.fixed && !keys.includes(column.key) }));
}

/** Writes a view's columns to the library's storage before the table renders, and deletes those of older versions. */
function storeColumns<T>(key: string, versions: string, columns: readonly Column<T>[]): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(versions) && !name.startsWith(`${key}-columns-`)) localStorage.removeItem(name);
    const order = columns.map((column) => column.key);
    const toggle = columns.map(({ key: accessor, optional = false }) => ({ accessor, defaultToggle: true, toggled: !optional }));
    for (const [part, value] of Object.entries({ order, toggle }))
      if (localStorage.getItem(`${key}-columns-${part}`) === null) localStorage.setItem(`${key}-columns-${part}`, JSON.stringify(value));
  } catch {
    // Storage may be blocked; the columns still show.
  }
}
export type Columns<T> = ReturnType<typeof useColumns<T>>;
