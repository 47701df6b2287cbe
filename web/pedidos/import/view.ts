import type { Checked, CheckedOrder, Doubt } from './check.ts';
import type { Target } from './target.ts';

/** A row to display, with the errors and warnings of the browser's and the server's checks. */
export type View = Checked & {
  id: string;
  isWrong: boolean;
  doubts: readonly Doubt[];
  /** Warnings not yet accepted. */
  open: readonly Doubt[];
  /** Number of lines of the order, and the row number of its first row. */
  order: { lines: number; first: number };
  /** True for a later row of an order, which shows the customer of the first row. */
  later: boolean;
};

type Said = {
  refused?: Partial<Record<Target, string>> | undefined;
  /** Warnings of the server's check. */
  doubts?: readonly Doubt[] | undefined;
  accepted?: readonly string[] | undefined;
};

/** Adds the server's errors and warnings to a checked row. */
export function checkedView(checked: Checked, order: CheckedOrder, { refused, doubts: ofServer = [], accepted = [] }: Said): View {
  const errors = refused ? { ...checked.errors, ...refused } : checked.errors;
  const doubts = [...checked.doubts, ...ofServer];
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
