/* The day's route (decision 075), behind the setting `dayRoute`. */

/** Visits of one route. */
export const MAX_PARADAS = 300;
