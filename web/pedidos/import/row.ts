import type { SheetLine } from './sheet.ts';
import { TARGETS, type Target, type Targets } from './target.ts';

/** A row of the sheet with the person's corrections; immutable. */
export type Row = SheetLine & { id: string; typed: Partial<Record<Target, string>>; pack_id?: string };
export type Values = Record<Target, string>;

/** Value of each target in the row: the correction, or else its cells. */
export function writtenIn({ cells, typed }: Row, columns: Targets): Values {
  const written = (target: Target) => {
    const parts = cells.filter((cell, i) => columns[i] === target && cell !== '');
    return target === 'instrucciones' ? parts.join('\n') : parts.join(' ').replace(/\s+/g, ' ');
  };
  return Object.fromEntries(TARGETS.map((target) => [target, typed[target] ?? written(target)])) as Values;
}
