import type { Tx } from './open.ts';

/**
 * Returns a query as one to which CTEs can be added, without the types of those it has. Without it TypeScript 7 accepts such an
 * assignment or not, depending on the order of the files that it checks.
 */
export const forgetCtes = (query: object): Pick<Tx, 'with'> => query as Pick<Tx, 'with'>;
