import type { Checked, CheckedOrder, Doubt } from './check.ts';
import type { Target } from './target.ts';

/** A row for display, with its own errors, the server's and the warnings. */
export type View = Checked & {
  id: string;
  isWrong: boolean;
  doubts: readonly Doubt[];
  /** Warnings not yet accepted. */
  open: readonly Doubt[];
  /** Number of lines of its order, and the first row of it. */
  order: { lines: number; first: number };
  /** Later row of an order: its customer is the first row's. */
  later: boolean;
};

type Said = {
  refused?: Partial<Record<Target, string>> | undefined;
  /** Doubts of the server. */
  said?: readonly Doubt[] | undefined;
  accepted?: readonly string[] | undefined;
};

/** A checked row of an order, with what the server said of it. */
export function shown(checked: Checked, order: CheckedOrder, { refused, said = [], accepted = [] }: Said): View {
  const errors = refused ? { ...checked.errors, ...refused } : checked.errors;
  const doubts = [...checked.doubts, ...said];
  const first = order[0] ?? checked;
  return {
    ...checked,
    id: checked.row.id,
    errors,
    isWrong: Object.keys(errors).length > 0,
    doubts,
    open: doubts.filter(({ text }) => !accepted.includes(text)),
    order: { lines: order.length, first: first.row.n },
    later: first !== checked,
  };
}
