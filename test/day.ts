/* The business's days, «2026-11-20», as the tests reckon them: apart from the code they test, and whatever the machine's own zone. */

const MADRID = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' });

/** The day in Madrid of an instant; without one, today. */
export const dayInMadrid = (instant: string | number = Date.now()): string => MADRID.format(new Date(instant));

export const addDays = (day: string, days: number): string => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** As people read it: «20/11/2026». */
export const spanishDay = (day: string): string => day.split('-').reverse().join('/');
