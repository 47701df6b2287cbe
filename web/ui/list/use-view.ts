import { useLocalStorage } from '@mantine/hooks';
import { useDataTableColumns } from 'mantine-datatable';
import type { Column } from './data-table.tsx';
import { PER_PAGE_OPTIONS } from './per-page.ts';

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

/** How high and how many the rows of a list are, kept in this browser under `key`. */
export function useLook(key: string): Look & { setLook: (patch: Partial<Look>) => void } {
  const [look, set] = useLocalStorage<Look>({ key, defaultValue: DEFAULT, getInitialValueInEffect: false, deserialize: sound });
  return { ...look, setLook: (patch: Partial<Look>) => set({ ...look, ...patch }) };
}

/** The columns of a list as the person has chosen, ordered and widened them, kept in this browser under `key`. */
export function useColumns<T>(key: string, columns: readonly Column<T>[]) {
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
  // The actions close every row.
  const ordered = all.toSorted((a, b) => Number(a.key === columns.at(-1)?.key) - Number(b.key === columns.at(-1)?.key));

  return {
    columns: ordered,
    /** Props of its DataTable. */
    table: { columns: ordered, storeColumnsKey: key },
    toggle: (key: string) =>
      kept.setColumnsToggle(kept.columnsToggle.map((it) => (it.accessor === key ? { ...it, toggled: !it.toggled } : it))),
    /** Takes the place of the next one in that direction. */
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
export type Columns<T> = ReturnType<typeof useColumns<T>>;
