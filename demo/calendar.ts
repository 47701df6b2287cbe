import { nationalHolidays } from '../server/pedidos/lectura/promised.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Madrid wall time of the instant `ms`, to read with the UTC getters. */
export function toMadrid(ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  return ms + (ms >= changeOfClocks(year, 2) && ms < changeOfClocks(year, 9) ? 2 : 1) * HOUR;
}

/** Instant of the wall time `wall` in Madrid; unspecified in the hour that a clock change skips or repeats. */
export function fromMadrid(wall: number): number {
  const guess = wall - HOUR;
  return guess - (toMadrid(guess) - wall);
}

// Clocks change at 01:00 UTC on the last Sunday of the month. Intl is too slow for the million calls of 100,000 orders.
function changeOfClocks(year: number, month: number): number {
  const last = Date.UTC(year, month + 1, 0, 1);
  return last - new Date(last).getUTCDay() * DAY;
}

const midnight = (wall: number) => wall - (wall % DAY);
const weekday = (wall: number) => new Date(wall).getUTCDay();

export function monthsBefore(ms: number, months: number): number {
  const wall = new Date(midnight(toMadrid(ms)));
  wall.setUTCMonth(wall.getUTCMonth() - months);
  return fromMadrid(wall.getTime());
}

export const madridYear = (ms: number) => new Date(toMadrid(ms)).getUTCFullYear();

/** Noon in Madrid of the next working day after the payment at `ms`. */
export function promisedAt(ms: number): string {
  let wall = midnight(toMadrid(ms)) + DAY;
  while (weekday(wall) % 6 === 0 || isHoliday(wall)) wall += DAY;
  return new Date(fromMadrid(wall + 12 * HOUR)).toISOString();
}

const HOLIDAYS = new Map<number, string[]>();
function isHoliday(wall: number): boolean {
  const at = new Date(wall);
  const year = at.getUTCFullYear();
  const days = HOLIDAYS.get(year) ?? nationalHolidays(year);
  HOLIDAYS.set(year, days);
  return days.includes(at.toISOString().slice(0, 10));
}

const OPEN: readonly (readonly [from: number, to: number])[] = [
  [0, 0],
  [8, 20],
  [8, 20],
  [8, 20],
  [8, 20],
  [8, 20],
  [9, 14],
];

/** Instant `hours` after `ms`; outside working hours, within 90 minutes after opening, at `spread` (0 to 1). */
export function atWork(ms: number, hours: number, spread: number): number {
  const at = ms + hours * HOUR;
  const wall = toMadrid(at);
  for (let day = midnight(wall); ; day += DAY) {
    const [from, to] = OPEN[weekday(day)] ?? [0, 0];
    if (wall >= day + from * HOUR && wall < day + to * HOUR) return at;
    if (from < to && wall < day + from * HOUR) return fromMadrid(day + from * HOUR + spread * 1.5 * HOUR);
  }
}

export function daysBetween(from: number, to: number): { start: number; weekday: number }[] {
  const found = [];
  for (let wall = midnight(toMadrid(from)); fromMadrid(wall) <= to; wall += DAY)
    found.push({ start: fromMadrid(wall), weekday: weekday(wall) });
  return found;
}

const WEEK = [0.35, 1.2, 1.1, 1, 1.05, 1.15, 0.55];
const HOURS = [0, 0, 0, 0, 0, 0, 0, 0.3, 1, 2, 2.8, 3, 2.4, 1.7, 1, 1.3, 2.1, 2.4, 2, 1.5, 1, 0.7, 0.3, 0];

/** `count` ascending instants of a growing business, from `start` (a midnight) to just before `now`. `noise`: 0 to 1. */
export function orderTimes(count: number, start: number, now: number, noise: () => number): number[] {
  const last = now - 4 * MINUTE;
  const all = daysBetween(start, last);
  const slots = all.flatMap(({ start, weekday }, i) => {
    const busy = (WEEK[weekday] ?? 1) * (0.4 + (1.2 * i) / all.length) * (0.75 + 0.5 * noise());
    return HOURS.flatMap((weight, hour) => {
      const from = start + hour * HOUR;
      const length = Math.min(HOUR, last - from);
      return weight > 0 && length > 0 ? [{ from, length, weight: (busy * weight * length) / HOUR }] : [];
    });
  });
  const total = slots.reduce((sum, { weight }) => sum + weight, 0);
  const times: number[] = [];
  let before = 0;
  for (const { from, length, weight } of slots) {
    for (;;) {
      const position = ((times.length + 0.5) / count) * total - before;
      if (position >= weight || times.length === count) break;
      times.push(from + (position / weight) * length);
    }
    before += weight;
  }
  while (times.length < count) times.push(last);
  return times.map((ms) => Math.floor(ms + noise() * MINUTE));
}
