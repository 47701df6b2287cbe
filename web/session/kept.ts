import { ANSWERS_DB } from '../../contract/session/fields.ts';
import type { Kept } from '../outbox/answers.ts';
import { readStored, store } from '../stored.ts';

/*
 * Owner of the cached responses that this telephone shows until the server answers. The owner's id is written synchronously, so that a tab killed
 * before the database is deleted shows no other person's responses.
 */

const OWNER = 'enruta-respuestas-de';
const NOBODY = '';

const owner = (): string => readStored(OWNER) ?? NOBODY;

function own(person: string): void {
  store(OWNER, person);
  try {
    // IndexedDB is not in every browser, and throws if all cookies are blocked.
    globalThis.indexedDB?.deleteDatabase(ANSWERS_DB);
  } catch {
    // If IndexedDB throws, there is nothing to delete.
  }
}

/** Deletes the cached responses unless `person` owns them. */
export function deleteOthers(person: string): void {
  if (owner() !== person) own(person);
}

export const deleteStored = (): void => own(NOBODY);

/** Returns the session cached on this telephone; undefined if none may be shown. Loads the code that reads it only for a telephone with an owner. */
export async function lastKept(): Promise<Kept | undefined> {
  if (owner() === NOBODY) return undefined;
  const { lastSession } = await import('../outbox/answers.ts');
  const known = await lastSession();
  return owner() === known?.session.user.id ? known : undefined;
}
