import { Button, Popover, UnstyledButton } from '@mantine/core';
import type { DatePickerProps } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { lazyPart, useLoadedWhenIdle } from '../../lazy.ts';
import { today } from '../format/format.ts';
import { usePhone } from '../page/use-phone.ts';
import classes from './date-range.module.css';
import { PRESETS, presetRange, type Range, rangeLabel } from './date-range.presets.ts';

const Calendar = lazyPart<DatePickerProps<'range'>>(() => import('./calendar.tsx'));

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
  useLoadedWhenIdle(Calendar.preload);
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

type Draft = [from: string | null, to: string | null];
type Props = {
  value: Range | undefined;
  months: 1 | 2 | 3;
  onApply: (range: Range | undefined) => void;
  onCancel: () => void;
};

/** Day whose month is shown first: the start of the range, or else a day that puts the current month rightmost. */
function firstMonth(value: Range | undefined, day: string, columns: number): string {
  if (value) return value.from;
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - columns, 1)).toISOString().slice(0, 10);
}

/** Dropdown of the date range: presets apply at once, the calendar on «Aplicar». */
function DateRangePanel({ value, months, onApply, onCancel }: Props) {
  const day = today();
  const phone = usePhone();
  const columns = phone ? 1 : months;
  const [[from, to], setDraft] = useState<Draft>([value?.from ?? null, value?.to ?? null]);
  const calendar = useRef<HTMLDivElement>(null);
  const range = from && to ? { from, to } : undefined;
  const named = PRESETS.find(({ id }) => {
    const preset = presetRange(id, day);
    return preset.from === from && preset.to === to;
  });

  return (
    <div className={classes.panel}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs, these are buttons */}
      <div className={classes.presets} role="group" aria-label="Periodos">
        {PRESETS.map(({ id, label }) => (
          <UnstyledButton
            key={id}
            className={classes.preset}
            aria-pressed={named?.id === id}
            data-autofocus={named?.id === id || undefined}
            onClick={() => onApply(presetRange(id, day))}
          >
            {label}
          </UnstyledButton>
        ))}
        <UnstyledButton
          className={classes.preset}
          aria-pressed={!named && !!from}
          onClick={() => calendar.current?.querySelector<HTMLElement>('td button[tabindex="0"]')?.focus()}
        >
          Personalizado
        </UnstyledButton>
      </div>
      <div ref={calendar} className={classes.calendar}>
        <Suspense fallback={<div className={classes.coming} />}>
          <Calendar
            type="range"
            allowSingleDateInRange
            value={[from, to]}
            onChange={setDraft}
            defaultDate={firstMonth(value, day, columns)}
            numberOfColumns={columns}
            columnsToScroll={1}
            hideOutsideDates
            fullWidth={phone}
            highlightToday
            classNames={{ calendarHeaderLevel: classes.month }}
            getDayProps={(date) => ({ 'data-today': date === day || undefined, 'aria-pressed': date === from || date === to })}
          />
        </Suspense>
        <div className={classes.foot}>
          <span className={classes.chosen} role="status">
            {range ? rangeLabel(range) : from ? 'Elige el último día' : 'Elige el primer día'}
          </span>
          <Button size="xs" variant="subtle" color="gray" onClick={() => onApply(undefined)}>
            Limpiar
          </Button>
          <Button size="xs" variant="default" onClick={onCancel}>
            Cancelar
          </Button>
          <Button size="xs" disabled={!range} onClick={() => onApply(range)}>
            Aplicar
          </Button>
        </div>
      </div>
    </div>
  );
}
