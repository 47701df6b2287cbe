import { ANSWERS_DB } from '../../contract/session/fields.ts';
import type { Kept } from '../outbox/answers.ts';

/*
 * Owner of the cached responses that this telephone shows without coverage. The owner's id is written synchronously, so that a tab killed
 * before the database is deleted shows no other person's responses.
 */

const OWNER = 'enruta-respuestas-de';
const NOBODY = '';

/** Returns the owner's id, or NOBODY; null if an earlier version cached the responses. */
function owner(): string | null {
  try {
    return localStorage.getItem(OWNER);
  } catch {
    // Storage may be blocked.
    return NOBODY;
  }
}

function own(person: string): void {
  try {
    localStorage.setItem(OWNER, person);
  } catch {
    // Storage may be blocked or full.
  }
  try {
    // IndexedDB is not in every browser, and throws if all cookies are blocked.
    globalThis.indexedDB?.deleteDatabase(ANSWERS_DB);
  } catch {
    // If IndexedDB throws, there is nothing to delete.
  }
}

/** True if the service worker waited for a silent server before serving the page (`LIMIT_MS` of web/public/service-worker.js). */
export function isPageKept(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return page !== undefined && page.workerStart > 0 && page.responseStart - page.fetchStart > 290;
}

/** Deletes the cached responses unless `person` owns them. */
export function deleteOthers(person: string): void {
  if (owner() !== person) own(person);
}

export const deleteStored = (): void => own(NOBODY);

/** True if this browser has cached responses. Without cached responses, the code that reads them is not loaded (e2e/pantallas.spec.ts). */
async function areStored(): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name === ANSWERS_DB);
  } catch {
    // `databases` is not in every browser.
    return true;
  }
}

/** Returns the session cached on this telephone; undefined if none may be shown. */
export async function lastKept(): Promise<Kept | undefined> {
  if (owner() === NOBODY || (owner() === null && !(await areStored()))) return undefined;
  const { lastSession } = await import('../outbox/answers.ts');
  const known = await lastSession();
  const whose = owner();
  return whose === null || whose === known?.session.user.id ? known : undefined;
}
