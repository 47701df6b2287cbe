/** Steps to complete in «Mi cuenta» before anything else is allowed. */
export const PENDING = ['password', 'second_factor'] as const;

export type Pending = (typeof PENDING)[number];

/** Header of background requests, which must not keep a session alive. */
export const UNATTENDED = 'x-unattended';

/** Database of a browser with a carrier's last answers; deleted at sign-out. */
export const ANSWERS_DB = 'enruta-respuestas';

/** Header with the id of the person who made an act; a session of another person is refused with 401. */
export const PERSON = 'x-persona';

/**
 * Header of a carrier's calls while something waits on the telephone, and just afterwards: the number of orders, and since when
 * («3;2026-11-25T12:40:00.000Z»), or «0».
 */
export const UNSENT = 'x-pendientes';

export const REQUIRED = 'Todos los campos son obligatorios';

/** Days that the link of an invitation lasts. */
export const INVITE_DAYS = 7;
/** Lifetime of a carrier's stored answers after the server's last answer, by the server's clock. */
export const ANSWERS_LIFE_MS = 12 * 3_600_000;
