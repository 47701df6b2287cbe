import type { Checked, Doubt } from './check.ts';
import type { Target } from './target.ts';

/** A row for display, with its own errors, the server's and the warnings. */
export type View = Checked & {
  id: string;
  isWrong: boolean;
  doubts: readonly Doubt[];
  /** Warnings not yet accepted. */
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
