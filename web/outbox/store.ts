import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/* Acts of carriers on this telephone, until the server has answered each (shared by all tabs and, kept apart, by all persons). */

export type Act = {
  /** Idempotency key, made once. */
  id: string;
  /** Order of making, given by the store. */
  seq?: number;
  /** Id of the person; another one neither sees nor sends it. */
  person: string;
  /** Id of the order; its acts are sent one after another. */
  pedido: string;
  numero: string;
  /** What was done, in Spanish: «Completar». */
  label: string;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body: Record<string, unknown>;
  /** Content type of the file that is sent instead of `body`; its bytes stand in a store of their own. */
  file?: string;
  /** Key of the step that announces the file. */
  after?: string;
  /** When it happened on this telephone: ISO 8601. */
  at: string;
  /** Version of the program that made it. */
  version: string;
  /** «aceptado»: done by the server, and kept until a list has been read that shows it. */
  state: 'pendiente' | 'aceptado' | 'rechazado';
  /** Time of acceptance, in milliseconds since 1970. */
  acceptedAt?: number;
  /** The server's sentence for a refusal. */
  reason: string | null;
  /** When the refusal came: ISO 8601. */
  refusedAt: string | null;
  /** True once the office has been told of the refusal. */
  told: boolean;
  /** True if the office, told of the refusal, takes the files of the step all the same. */
  wanted?: boolean;
  /** All tries, silences too. */
  tries: number;
  /** Tries that ended in a bug; none in an act of an earlier version. */
  bugs?: number;
  /** Tries answered with `idempotency_unknown`; none in an act of an earlier version. */
  unknowns?: number;
  /** Not sent before: milliseconds since 1970. */
  next: number;
};

interface Schema extends DBSchema {
  acts: { key: number; value: Act; indexes: { id: string; person: string } };
  /** Bytes of files by the key of their act, apart so that reading the acts stays cheap. */
  files: { key: string; value: ArrayBuffer };
  /** Fallback for browsers without locks: which tab sends, until when. */
  lease: { key: string; value: { by: string; until: number } };
}
type Handle = IDBPDatabase<Schema>;
/** A file that is sent after the step which announces it. */
export type FileAct = { act: Act; bytes: ArrayBuffer };

export const isFile = ({ file }: Act): boolean => file !== undefined;

/** The telephone has no room; the message is for the person. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
  constructor() {
    super('No queda sitio en este teléfono para guardar lo que has hecho. Libera espacio y vuelve a intentarlo: lo escrito sigue aquí.');
  }
}

const named = (error: unknown, ...names: string[]) => error instanceof DOMException && names.includes(error.name);

// Raised when something is added to the store; nothing is ever renamed or taken away.
const VERSION = 2;

/** Opens the store; a connection that the browser has dropped is opened again, once for each use. */
export function openStore(name = 'enruta-bandeja') {
  let handle: Promise<Handle> | undefined;

  async function connect(): Promise<Handle> {
    // A newer version in another tab waits for this one.
    const given = { blocking: () => drop(), terminated: () => drop() };
    const db = await openDB<Schema>(name, VERSION, {
      ...given,
      upgrade(db, before) {
        if (before < 1) {
          const acts = db.createObjectStore('acts', { keyPath: 'seq', autoIncrement: true });
          acts.createIndex('id', 'id', { unique: true });
          acts.createIndex('person', 'person');
          db.createObjectStore('lease');
        }
        if (before < 2) db.createObjectStore('files');
      },
    }).catch((error: unknown) => {
      // Another tab has a newer version of the program; versions only add to the store.
      if (named(error, 'VersionError')) return openDB<Schema>(name, undefined, given);
      throw error;
    });
    db.addEventListener('close', drop);
    return db;
  }

  const opened = (): Promise<Handle> => {
    handle ??= connect().catch((error: unknown) => {
      handle = undefined;
      throw error;
    });
    return handle;
  };

  function drop(): void {
    const dropped = handle;
    handle = undefined;
    void dropped?.then((db) => db.close()).catch(() => undefined);
  }

  // Safari drops connections in the background: every use of the old handle fails with one of these.
  async function use<T>(work: (db: Handle) => Promise<T>): Promise<T> {
    try {
      return await work(await opened());
    } catch (error) {
      if (named(error, 'QuotaExceededError')) throw new StoreFull();
      if (!named(error, 'InvalidStateError', 'UnknownError', 'AbortError', 'TransactionInactiveError')) throw error;
      drop();
      return work(await opened());
    }
  }

  const writing = (db: Handle) => {
    const tx = db.transaction(['acts', 'files'], 'readwrite', { durability: 'strict' });
    return { acts: tx.objectStore('acts'), files: tx.objectStore('files'), done: tx.done, abort: () => tx.abort() };
  };

  const change = (seq: number | undefined, set: (act: Act) => Act | undefined) =>
    use(async (db) => {
      const { acts, files, done } = writing(db);
      const act = seq === undefined ? undefined : await acts.get(seq);
      const next = act && set(act);
      if (next) await acts.put(next);
      else if (act?.seq !== undefined) {
        await acts.delete(act.seq);
        if (isFile(act)) await files.delete(act.id);
      }
      await done;
    });

  return {
    /** Resolves once the act and its files are on the disk, all or none. Throws `StoreFull`. */
    add: (act: Act, its: readonly FileAct[] = []): Promise<void> =>
      use(async (db) => {
        const { acts, files, done, abort } = writing(db);
        // Otherwise a failed request would be reported a second time, as unhandled.
        done.catch(() => undefined);
        try {
          // The first try may have been stored although its handle was dropped.
          if (!(await acts.index('id').getKey(act.id))) {
            await acts.add(act);
            for (const { act: file, bytes } of its) {
              await acts.add(file);
              await files.add(bytes, file.id);
            }
          }
        } catch (error) {
          // A file that cannot be stored takes its step with it. Throws if the browser has aborted already.
          try {
            abort();
          } catch {}
          throw error;
        }
        await done;
      }),
    /** Bytes of a file; undefined if the browser has lost them. */
    bytesOf: ({ id }: Act): Promise<ArrayBuffer | undefined> => use((db) => db.get('files', id)),
    /** Acts of a person, oldest first. */
    of: (person: string): Promise<Act[]> => use((db) => db.getAllFromIndex('acts', 'person', person)),
    update: (act: Act, set: Partial<Act>): Promise<void> => change(act.seq, (stored) => ({ ...stored, ...set })),
    remove: (act: Act): Promise<void> => change(act.seq, () => undefined),
    /** Reads, so that a dropped connection is found before something is written. */
    probe: (): Promise<unknown> => use((db) => db.count('acts')),
    /** Takes or renews the lease of `by`; false while another tab has it. */
    lease: (by: string, ms: number, of = 'sender'): Promise<boolean> =>
      use(async (db) => {
        const tx = db.transaction('lease', 'readwrite');
        const held = await tx.store.get(of);
        const mine = !held || held.by === by || held.until < Date.now();
        if (mine) await tx.store.put({ by, until: Date.now() + ms }, of);
        await tx.done;
        return mine;
      }),
    close: drop,
    /** The open connection, for tests that drop it. */
    handle: opened,
  };
}

export type Store = ReturnType<typeof openStore>;
