import { openDB } from 'idb';
import { ANSWERS_DB } from '../../contract/session/fields.ts';
import type { SessionUser } from '../../contract/session/session.ts';

type Given = [user: SessionUser, answer: readonly [key: readonly unknown[], data: unknown], at?: number];

/** Stores a person's session and a response of the time `at` (ms), as a killed tab leaves them. Retries once if the program is deleting the store. */
export async function leaveKept(...args: Given): Promise<void> {
  try {
    await put(...args);
  } catch (error) {
    if ((error as Error).name !== 'InvalidStateError') throw error;
    await put(...args);
  }
}

async function put(...[user, [key, data], at = Date.now()]: Given): Promise<void> {
  const db = await openDB(ANSWERS_DB, 1, {
    upgrade: (made) => {
      for (const name of ['answers', 'session']) made.createObjectStore(name);
    },
    blocking: (_now, _next, { target }) => (target as IDBDatabase).close(),
  });
  const negocio = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false };
  // A later sign-in of another person stays the owner.
  localStorage.setItem('enruta-respuestas-de', localStorage.getItem('enruta-respuestas-de') ?? user.id);
  await db.put('session', { session: { user, negocio }, at }, 'last');
  await db.put('answers', { key, data, at }, JSON.stringify(key));
  db.close();
}
