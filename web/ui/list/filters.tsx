import { Box, Button, Group, Select, type SelectProps, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Picker } from '../form/picker.tsx';
import { usePhone } from '../page/use-phone.ts';
import classes from './filters.module.css';

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
        <div id={id} className={classes.unfolded}>
          {children}
        </div>
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
      {...(w !== '100%' && { flex: `1 1 ${named ? `calc(${w} + 3.5rem)` : w}`, maw: '18rem' })}
      aria-label={label}
      allowDeselect={false}
      rightSectionWidth={28}
      checkIconPosition="right"
      onChange={(value) => onChange(value ?? '')}
    />
  );
}
