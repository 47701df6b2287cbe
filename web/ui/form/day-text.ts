/* A day as typed: 25/11/2026, 25-11-26, 25/11, 251126 or 2026-11-25. */

const ISO = /^(\d{4})-(\d\d)-(\d\d)$/;
const WHOLE = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/;
const SHORT = /^(\d{1,2})[/.\- ](\d{1,2})(?:[/.\- ](\d\d))?$/;
const DIGITS = /^(\d\d)(\d\d)(\d{4}|\d\d)$/;

const isoOf = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  const is = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return is && year >= 1000 ? date.toISOString().slice(0, 10) : undefined;
};

/** Day (yyyy-MM-dd) of a text that is already complete while it is typed; undefined otherwise. */
export function wholeDay(typed: string): string | undefined {
  const text = typed.trim();
  const iso = ISO.exec(text);
  if (iso) return isoOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const whole = WHOLE.exec(text);
  return whole ? isoOf(Number(whole[3]), Number(whole[2]), Number(whole[1])) : undefined;
}

/** Day (yyyy-MM-dd) of a finished text; a missing year is the year of `today`. Undefined if the text is no day. */
export function parseDay(typed: string, today: string): string | undefined {
  const text = typed.trim();
  const [, day, month, year = ''] = SHORT.exec(text) ?? DIGITS.exec(text) ?? [];
  if (!day) return wholeDay(text);
  const century = year.length === 2 ? 2000 : 0;
  return isoOf(year ? Number(year) + century : Number(today.slice(0, 4)), Number(month), Number(day));
}
