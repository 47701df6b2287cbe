import { useState } from 'react';

/** «Contar todos» of a list with a capped count; lasts until the filter changes, on every page and in every order. */
export function useCountAll(filter: unknown): { contar: 'todos' | undefined; onCountAll: () => void } {
  const key = JSON.stringify(filter);
  const [counted, setCounted] = useState<string>();
  return { contar: counted === key ? 'todos' : undefined, onCountAll: () => setCounted(key) };
}
