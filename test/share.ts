/** Of pairs and of random histories, `npm test` tries one in three, drawn by the seed of the run; `npm run test:all` tries all. */
const SHARE = process.env.QUICK === '1' ? 3 : 1;

/** Those of `all` that this run tries. */
export const shareOf = <T>(all: readonly T[], seed: number): readonly T[] => all.filter((_, i) => (i + seed) % SHARE === 0);
