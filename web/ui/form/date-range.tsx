import { Button, Popover } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { usePhone } from '../page/use-phone.ts';
import classes from './date-range.module.css';
import { type Range, rangeLabel } from './date-range.presets.ts';
import DateRangePanel from './date-range-panel.tsx';

export type DateRangeProps = {
  /** yyyy-MM-dd, both included; empty or absent is no limit. */
  value: { from?: string; to?: string };
  /** Called with both ends of the range, or with neither on «Limpiar». */
  onChange: (range: { from?: string; to?: string }) => void;
  label?: string;
  /** Months side by side; a phone shows one. */
  months?: 1 | 2 | 3;
};

const complete = ({ from, to }: DateRangeProps['value']): Range | undefined => (from && to ? { from, to } : undefined);

// Overrides the place that the popover computes from its button.
const SHEET = { position: 'fixed', top: 'auto', left: 0, right: 0, bottom: 0, width: '100%' } as const;

/** Chooses a range of days, or a named period (specification, section 2.10). */
export function DateRange({ value, onChange, label = 'Fechas', months = 2 }: DateRangeProps) {
  const [opened, setOpened] = useState(false);
  const phone = usePhone();
  const range = complete(value);
  const text = rangeLabel(value) ?? 'Seleccionar rango';

  function apply(next: Range | undefined) {
    setOpened(false);
    onChange(next ?? {});
  }

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width="max-content" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={16} stroke={1.8} aria-hidden />}
          aria-label={`${label}: ${text}`}
          c={value.from || value.to ? undefined : 'dimmed'}
          onClick={() => setOpened(!opened)}
        >
          {text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} {...(phone && { style: SHEET })}>
        <DateRangePanel value={range} months={months} onApply={apply} onCancel={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
