export type Random = ReturnType<typeof seededRandom>;
export type Weighted<T> = readonly (readonly [value: T, weight: number])[];

export function seededRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = () =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(values: readonly T[]): T => values[int(0, values.length - 1)] as T;

  return {
    next,
    int,
    between: (min: number, max: number) => min + next() * (max - min),
    chance: (probability: number) => next() < probability,
    pick,
    weighted: <T>(values: Weighted<T>): T => {
      let left = next() * values.reduce((sum, [, weight]) => sum + weight, 0);
      return (values.find(([, weight]) => (left -= weight) < 0) ?? values[values.length - 1])?.[0] as T;
    },
    /** Replaces `#` with a digit and `?` with a capital letter. */
    fill: (pattern: string) => pattern.replace(/[#?]/g, (c) => (c === '#' ? String(int(0, 9)) : String.fromCharCode(int(65, 90)))),
    uuid: () => {
      const [a, b, c, d] = [hex(), hex(), hex(), hex()];
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${pick(['8', '9', 'a', 'b'])}${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
    token: () => [hex(), hex(), hex(), hex(), hex(), hex()].join(''),
  };
}
