import { hashKey } from '@tanstack/react-query';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { listCajas } from '../../contract/caja/caja.ts';
import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { getPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { listPacks } from '../../contract/products/products.ts';
import { getRuta } from '../../contract/ruta/ruta.ts';
import { ANSWERS_DB, ANSWERS_LIFE_MS } from '../../contract/session/fields.ts';
import type { getUser, SessionUser } from '../../contract/session/session.ts';
import { revendedorStats, transportistaStats } from '../../contract/stats/stats.ts';
import { listCiudades, listDisponibles } from '../../contract/transportista/transportista.ts';
import { listVistas } from '../../contract/vistas/vistas.ts';
import { queryClient, SESSION_KEY } from '../api.ts';
import { serverTime } from '../connection.ts';

/*
 * Caches a person's last answers on this phone, so that the program opens with them, also without coverage. Holds the answers of one person.
 * Sign-out deletes the cache, as do twelve hours by the server's clock since the last answer. The phone's clock is less reliable, so it
 * ends the cache only after two days, and only while the server is silent.
 */

const SILENT_LIFE_MS = 48 * 3_600_000;
/** Minimum age in ms given to restored data, so that screens refetch the data. */
const STALE_MS = 60_000;
const KEPT: readonly string[] = [
  ...[listPedidos, getPedido, listComentarios, transportistaStats, listCiudades, listDisponibles, getRuta, listCajas],
  ...[revendedorStats, listVistas, listPacks],
].map(({ path }) => path);

// Keeps restored queries for the whole life of the cache: without coverage, no screen could fetch them again.
for (const path of KEPT) queryClient.setQueryDefaults([path], { gcTime: ANSWERS_LIFE_MS });

/** Last response about the session, and its time in ms since 1970. */
export type LastSession = {
  session: Answer<typeof getUser>;
  at: number;
  /** Time by the server's clock, in ms since 1970. */
  serverAt?: number | undefined;
};
/** A cached session. `show` puts its person's answers into the query cache. */
export type Kept = LastSession & { show: () => void };
interface Schema extends DBSchema {
  answers: { key: string; value: { key: readonly unknown[]; data: unknown; at: number; serverAt?: number | undefined } };
  session: { key: string; value: LastSession };
}

const open = (creates: boolean): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(ANSWERS_DB, 1, {
    upgrade(db, _from, _to, work) {
      if (!creates) {
        work.done.catch(() => undefined);
        return work.abort();
      }
      db.createObjectStore('answers');
      db.createObjectStore('session');
    },
    // Closes the connection, so that deleting the database at sign-out need not wait.
    blocking: (_now, _next, { target }) => (target as IDBDatabase).close(),
  });

/** Runs `work` on a new connection, because the browser can drop connections that stay open. Without `creates`, throws if nothing is stored. */
async function using<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>, creates = true): Promise<T> {
  const db = await open(creates);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** Stores the session. Deletes the answers of other people, and those older than their lifetime. */
function putSession(latest: LastSession): Promise<void> {
  // Before the database opens, which takes long on a busy phone.
  const answered = { serverAt: serverTime(), ...latest };
  return using(async (db) => {
    const before = await db.get('session', 'last');
    const oldest = before?.session.user.id === answered.session.user.id ? (serverTime() ?? 0) - ANSWERS_LIFE_MS : Number.POSITIVE_INFINITY;
    for (const { key, at, serverAt = at } of await db.getAll('answers'))
      if (serverAt < oldest) await db.delete('answers', JSON.stringify(key));
    await db.put('session', answered, 'last');
  });
}

let keeping: string | undefined;
let stop = () => {};

/** Caches the answers that the person has got and gets from now on. */
export async function storeAnswers(answered: LastSession): Promise<void> {
  const person = answered.session.user.id;
  // Returns if the person has signed out while this module was loading.
  if (queryClient.getQueryData<SessionUser | null>(SESSION_KEY)?.id !== person) return;
  if (keeping === person) return putSession(answered);
  stop();
  keeping = person;
  const [cache, began] = [queryClient.getQueryCache(), serverTime()];
  const store = ({ queryKey, state: { data, dataUpdatedAt } }: ReturnType<typeof cache.getAll>[number], serverAt = serverTime()) =>
    using((db) => db.put('answers', { key: queryKey, data, at: dataUpdatedAt, serverAt }, JSON.stringify(queryKey)));
  // Subscribes before storing anything, so that a sign-out in between deletes everything.
  stop = cache.subscribe((event) => {
    const { query, type } = event;
    // Queries of the settings have the same path, but a longer key.
    const isSession = query.queryHash === hashKey(SESSION_KEY);
    // The person has signed out, or the session has ended and its cache has expired.
    if (isSession && (type === 'removed' || query.state.data === null)) return deleteAnswers();
    if (type !== 'updated' || event.action.type !== 'success') return;
    if (query.queryKey[0] === SESSION_KEY[0] && !isSession) {
      const session = query.state.data as LastSession['session'];
      if (session.user.id === person) void putSession({ session, at: query.state.dataUpdatedAt }).catch(() => undefined);
      return;
    }
    // Skips data set manually, which is not a response of the server.
    if (KEPT.includes(String(query.queryKey[0])) && !event.action.manual) void store(query).catch(() => undefined);
  });
  await putSession(answered);
  for (const query of cache.getAll())
    if (keeping === person && KEPT.includes(String(query.queryKey[0])) && query.state.data) await store(query, began);
  if (keeping !== person) deleteAnswers();
}

function deleteAnswers(): void {
  keeping = undefined;
  stop();
  indexedDB.deleteDatabase(ANSWERS_DB);
}

/** Returns the cached session unless expired; else undefined. `serverNow`: the server's time, or null while the server is silent. */
export async function lastSession(serverNow: number | null = serverTime() ?? null): Promise<Kept | undefined> {
  const now = Date.now();
  const [last, answers] = await using(async (db) => [await db.get('session', 'last'), await db.getAll('answers')] as const, false).catch(
    () => [undefined, []] as const,
  );
  if (!last) return undefined;
  const all = [last, ...answers];
  const serverAt = Math.max(...all.map((answer) => answer.serverAt ?? answer.at));
  const isOver = serverNow === null ? now - Math.max(...all.map(({ at }) => at)) > SILENT_LIFE_MS : serverNow - serverAt > ANSWERS_LIFE_MS;
  if (isOver) {
    deleteAnswers();
    return undefined;
  }
  return {
    ...last,
    serverAt,
    show: () => {
      // Marks restored data as stale, so that screens refetch. Skips answers older than the data in the query cache.
      for (const { key, data, at } of answers)
        if (at > (queryClient.getQueryState(key)?.dataUpdatedAt ?? 0))
          queryClient.setQueryData(key, data, { updatedAt: Math.min(at, now - STALE_MS) });
    },
  };
}
