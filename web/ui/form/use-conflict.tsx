import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { toast } from '../page/toast.tsx';
import { type Difference, mergeValues, type Value } from './conflict.ts';
import { ConflictPanel } from './conflict-panel.tsx';

type Options<T, V> = {
  /** Record being edited; undefined for a new record, which cannot conflict. */
  record: T | undefined;
  form: Pick<UseFormReturnType<V>, 'values' | 'getValues' | 'setValues' | 'resetDirty'>;
  valuesOf: (record: T) => V;
  /** Reads the stored record. */
  read: () => Promise<T | undefined>;
} & Words<keyof V & string>;
type Words<F extends string> = {
  title: string;
  label: (field: F) => string;
  show?: (field: F, value: Value) => string;
};

/** Resolves a version conflict: typed values stay, a panel shows differences. `base` filled the form; send its version. */
export function useConflict<T, V extends { [F in keyof V]: Value }>({ record, form, valuesOf, read, ...words }: Options<T, V>) {
  const [base, setBase] = useState(record);
  const [differences, setDifferences] = useState<Difference<keyof V & string>[]>();

  /** Restarts from `stored`, with `values` in the form. */
  function fill(stored: T, values = valuesOf(stored)) {
    setBase(() => stored);
    form.setValues(values);
    form.resetDirty(valuesOf(stored));
  }
  async function settle() {
    const stored = await read().catch(() => undefined);
    if (!base || !stored) return toast.error('Otra persona lo ha cambiado, y no se pudo leer cómo ha quedado. Vuelve a guardar.');
    const conflict = mergeValues(valuesOf(base), form.getValues(), valuesOf(stored));
    setDifferences(conflict.differences);
    fill(stored, conflict.values);
  }
  const panel: ReactNode = differences && (
    <ConflictPanel
      {...words}
      differences={differences}
      values={form.values}
      onPick={(field, value) => form.setValues({ [field]: value } as Partial<V>)}
    />
  );
  return { base, fill, panel, onStale: () => void settle(), settled: () => setDifferences(undefined) };
}
