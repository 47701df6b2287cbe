import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core';
import type { DatePickerProps } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { type FocusEvent, type KeyboardEvent, Suspense, useRef, useState } from 'react';
import { lazyPart, useLoadedWhenIdle } from '../../lazy.ts';
import { fecha, today } from '../format/format.ts';
import classes from './date-range.module.css';
import { parseDay, wholeDay } from './day-text.ts';

const Calendar = lazyPart<DatePickerProps<'default'>>(() => import('./calendar.tsx'));

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'type' | 'min' | 'max' | 'defaultValue'> & {
  /** yyyy-MM-dd; a text that is no day stays as typed, and the server refuses it. */
  value?: string | undefined;
  onChange?: (day: string) => void;
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void;
  /** Bounds of the calendar, yyyy-MM-dd. */
  min?: string;
  max?: string;
};

/** Field of one day: typed as 25/11/2026, or picked from a calendar. */
export function DayField({ value = '', onChange, onBlur, min, max, disabled, error, ...props }: Props) {
  const [typed, setTyped] = useState('');
  const [isOdd, setOdd] = useState(false);
  const day = wholeDay(value);
  const text = wholeDay(typed) === day ? typed : '';
  const shown = day ? text || fecha(day) : value;

  function type(next: string) {
    setTyped(next);
    setOdd(false);
    onChange?.(wholeDay(next) ?? next);
  }
  function leave(event: FocusEvent<HTMLInputElement>) {
    const finished = parseDay(shown, today());
    setTyped('');
    setOdd(!!shown && !finished);
    if (finished && finished !== value) onChange?.(finished);
    onBlur?.(event);
  }
  function pick(picked: string) {
    setTyped('');
    setOdd(false);
    onChange?.(picked);
  }
  const calendar = useCalendar({ value: day, min, max }, pick);

  return (
    <TextInput
      {...props}
      placeholder="dd/mm/aaaa"
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
      disabled={disabled}
      value={shown}
      error={error ?? (isOdd && 'Escribe el día así: 25/11/2026')}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={calendar.onKey}
      rightSection={!disabled && !props.readOnly && calendar.button}
    />
  );
}

type Bounds = { value: string | undefined; min: string | undefined; max: string | undefined };

/** Calendar button of a day field, and the key that opens the calendar. */
function useCalendar(bounds: Bounds, pick: (day: string) => void) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLoadedWhenIdle(Calendar.preload);
  function onKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    // The calendar gives the focus back to the button.
    button.current?.focus({ preventScroll: true });
    setOpened(true);
  }
  return {
    onKey,
    button: (
      <Popover opened={opened} onChange={setOpened} position="bottom-end" width="max-content" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon ref={button} variant="subtle" color="gray" aria-label="Elegir en el calendario" onClick={() => setOpened(!opened)}>
            <IconCalendar size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown}>
          <DayPanel
            {...bounds}
            onPick={(day) => {
              setOpened(false);
              pick(day);
            }}
          />
        </Popover.Dropdown>
      </Popover>
    ),
  };
}

type DayPanelProps = {
  /** yyyy-MM-dd, like the bounds. */
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onPick: (day: string) => void;
};

/** Calendar of a day field; a press or Enter picks the day. */
function DayPanel({ value, min, max, onPick }: DayPanelProps) {
  const day = today();
  return (
    <div className={classes.calendar}>
      <Suspense fallback={<div className={classes.coming} />}>
        <Calendar
          // Keeps Escape from closing the dialog below.
          __stopPropagation
          value={value ?? null}
          onChange={(picked) => picked && onPick(picked)}
          defaultDate={value ?? (max && max < day ? max : day)}
          {...(min && { minDate: min })}
          {...(max && { maxDate: max })}
          highlightToday
          classNames={{ calendarHeaderLevel: classes.month }}
          getDayProps={(date) => ({
            'data-today': date === day || undefined,
            'aria-pressed': date === value,
            'data-autofocus': date === (value ?? day) || undefined,
          })}
        />
      </Suspense>
    </div>
  );
}
