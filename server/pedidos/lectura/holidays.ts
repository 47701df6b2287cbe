// Holidays in every region. Regions may replace the 6th of January, but none does.
const FIXED = ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'];
const DAY_MS = 86_400_000;

/** National holidays of Spain (yyyy-MM-dd), without regional and local ones. */
export function holidaysOf(year: number): string[] {
  const goodFriday = new Date(easter(year) - 2 * DAY_MS).toISOString().slice(0, 10);
  return [...FIXED.map((day) => `${year}-${day}`), goodFriday].sort();
}

// Meeus, Jones and Butcher's rule for the Gregorian calendar.
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}
