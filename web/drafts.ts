/* Unfinished orders hold customers' data, so they live in sessionStorage and are deleted on sign-out. */

const PREFIX = 'pedido-borrador-';

/** Key of a person's draft in sessionStorage; `of` marks a draft about one order. */
export const draftName = (owner: string, of = ''): string => PREFIX + owner + of;

/** Deletes all drafts in this tab except those of `owner`, kept for signing in again after an expired session. */
export function deleteDrafts(owner?: string): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) if (owner === undefined || !name.startsWith(draftName(owner))) sessionStorage.removeItem(name);
  } catch {
    // Storage may be blocked.
  }
}
