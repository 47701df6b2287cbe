/** Loads the table of a wide window; a telephone shows cards. */
export const loadRows = () => import('./rows.tsx');
