import { store } from '../../stored.ts';
import { bare } from '../lineas/words.ts';
import { isTarget, type Targets } from './target.ts';

/* Remembers a person's choices of columns and packs in this browser. Holds no customer data. */

type Memory = {
  columns: Record<string, Targets>;
  packs: Record<string, string>;
  /** Indexes of columns that the person has ruled out as the quantity; absent in data from older versions. */
  noCantidad?: Record<string, readonly number[]>;
};
/** Maximum number of remembered sheets. */
const MOST = 30;

const nameOf = (owner: string) => `enruta-importar-${owner}`;
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function read(owner: string): Memory {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(owner)) ?? 'null');
    if (isRecord(stored) && isRecord(stored.columns) && isRecord(stored.packs)) return stored as Memory;
  } catch {
    // Storage may be blocked, or hold an unknown format.
  }
  return { columns: {}, packs: {} };
}

const remember = (owner: string, change: (memory: Memory) => Memory): void => store(nameOf(owner), JSON.stringify(change(read(owner))));

/** Key of a kind of sheet: its headings or, without headings, its number of columns. */
const setOf = (titles: readonly string[] | null, width: number) => titles?.map(bare).join('|') ?? String(width);

export function knownColumns(owner: string, titles: readonly string[] | null, width: number): Targets | undefined {
  const known = read(owner).columns[setOf(titles, width)];
  return Array.isArray(known) && known.length === width ? known.map((name: unknown) => (isTarget(name) ? name : '')) : undefined;
}

/** Adds a sheet as the newest one, and drops the oldest beyond `MOST`. */
const latest = <V>(sheets: Readonly<Record<string, V>> | undefined, set: string, value: V): Record<string, V> =>
  Object.fromEntries([
    ...Object.entries(sheets ?? {})
      .filter(([key]) => key !== set)
      .slice(1 - MOST),
    [set, value],
  ]);

export function rememberColumns(owner: string, titles: readonly string[] | null, columns: Targets): void {
  const set = setOf(titles, columns.length);
  remember(owner, (memory) => ({ ...memory, columns: latest(memory.columns, set, columns) }));
}

export function knownNoCantidad(owner: string, titles: readonly string[] | null, width: number): readonly number[] {
  const known: unknown = read(owner).noCantidad?.[setOf(titles, width)];
  return Array.isArray(known) ? known.filter((at) => typeof at === 'number') : [];
}

export function rememberNoCantidad(owner: string, titles: readonly string[] | null, width: number, columns: readonly number[]): void {
  const set = setOf(titles, width);
  remember(owner, (memory) => ({ ...memory, noCantidad: latest(memory.noCantidad, set, columns) }));
}

/** Ids of the packs chosen for texts; the key is the `bare` text. */
export const knownPacks = (owner: string): Readonly<Record<string, string>> => read(owner).packs;
export const rememberPack = (owner: string, key: string, pack_id: string): void =>
  remember(owner, (memory) => ({ ...memory, packs: { ...memory.packs, [key]: pack_id } }));
