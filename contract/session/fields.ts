/** Steps to complete in «Mi cuenta» before anything else is allowed. */
export const PENDING = ['password', 'second_factor'] as const;

export type Pending = (typeof PENDING)[number];

/** Header of background requests, which must not keep a session alive. */
export const UNATTENDED = 'x-unattended';

/** IndexedDB database with a carrier's cached responses; deleted at sign-out. */
export const ANSWERS_DB = 'enruta-respuestas';

/** Header with the id of the person who recorded a queued step; a session of another person is refused with 401. */
export const PERSON = 'x-persona';

/**
 * Header of a carrier's requests while steps wait on the phone, and shortly afterwards: number of orders and time of the oldest step
 * («3;2026-11-25T12:40:00.000Z»), or «0». Appends «|id=1;2026-…» per other carrier with steps waiting on the same phone.
 */
export const UNSENT = 'x-pendientes';

export const REQUIRED = 'Todos los campos son obligatorios';

/** Lifetime of an invitation link, in days. */
export const INVITE_DAYS = 7;
/** Lifetime of a carrier's cached responses after the server's last response, by the server's clock. */
export const ANSWERS_LIFE_MS = 12 * 3_600_000;
