/* Unfinished orders hold customers' data: they stay in their tab, and leave it with the person. */

const PREFIX = 'pedido-borrador-';

/** Where in sessionStorage a person's draft is kept; `of` tells it from the draft of one order. */
export const draftName = (owner: string, of = ''): string => PREFIX + owner + of;

/** Forgets the drafts in this tab, but for those of `owner`, who wants them back after a session that has expired. */
export function forgetDrafts(owner?: string): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) if (owner === undefined || !name.startsWith(draftName(owner))) sessionStorage.removeItem(name);
  } catch {
    // Storage may be blocked, and then holds nothing.
  }
}
