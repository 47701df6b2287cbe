/* Bounds of the time that a telephone gives for a carrier's step (decision 063). */

/** A step may have waited this long on a telephone. */
export const HAPPENED_AGE_MS = 7 * 86_400_000;
/** Clocks may be this far ahead of the server's without being noted. */
export const HAPPENED_AHEAD_MS = 5 * 60_000;
/** A shorter delay is none: the step counts as recorded when it happened. */
export const SAME_TIME_MS = 60_000;
/** From this delay on, the history shows both times. */
const SHOWN_FROM_MS = 3_600_000;

/** True if the history shows when the step happened beside when it was recorded. */
export const happenedEarlier = (entry: { created_at: string; ocurrido_at: string | null }): boolean =>
  entry.ocurrido_at !== null && Date.parse(entry.created_at) - Date.parse(entry.ocurrido_at) > SHOWN_FROM_MS;
