import { hashKey } from '@tanstack/react-query';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { listCajas } from '../../contract/caja/caja.ts';
import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { getPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { getRuta } from '../../contract/ruta/ruta.ts';
import { ANSWERS_DB, ANSWERS_LIFE_MS } from '../../contract/session/fields.ts';
import type { getUser, SessionUser } from '../../contract/session/session.ts';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { listCiudades } from '../../contract/transportista/transportista.ts';
import { queryClient, SESSION_KEY } from '../api.ts';
import { serverTime } from '../connection.ts';

/*
 * A carrier's last answers on this telephone, so that the program opens without coverage. One person's at a time; deleted at sign-out,
 * and twelve hours after the server last answered, by the server's clock. A phone's clock may have been changed: while the server is
 * silent it ends them only after two days.
 */

const SILENT_LIFE_MS = 48 * 3_600_000;
/** Longer than the stale time of any query. */
const STALE_MS = 60_000;
const KEPT: readonly string[] = [listPedidos, getPedido, listComentarios, transportistaStats, listCiudades, getRuta, listCajas].map(
  ({ path }) => path,
);

// Restored queries too: without coverage no screen refetches them before garbage collection.
for (const path of KEPT) queryClient.setQueryDefaults([path], { gcTime: ANSWERS_LIFE_MS });

/** Last answer about the session, and its time. */
export type Answered = {
  session: Answer<typeof getUser>;
  at: number;
  /** By the server's clock. */
  serverAt?: number | undefined;
};
/** A kept session; `show` puts its person's answers where screens look for them. */
export type Kept = Answered & { show: () => void };
type Stored = { key: readonly unknown[]; data: unknown; at: number; serverAt?: number | undefined };
interface Schema extends DBSchema {
  answers: { key: string; value: Stored };
  session: { key: string; value: Answered };
}

const open = (): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(ANSWERS_DB, 1, {
    upgrade(db) {
      db.createObjectStore('answers');
      db.createObjectStore('session');
    },
    // Deleting the database, at sign-out, waits for no connection.
    blocking: (_now, _next, { target }) => (target as IDBDatabase).close(),
  });

/** Runs `work` on a connection of its own: none is left for the browser to drop. */
async function using<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
  const db = await open();
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

const putSession = (answered: Answered) => using((db) => db.put('session', { ...answered, serverAt: serverTime() }, 'last'));

let keeping: string | undefined;
let stop = () => {};

/** Keeps from now on what this person is answered. */
export async function keepAnswers(answered: Answered): Promise<void> {
  const person = answered.session.user.id;
  // The module may arrive after a sign-out, while the screen is still mounted.
  if (queryClient.getQueryData<SessionUser | null>(SESSION_KEY)?.id !== person) return;
  if (keeping === person) return void (await putSession(answered));
  stop();
  keeping = person;
  const cache = queryClient.getQueryCache();
  const keep = ({ queryKey, state: { data, dataUpdatedAt } }: ReturnType<typeof cache.getAll>[number]) =>
    using((db) => db.put('answers', { key: queryKey, data, at: dataUpdatedAt, serverAt: serverTime() }, JSON.stringify(queryKey)));
  // Before anything is stored: a sign-out meanwhile forgets it.
  stop = cache.subscribe((event) => {
    const { query, type } = event;
    // Readings of the settings under the same path have a longer key.
    const isSession = query.queryHash === hashKey(SESSION_KEY);
    // Signed out, or the session has ended.
    if (isSession && (type === 'removed' || query.state.data === null)) return forgetAnswers();
    if (type !== 'updated' || event.action.type !== 'success') return;
    if (query.queryKey[0] === SESSION_KEY[0] && !isSession) {
      const session = query.state.data as Answered['session'];
      if (session.user.id === person) void putSession({ session, at: query.state.dataUpdatedAt }).catch(() => undefined);
      return;
    }
    // Data put by hand is no answer of the server.
    if (KEPT.includes(String(query.queryKey[0])) && !event.action.manual) void keep(query).catch(() => undefined);
  });
  await using(async (db) => {
    const before = await db.get('session', 'last');
    if (before?.session.user.id !== person) await db.clear('answers');
    await db.put('session', { ...answered, serverAt: serverTime() }, 'last');
  });
  for (const query of cache.getAll())
    if (keeping === person && KEPT.includes(String(query.queryKey[0])) && query.state.data) await keep(query);
  if (keeping !== person) forgetAnswers();
}

function forgetAnswers(): void {
  keeping = undefined;
  stop();
  indexedDB.deleteDatabase(ANSWERS_DB);
}

/** The last person's session; undefined if there is none that may still be shown. `heard`: the server's time, null while it is silent. */
export async function lastSession(heard: number | null = serverTime() ?? null): Promise<Kept | undefined> {
  const now = Date.now();
  const [last, answers] = await using(async (db) => [await db.get('session', 'last'), await db.getAll('answers')] as const);
  if (!last) return undefined;
  const all = [last, ...answers];
  const serverAt = Math.max(...all.map((one) => one.serverAt ?? one.at));
  const isOver = heard === null ? now - Math.max(...all.map(({ at }) => at)) > SILENT_LIFE_MS : heard - serverAt > ANSWERS_LIFE_MS;
  if (isOver) {
    forgetAnswers();
    return undefined;
  }
  return {
    ...last,
    serverAt,
    show: () => {
      // Stale however new: a screen that opens reads its list again. The list may have come where the answer of the session is late.
      for (const { key, data, at } of answers)
        if (at > (queryClient.getQueryState(key)?.dataUpdatedAt ?? 0))
          queryClient.setQueryData(key, data, { updatedAt: Math.min(at, now - STALE_MS) });
    },
  };
}
