import type { Act } from './store.ts';

/** True for words about an order, which change nothing of it. Apart from the store, which no first screen loads. */
export const isComment = ({ path }: Pick<Act, 'path'>): boolean => path.endsWith('/comentarios');
