import { bare, type Columns, isTarget } from './columns.ts';

/* What somebody has chosen once is chosen the next time, in the same browser: no customer's data is among it. */

type Memory = { columns: Record<string, Columns>; packs: Record<string, string> };
/** Sets of headings that are remembered, the latest. */
const MOST = 30;

const nameOf = (owner: string) => `enruta-importar-${owner}`;
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function read(owner: string): Memory {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(owner)) ?? 'null');
    if (isRecord(stored) && isRecord(stored.columns) && isRecord(stored.packs)) return stored as Memory;
  } catch {
    // Storage may be blocked, or hold what this version does not know.
  }
  return { columns: {}, packs: {} };
}

function remember(owner: string, change: (memory: Memory) => Memory): void {
  try {
    localStorage.setItem(nameOf(owner), JSON.stringify(change(read(owner))));
  } catch {
    // Only the convenience is lost.
  }
}

/** Without headings, sheets of as many columns are taken for the same. */
const setOf = (titles: readonly string[] | null, width: number) => titles?.map(bare).join('|') ?? String(width);

/** The columns that were chosen for these headings. */
export function knownColumns(owner: string, titles: readonly string[] | null, width: number): Columns | undefined {
  const known = read(owner).columns[setOf(titles, width)];
  return Array.isArray(known) && known.length === width ? known.map((name: unknown) => (isTarget(name) ? name : '')) : undefined;
}

export function rememberColumns(owner: string, titles: readonly string[] | null, columns: Columns): void {
  const set = setOf(titles, columns.length);
  remember(owner, (memory) => {
    const others = Object.entries(memory.columns).filter(([key]) => key !== set);
    return { ...memory, columns: Object.fromEntries([...others.slice(1 - MOST), [set, columns]]) };
  });
}

/** Packs that were chosen for texts, by `bare` text. */
export const knownPacks = (owner: string): Readonly<Record<string, string>> => read(owner).packs;
export const rememberPack = (owner: string, key: string, pack_id: string): void =>
  remember(owner, (memory) => ({ ...memory, packs: { ...memory.packs, [key]: pack_id } }));
