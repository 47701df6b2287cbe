import { draftName } from '../../drafts.ts';
import { newKey } from '../../keys.ts';
import { type Answers, hasAnswers } from '../../sheets/reading.ts';
import type { SheetLine, Table, Unread } from '../../sheets/table.ts';
import type { Reason } from './left-out.ts';
import type { Row } from './target.ts';

/* An import in progress, stored in sessionStorage. Removed when the orders are created, on discarding and on sign-out. */

export type Import = {
  /** File name; empty for pasted text. */
  file: string;
  titles: string[] | null;
  lines: readonly SheetLine[];
  /** Corrected rows, by the columns of the moment; empty until a row is corrected. */
  rows: readonly Row[];
  /** What the person has answered about this sheet and earlier ones of its format. */
  answers: Answers;
  /** True if an earlier sheet of its format has been answered about. */
  kept: boolean;
  /** Texts of accepted warnings, by the id of the row. */
  accepted: Readonly<Record<string, readonly string[]>>;
  /** Reasons whose rows the person has taken in. */
  included: readonly Reason[];
  removed: readonly string[];
  /** Tabs of the workbook that are not read. */
  unread?: readonly Unread[];
  revendedor_id: string;
  cobrar: boolean;
  /** Idempotency key, so that a retry creates no order twice. */
  key: string;
};

/** Starts the import of a sheet with the answers of earlier ones. */
export const startImport = ({ titles, lines, unread }: Table, file: string, answers: Answers): Import => ({
  file,
  titles,
  lines,
  rows: [],
  answers,
  kept: hasAnswers(answers),
  accepted: {},
  included: [],
  removed: [],
  ...(unread && { unread }),
  revendedor_id: '',
  cobrar: false,
  key: newKey(),
});

const VERSION = 2;
const nameOf = (owner: string) => draftName(owner, '-importar');

export function readImportDraft(owner: string): Import | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(nameOf(owner)) ?? 'null');
    const known = typeof stored === 'object' && stored !== null && 'version' in stored && stored.version === VERSION;
    return known && 'draft' in stored ? (stored.draft as Import) : undefined;
  } catch {
    return undefined;
  }
}

/** Stores or deletes the draft. Returns false if the browser cannot store the draft. */
export function storeImportDraft(owner: string, draft: Import | undefined): boolean {
  try {
    if (draft) sessionStorage.setItem(nameOf(owner), JSON.stringify({ version: VERSION, draft }));
    else sessionStorage.removeItem(nameOf(owner));
    return true;
  } catch {
    return draft === undefined;
  }
}
