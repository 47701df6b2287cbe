import { Group, Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Picker } from '../form/picker.tsx';

/** The line of filters over a list; wraps on narrow screens. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Filtros">
      {children}
    </Group>
  );
}

type FilterProps = Pick<SelectProps, 'disabled' | 'w'> & {
  data: { value: string; label: string }[];
  searchable?: boolean;
  label: string;
  value: string;
  onChange: (value: string) => void;
};

/** A choice among few: always has a value; the first option is the one that filters nothing. */
export function FilterSelect({ label, onChange, searchable = false, w = '13.5rem', ...props }: FilterProps) {
  const Field = searchable ? Picker : Select;
  return (
    <Field
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
