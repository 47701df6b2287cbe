import { ANSWERS_DB } from '../../contract/session/fields.ts';
import type { Kept } from '../outbox/answers.ts';

/*
 * Whose answers this telephone may show without coverage. The owner's name is written synchronously, so that a tab killed before the
 * database is deleted shows nobody else's.
 */

const OWNER = 'enruta-respuestas-de';
const NOBODY = '';

/** Id of the person, or NOBODY; null where an earlier version has written the answers. */
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
    // Not in every browser; refused where all cookies are blocked.
    globalThis.indexedDB?.deleteDatabase(ANSWERS_DB);
  } catch {
    // Then there is nothing to delete.
  }
}

/** True if the page comes from the service worker because the server was silent (`LIMIT_MS` of web/public/service-worker.js). */
export function isPageKept(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return page !== undefined && page.workerStart > 0 && page.responseStart - page.fetchStart > 290;
}

/** Leaves the kept answers to `person` alone: deletes those of others. */
export function keepOnlyOf(person: string): void {
  if (owner() !== person) own(person);
}

/** Deletes the kept answers. */
export const forgetKept = (): void => own(NOBODY);

/** True if this browser stores answers; others do not load the code that reads them (e2e/pantallas.spec.ts). */
async function areStored(): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name === ANSWERS_DB);
  } catch {
    // Not in every browser.
    return true;
  }
}

/** The session kept on this telephone; undefined if there is none to show. */
export async function lastKept(): Promise<Kept | undefined> {
  if (owner() === NOBODY || (owner() === null && !(await areStored()))) return undefined;
  const { lastSession } = await import('../outbox/answers.ts');
  const known = await lastSession();
  const whose = owner();
  return whose === null || whose === known?.session.user.id ? known : undefined;
}
