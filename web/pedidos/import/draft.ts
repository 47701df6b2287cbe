import type { SessionUser } from '../../../contract/session/session.ts';
import { draftName } from '../../drafts.ts';
import { newKey } from '../../keys.ts';
import { onlyAmounts } from './amounts.ts';
import { matchColumns } from './columns.ts';
import { type LeftOut, leaveOut, withOnDelivery } from './left-out.ts';
import { knownColumns, knownNoCantidad, knownPacks } from './memory.ts';
import { withPayment } from './payment.ts';
import type { Row } from './row.ts';
import type { Sheet, Unread } from './sheet.ts';
import { columnsFor, type Targets } from './target.ts';

/* An import in progress, stored in sessionStorage. Removed when the orders are created, on discarding and on sign-out. */

export type Import = {
  /** File name; empty for pasted text. */
  file: string;
  titles: string[] | null;
  columns: Targets;
  rows: readonly Row[];
  /** Ids of the packs chosen for ambiguous texts; the key is the `bare` text. */
  chosen: Readonly<Record<string, string>>;
  /** Texts of accepted warnings, by the id of the row. */
  accepted: Readonly<Record<string, readonly string[]>>;
  /** Indexes of columns that the person has ruled out as the quantity. */
  noCantidad?: readonly number[];
  /** True to join the rows of each customer into one order; undefined until the person answers. */
  juntar?: boolean;
  /** Rows left out: orders in a final state, sums, notes and repeated headings. */
  fuera?: readonly LeftOut[];
  /** True if the person has included the left-out rows. */
  incluidas?: boolean;
  /** Tabs of the workbook that are not read. */
  sinLeer?: readonly Unread[];
  revendedor_id: string;
  cobrar: boolean;
  /** Idempotency key, so that a retry creates no order twice. */
  key: string;
};

/** Starts the import of a sheet, with the columns and packs that the person chose in earlier imports. */
export function startImport(actor: SessionUser, { titles, lines, unread }: Sheet, file: string): Import {
  const owner = actor.id;
  const width = lines[0]?.cells.length ?? 0;
  const known = knownColumns(owner, titles, width);
  const columns = known ?? (titles ? matchColumns(titles) : Array.from({ length: width }, () => '' as const));
  const rows = lines.map((line, at): Row => ({ ...line, id: String(at), typed: {} }));
  const { rows: kept, out } = leaveOut(titles, columns, rows);
  const read = known ? columns : withPayment(titles, onlyAmounts(titles, columns, kept), kept);
  return {
    file,
    titles,
    columns: withOnDelivery(titles, columnsFor(actor, read), kept),
    rows: kept,
    fuera: out,
    chosen: knownPacks(owner),
    accepted: {},
    noCantidad: knownNoCantidad(owner, titles, width),
    ...(unread && { sinLeer: unread }),
    revendedor_id: '',
    cobrar: false,
    key: newKey(),
  };
}

const VERSION = 1;
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
