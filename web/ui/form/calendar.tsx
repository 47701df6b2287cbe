import { DatePicker, type DatePickerProps } from '@mantine/dates';
import 'dayjs/locale/es';
import '@mantine/dates/styles.css';
import { useEffect, useRef } from 'react';

const IN_SPANISH = {
  locale: 'es',
  firstDayOfWeek: 1,
  // No weekend colour: red days would be hard to read on the dark theme.
  weekendDays: [],
  monthLabelFormat: 'MMMM YYYY',
  ariaLabels: {
    previousMonth: 'Ver el mes anterior',
    nextMonth: 'Ver el mes siguiente',
    previousYear: 'Ver el año anterior',
    nextYear: 'Ver el año siguiente',
    previousDecade: 'Ver la década anterior',
    nextDecade: 'Ver la década siguiente',
  },
} satisfies Partial<DatePickerProps<'range' | 'default'>>;

/** Months in Spanish, from which a day or a range is picked. Takes the focus if a day asks for it (`data-autofocus`). */
export default function Calendar<T extends 'range' | 'default'>(props: DatePickerProps<T>) {
  const root = useRef<HTMLDivElement>(null);
  // May load after the popover has looked for what to focus.
  useEffect(() => root.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true }), []);
  return <DatePicker ref={root} {...IN_SPANISH} {...props} />;
}
