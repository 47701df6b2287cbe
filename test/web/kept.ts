import { openDB } from 'idb';
import { ANSWERS_DB } from '../../contract/session/fields.ts';
import type { SessionUser } from '../../contract/session/session.ts';

/** Stores a carrier's session and a response, as a killed tab leaves them. Retries once if the program is deleting the store. */
export async function leaveKept(user: SessionUser, answer: [key: unknown[], data: unknown]): Promise<void> {
  try {
    await put(user, answer);
  } catch (error) {
    if ((error as Error).name !== 'InvalidStateError') throw error;
    await put(user, answer);
  }
}

async function put(user: SessionUser, [key, data]: [key: unknown[], data: unknown]): Promise<void> {
  const db = await openDB(ANSWERS_DB, 1, {
    upgrade: (made) => {
      for (const name of ['answers', 'session']) made.createObjectStore(name);
    },
    blocking: (_now, _next, { target }) => (target as IDBDatabase).close(),
  });
  const negocio = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false };
  await db.put('session', { session: { user, negocio }, at: Date.now() }, 'last');
  await db.put('answers', { key, data, at: Date.now() }, JSON.stringify(key));
  db.close();
}
