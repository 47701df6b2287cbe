export const MAX_FILAS = 2000;

/** Days within which the same telephone and pack count as a repeat. */
export const DUPLICATE_DAYS = 3;
