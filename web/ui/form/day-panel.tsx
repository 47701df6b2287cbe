import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { today } from '../format/format.ts';
import { CALENDAR } from './calendar.ts';
import classes from './date-range.module.css';

export type DayPanelProps = {
  /** yyyy-MM-dd, like the bounds. */
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onPick: (day: string) => void;
};

/** Calendar of a day field; a press or Enter picks the day. */
export default function DayPanel({ value, min, max, onPick }: DayPanelProps) {
  const day = today();
  return (
    <div className={classes.calendar}>
      <DatePicker
        {...CALENDAR}
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
    </div>
  );
}
