import type { World } from './world.ts';

/** `figure` counts the work done; `skipped` says why it could not be done here. */
export type Outcome = { figure: string; held: boolean; why?: string; skipped?: string };

type Edit = { file: string; find: string; replace: string };
/** A guard and the edits that remove it from a copy of the program; each `find` occurs in its file exactly once. */
export type Control = { guard: string; edits: readonly Edit[] };

/** One threat or fault. A row that throws did not finish, which is different from not holding. */
export type Row = {
  name: string;
  what: string;
  /** Time limit of `run`. */
  seconds: number;
  /** Part of `seconds` that the row spends on load by choice; `--minutes` replaces this part. */
  lasts?: number;
  /** Runs alone, mostly because the row compares times. */
  alone?: true;
  run: (world: World) => Promise<Outcome>;
  control: readonly Control[];
};

/** Options of the command line. */
export const PACE = {
  /** A row ends at its first failure, which is enough for a control. */
  first: false,
  /** Factor of all time limits. */
  patience: 1,
  minutes: undefined as number | undefined,
  /** Seconds of load: `--minutes`, else `usual`. */
  seconds: (usual: number): number => (PACE.minutes ? PACE.minutes * 60 : usual),
};
/** Returns the complaint of an error that `expect` threw because of `first`, else undefined. */
export const brokeFirst = (error: unknown): string | undefined => (error as { broke?: string }).broke;

/** Collects failures. A row without failures holds. */
export function verdict() {
  const broken: string[] = [];
  return {
    /** Records `complaint` unless `fine`. */
    expect: (fine: boolean, complaint: () => string) => {
      if (fine) return;
      broken.push(complaint());
      if (PACE.first) throw Object.assign(new Error('broke'), { broke: broken[0] });
    },
    broken,
    outcome: (figure: string): Outcome =>
      broken.length === 0
        ? { figure, held: true }
        : { figure, held: false, why: `${broken.length}: ${[...new Set(broken)].slice(0, 10).join(' · ')}` },
  };
}

/** Counts of each status: «200 × 3, 409 × 97». */
export function tally(statuses: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => String(a).localeCompare(String(b)))
    .map(([status, n]) => `${status} × ${n}`)
    .join(', ');
}
