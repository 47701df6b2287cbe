import type { Checked, Doubt } from './check.ts';
import type { Target } from './columns.ts';

/** A row as it is shown: what is wrong with it by itself, by the server, and what looks wrong. */
export type View = Checked & {
  id: string;
  isWrong: boolean;
  doubts: readonly Doubt[];
  /** Doubts that nobody has left as they are. */
  open: readonly Doubt[];
};

export function shown(
  checked: Checked,
  refused: Partial<Record<Target, string>> | undefined,
  repeats: string | undefined,
  accepted: readonly string[] = [],
): View {
  const errors = refused ? { ...checked.errors, ...refused } : checked.errors;
  const doubts = repeats ? [...checked.doubts, { target: 'cliente_nombre' as const, text: repeats }] : checked.doubts;
  return {
    ...checked,
    id: checked.row.id,
    errors,
    isWrong: Object.keys(errors).length > 0,
    doubts,
    open: doubts.filter(({ text }) => !accepted.includes(text)),
  };
}
