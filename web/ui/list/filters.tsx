import { Box, Button, CloseButton, Group, Select, type SelectProps, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { afterPaint } from '../after-paint.ts';
import { Picker } from '../form/picker.tsx';
import { usePhone } from '../page/use-phone.ts';

export const Filters = ({ children }: { children: ReactNode }) => (
  <Group mb="sm" role="group" aria-label="Filtros">
    {children}
  </Group>
);

type FoldedProps = {
  search: ReactNode;
  /** Number of active filters among the folded ones; shown on the button. */
  active: number;
  children: ReactNode;
};

/** Filters of a list. A phone shows only the search and a button that unfolds the other filters. */
export function FoldedFilters({ search, active, children }: FoldedProps) {
  const phone = usePhone();
  const [opened, setOpened] = useState(false);
  const id = useId();
  if (!phone) {
    return (
      <Filters>
        {search}
        {children}
      </Filters>
    );
  }
  return (
    <Box role="group" aria-label="Filtros">
      <Group mb="sm">
        <Box flex="1 1 9rem">{search}</Box>
        <Button
          flex="0 0 auto"
          variant={active ? 'light' : 'default'}
          leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.8} aria-hidden />}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => setOpened(!opened)}
        >
          {active ? `Filtros (${active})` : 'Filtros'}
        </Button>
      </Group>
      {opened && (
        <SimpleGrid id={id} cols={2} spacing="xs" mb="sm">
          {children}
        </SimpleGrid>
      )}
    </Box>
  );
}

type FilterProps = Pick<SelectProps, 'disabled' | 'comboboxProps'> & {
  /** Least width, a CSS length. */
  w?: string;
  data: { value: string; label: string }[];
  searchable?: boolean;
  label: string;
  value: string;
  onChange: (value: string) => void;
};

/** Select that always has a value; the first option filters nothing, its text before the colon prefixes the others. */
export function FilterSelect({ label, onChange, w = '13.5rem', searchable = false, ...props }: FilterProps) {
  const Field = searchable ? Picker : Select;
  const [name = '', all] = props.data[0]?.label.split(': ') ?? [];
  const named = props.value &&
    all && {
      leftSection: <Text>{name}:</Text>,
      leftSectionWidth: `calc(${name.length * 0.9}ch + 1.125rem)`,
      leftSectionPointerEvents: 'none' as const,
    };
  return (
    <Field
      {...props}
      {...named}
      {...(w === '100%' ? { w } : { flex: `1 1 ${named ? `calc(${w} + 3.5rem)` : w}`, maw: { base: '100%', xs: '18rem' } })}
      aria-label={label}
      allowDeselect={false}
      rightSectionWidth={28}
      checkIconPosition="right"
      onChange={(value) => onChange(value ?? '')}
    />
  );
}

type Props = {
  /** Value in the address; typing reaches `onChange` after `delay` ms without input. */
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  delay?: 300 | 500;
  /** Minimum width; smaller beside many filters. */
  w?: string | undefined;
};

export function SearchInput({ value, onChange, placeholder, delay = 300, w = '12rem' }: Props) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onChange);
  // Takes changes from outside (the back button), unless they only echo the typed text.
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  useEffect(() => {
    latest.current = onChange;
  }, [onChange]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={placeholder.replace(/\.{3}$/, '')}
      placeholder={placeholder}
      value={typed}
      maxLength={100}
      leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}
      rightSection={
        typed && (
          <CloseButton
            size={28}
            aria-label="Borrar la búsqueda"
            onClick={() => {
              setTyped('');
              clearTimeout(timer.current);
              onChange('');
            }}
          />
        )
      }
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        clearTimeout(timer.current);
        timer.current = setTimeout((text) => latest.current(text), delay, event.currentTarget.value.trim());
      }}
      style={{ flex: `1 1 ${w}`, maxWidth: '26rem' }}
    />
  );
}

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
          const changed = Object.entries(next).filter(([key, value]) => value !== undefined && value !== defaults[key]);
          return Object.fromEntries(changed.map(([key, value]) => [key, String(value)]));
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
