import { plural, wholeNumber } from '../../../contract/text/plural.ts';

const NOTHING = '—';

// By default es-ES prints 1234,50 € without the thousands point.
const euros = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', useGrouping: 'always' });

const zoned = (timeZone: string) => ({
  days: new Intl.DateTimeFormat('es-ES', { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' }),
  hours: new Intl.DateTimeFormat('es-ES', { timeZone, hour: '2-digit', minute: '2-digit' }),
  words: new Intl.DateTimeFormat('es-ES', { timeZone, weekday: 'long', day: 'numeric', month: 'long' }),
  // sv-SE writes yyyy-MM-dd.
  iso: new Intl.DateTimeFormat('sv-SE', { timeZone }),
});
let zone = 'Europe/Madrid';
let written = zoned(zone);
/** Sets the time zone of all dates: the business's (setting `timezone`), not the browser's. */
export function setTimeZone(timeZone: string) {
  written = zoned(timeZone);
  zone = timeZone;
}
/** Time and time zone of the business, which decide what is late. */
export const clock = () => ({ now: new Date(), zone });

type Amount = number | string | null | undefined;
/** `1.234,50 €` */
export const money = (amount: Amount): string => (amount == null || amount === '' ? NOTHING : euros.format(Number(amount)));
/** `1.234` */
export const number = (value: number | null | undefined): string => (value == null ? NOTHING : wholeNumber(value));

type When = string | Date | null | undefined;
function instant(when: When): Date | undefined {
  if (!when) return undefined;
  // Noon UTC is on the same day in the business's zone.
  const date = typeof when === 'string' && when.length === 10 ? new Date(`${when}T12:00:00Z`) : new Date(when);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Business day of an instant, yyyy-MM-dd. */
export const isoDay = (when: string | Date): string => written.iso.format(new Date(when));
export const today = (now: Date = new Date()): string => isoDay(now);

/** `dd/MM/yyyy` */
export function fecha(when: When): string {
  const date = instant(when);
  return date ? written.days.format(date) : NOTHING;
}

/** `miércoles 25`, with the month if that is not the current month; for a near day. */
export function fechaCercana(when: When, now = new Date()): string {
  const date = instant(when);
  if (!date) return NOTHING;
  const parts = written.words.formatToParts(date);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return `${part('weekday')} ${part('day')}${isoDay(date).slice(0, 7) === isoDay(now).slice(0, 7) ? '' : ` de ${part('month')}`}`;
}

/** `dd/MM/yyyy HH:mm` */
export function fechaHora(when: When): string {
  const date = instant(when);
  return date ? `${written.days.format(date)} ${written.hours.format(date)}` : NOTHING;
}

/** `HH:mm`; `when` in milliseconds. */
export const hora = (when: number): string => written.hours.format(when);

/** `Ahora`, `Hace 5m`, `Hace 3h`, `Hace 2d` (specification, section 2.4). */
export function ago(when: When, now = Date.now()): string {
  const date = instant(when);
  if (!date) return NOTHING;
  const minutes = Math.floor((now - date.getTime()) / 60_000);
  if (minutes < 1) return 'Ahora';
  if (minutes < 60) return `Hace ${minutes}m`;
  if (minutes < 24 * 60) return `Hace ${Math.floor(minutes / 60)}h`;
  return `Hace ${Math.floor(minutes / (24 * 60))}d`;
}

/** `ahora`, `hace 5 min`, `hace 3 h`, `hace 2 d`: the same within a sentence. */
export const agoWords = (when: When): string =>
  ago(when)
    .toLowerCase()
    .replace(/(\d+)m$/, '$1 min')
    .replace(/(\d+)([hd])$/, '$1 $2');

/** Formats hours: «35 min», «5 h 30 min», «2 días y 3 h». */
export function durationText(hours: number): string {
  const minutes = Math.round(hours * 60);
  if (minutes < 1) return 'Menos de 1 min';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) {
    const rest = minutes % 60;
    return rest ? `${Math.floor(minutes / 60)} h ${rest} min` : `${minutes / 60} h`;
  }
  const whole = Math.round(hours);
  const days = Math.floor(whole / 24);
  const rest = whole % 24;
  const text = plural(days, 'día');
  return rest ? `${text} y ${rest} h` : text;
}

/*
 * Numbers in text fields. Number inputs discard what they do not understand («12.50» pasted becomes 1250); here typed text stays, to be
 * parsed or refused.
 */

/**
 * Parses `1.234,50`, `1 234,5` or `12.5`, with € at its beginning or end; empty text is 0 (specification, section 5), anything else NaN. Three
 * digits after a point are thousands: money has two decimals, units none.
 */
export function parseNumber(typed: string): number {
  if (typed.trim() === '') return 0;
  const text = typed.trim().replace(/^€\s*|\s*€$/g, '');
  const [, separator = ''] =
    /^-?[1-9]\d{0,2}(\.)\d{3}(?:\.\d{3})*(?:,\d*)?$/.exec(text) ?? /^-?[1-9]\d{0,2}(\s)\d{3}(?:\1\d{3})*(?:[.,]\d*)?$/.exec(text) ?? [];
  const plain = text.replaceAll(separator, '').replace(',', '.');
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
}

/** Number as the field shows it: `1234` or, with two decimals, `1234,50`. */
export const showNumber = (value: number, decimals: 0 | 2 = 0): string => value.toFixed(decimals).replace('.', ',');

/** Normalises `typed`. Invalid text and numbers with too many decimals stay unchanged. */
export function tidyNumber(typed: string, decimals: 0 | 2 = 0): string {
  const value = parseNumber(typed);
  if (typed.trim() === '') return '';
  return Number(value.toFixed(decimals)) === value ? showNumber(value, decimals) : typed;
}
