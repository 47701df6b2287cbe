import type { DatePickerProps } from '@mantine/dates';
import 'dayjs/locale/es';

export const CALENDAR = {
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
