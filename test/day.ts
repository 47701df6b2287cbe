/* Business days («2026-11-20»), computed independently of the code under test and of the machine's time zone. */

const MADRID = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' });

/** Day in Madrid of an instant; by default, today. */
export const dayInMadrid = (instant: string | number = Date.now()): string => MADRID.format(new Date(instant));

export const addDays = (day: string, days: number): string => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** A day as displayed: «20/11/2026». */
export const spanishDay = (day: string): string => day.split('-').reverse().join('/');
