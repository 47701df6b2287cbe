import { Group, type SelectProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Choice } from '../overlay/choice.tsx';

/** Line of filters above a list; wraps on narrow screens. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Filtros">
      {children}
    </Group>
  );
}

type FilterProps = Pick<SelectProps, 'disabled' | 'w' | 'comboboxProps'> & {
  data: { value: string; label: string }[];
  searchable?: boolean;
  label: string;
  value: string;
  onChange: (value: string) => void;
};

/**
 * Select that always has a value; the first option filters nothing. Its text before a colon, as in «Pago: todos», prefixes every option.
 */
export function FilterSelect({ label, onChange, w = '13.5rem', ...props }: FilterProps) {
  const [name = '', all] = props.data[0]?.label.split(': ') ?? [];
  const named = props.value &&
    all && {
      leftSection: <Text size="sm">{name}:</Text>,
      leftSectionWidth: `calc(${name.length * 0.9}ch + 1.125rem)`,
      leftSectionPointerEvents: 'none' as const,
    };
  return (
    <Choice
      {...props}
      {...named}
      {...(w !== '100%' && { flex: `1 1 ${named ? `calc(${String(w)} + 3.5rem)` : String(w)}`, maw: '18rem' })}
      aria-label={label}
      allowDeselect={false}
      rightSectionWidth={28}
      checkIconPosition="right"
      onChange={(value) => onChange(value ?? '')}
    />
  );
}
