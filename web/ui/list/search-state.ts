import { useNavigate, useSearch } from '@tanstack/react-router';

type Value = string | number | boolean;
type Values = Record<string, Value>;
// `useSearchState({ page: 1 })` is about any number, not about 1.
type Widen<T> = { [K in keyof T]: T[K] extends string ? (string extends T[K] ? string : T[K]) : T[K] extends number ? number : boolean };

function read(fallback: Value, raw: unknown): Value {
  if (raw === undefined) return fallback;
  // Numbers in an address are pages: whole and from one up.
  if (typeof fallback === 'number') return /^[1-9]\d{0,5}$/.test(String(raw)) ? Number(raw) : fallback;
  if (typeof fallback === 'boolean') return String(raw) === 'true';
  return String(raw);
}

/**
 * Filters, sort and page of a list, kept in the address so that they survive reload and back:
 * `const [filters, setFilters] = useSearchState({ search: '', estado: '', page: 1 })`.
 * What equals its default is left out of the address, and any change but of `page` goes back to the first page.
 * `{ replace: true }` while typing, so that each letter is not a step back.
 */
export function useSearchState<T extends Values>(defaults: T) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = Object.fromEntries(Object.entries(defaults).map(([key, fallback]) => [key, read(fallback, search[key])])) as Widen<T>;

  function set(patch: Partial<Widen<T>>, { replace = false } = {}) {
    const page = 'page' in defaults && !('page' in patch) ? { page: defaults.page } : {};
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
  }
  return [values, set] as const;
}

/** Validates a day of the address (yyyy-MM-dd); '' if it is none. */
export function soundDay(text: string): string {
  const date = /^(19|2\d)\d\d-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : '';
}
