import type { UseFormReturnType } from '@mantine/form';
import { useEffect } from 'react';

type Values = Record<string, string | null>;
type DraftForm<V> = Pick<UseFormReturnType<V>, 'values' | 'setValues' | 'isDirty'>;

function read(name: string, among: Values): Values {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(name) ?? '{}');
    const known = Object.entries(stored ?? {}).filter(([key, value]) => key in among && (value === null || typeof value === 'string'));
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

/** Stores the values of a mounted form and restores them after a reload or a killed tab. */
export function useFormDraft<V extends Values>(form: DraftForm<V>, name: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: restored once
  useEffect(() => {
    form.setValues(read(name, form.values) as Partial<V>);
    // Closing ends the draft; a killed tab runs no clean-up.
    return () => sessionStorage.removeItem(name);
  }, [name]);
  const typed = JSON.stringify(form.values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `typed` stands for the form, which is a new object after every keystroke
  useEffect(() => {
    try {
      if (form.isDirty()) sessionStorage.setItem(name, typed);
    } catch {
      // Storage may be blocked; only the draft is lost.
    }
  }, [name, typed]);
}
