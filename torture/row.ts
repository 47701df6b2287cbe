import type { World } from './world.ts';

/** `figure` says what was done, counted; `skipped`, why it could not be done here. */
export type Outcome = { figure: string; held: boolean; why?: string; skipped?: string };

type Edit = { file: string; find: string; replace: string };
/** A guard and the edits that take it out of a copy of the program; each `find` stands in its file exactly once. */
export type Control = { guard: string; edits: readonly Edit[] };

/** One threat or fault. A row that throws has not been run to its end, which is not the same as not holding. */
export type Row = {
  name: string;
  what: string;
  /** The most it may take. */
  seconds: number;
  /** It compares times, so that nothing runs beside it. */
  alone?: true;
  run: (world: World) => Promise<Outcome>;
  control: readonly Control[];
};

/** `first`: a row ends at the first thing that breaks, which is all that a control wants to know. */
export const HASTE = { first: false };
/** What the error was about that `expect` threw in haste, if it is one. */
export const brokeFirst = (error: unknown): string | undefined => (error as { broke?: string }).broke;

/** Collects what broke. The row holds when nothing did. */
export function verdict() {
  const broken: string[] = [];
  return {
    /** Notes `complaint` unless `fine`. */
    expect: (fine: boolean, complaint: () => string) => {
      if (fine) return;
      broken.push(complaint());
      if (HASTE.first) throw Object.assign(new Error('broke'), { broke: broken[0] });
    },
    broken,
    outcome: (figure: string): Outcome =>
      broken.length === 0
        ? { figure, held: true }
        : { figure, held: false, why: `${broken.length}: ${[...new Set(broken)].slice(0, 10).join(' · ')}` },
  };
}

/** Runs `work` on every item, `atOnce` at a time. */
export async function each<T, R>(items: readonly T[], atOnce: number, work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/** 0, 1, … n - 1. */
export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** The numbers of each status among `statuses`: «200 × 3, 409 × 97». */
export function tally(statuses: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => String(a).localeCompare(String(b)))
    .map(([status, n]) => `${status} × ${n}`)
    .join(', ');
}
