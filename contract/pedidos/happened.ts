/* Bounds for the time that a phone reports for a carrier's step (decision 063). */

/** Maximum age of a step that waited on a phone. */
export const HAPPENED_AGE_MS = 7 * 86_400_000;
/** Tolerance for a phone's clock that runs ahead of the server's. */
export const HAPPENED_AHEAD_MS = 5 * 60_000;
/** Shorter delays are ignored: the step counts as recorded when it happened. */
export const SAME_TIME_MS = 60_000;
/** Beyond this delay, the history shows the time of the step beside the time of recording. */
const SHOWN_FROM_MS = 3_600_000;

/** True if the history shows the time of the step as well as the time of recording. */
export const happenedEarlier = (entry: { created_at: string; ocurrido_at: string | null }): boolean =>
  entry.ocurrido_at !== null && Date.parse(entry.created_at) - Date.parse(entry.ocurrido_at) > SHOWN_FROM_MS;
