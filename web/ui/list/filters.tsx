import { Group, Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** The line of filters over a list; wraps on narrow screens. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Filtros">
      {children}
    </Group>
  );
}

type FilterProps = Pick<SelectProps, 'data' | 'searchable' | 'disabled' | 'w'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
};

/** A choice among few: always has a value; the first option is the one that filters nothing. */
export function FilterSelect({ label, onChange, w = '13.5rem', ...props }: FilterProps) {
  return (
    <Select
      {...props}
      w={w}
      aria-label={label}
      allowDeselect={false}
      rightSectionWidth={28}
      checkIconPosition="right"
      onChange={(value) => onChange(value ?? '')}
    />
  );
}
