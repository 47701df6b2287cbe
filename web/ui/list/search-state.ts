import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { afterPaint } from '../after-paint.ts';

type Value = string | number | boolean;
// Widens literals: `useSearchState({ page: 1 })` accepts any number.
type Widen<T> = { [K in keyof T]: T[K] extends string ? (string extends T[K] ? string : T[K]) : T[K] extends number ? number : boolean };

function read(fallback: Value, raw: unknown): Value {
  if (raw === undefined) return fallback;
  // Numbers in an address are page numbers: integers from 1.
  if (typeof fallback === 'number') return /^[1-9]\d{0,5}$/.test(String(raw)) ? Number(raw) : fallback;
  if (typeof fallback === 'boolean') return String(raw) === 'true';
  return String(raw);
}

/** Filters, sort and page in the address, without defaults. Changes return to page 1; use `{ replace: true }` while typing. */
export function useSearchState<T extends Record<string, Value>>(defaults: T) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = Object.fromEntries(Object.entries(defaults).map(([key, fallback]) => [key, read(fallback, search[key])])) as Widen<T>;

  function set(patch: Partial<Widen<T>>, { replace = false } = {}) {
    const page = 'page' in defaults && !('page' in patch) ? { page: defaults.page } : {};
    const { pathname } = location;
    // Navigates after the paint, because a page of rows takes long to draw on a slow processor.
    afterPaint(() => {
      // The person has left the screen meanwhile.
      if (location.pathname !== pathname) return;
      void navigate({
        to: '.',
        replace,
        resetScroll: false,
        search: (before) => {
          const next = { ...before, ...page, ...patch };
          const given = Object.entries(next).filter(([key, value]) => value !== undefined && value !== defaults[key]);
          return Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
        },
      });
    });
  }
  return [values, set] as const;
}

/** Returns a valid day of the address (yyyy-MM-dd), or ''. */
export function soundDay(text: string): string {
  const date = /^(19|2\d)\d\d-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : '';
}

/** «Contar todos» of a list with a capped count; lasts until the filter changes, on every page and in every order. */
export function useCountAll(filter: unknown): { contar: 'todos' | undefined; onCountAll: () => void } {
  const key = JSON.stringify(filter);
  const [counted, setCounted] = useState<string>();
  return { contar: counted === key ? 'todos' : undefined, onCountAll: () => setCounted(key) };
}
