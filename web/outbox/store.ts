import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { isFile, type Operation, readOperation } from './operation.ts';

/* Stores the operations of carriers on this phone until they are done. All tabs share the store; people see only their own operations. */

interface Schema extends DBSchema {
  /** Operations. Has an old name, because object stores are never renamed. */
  acts: { key: number; value: Operation; indexes: { id: string; person: string } };
  /** Bytes of files by operation id. Separate, so that reading the operations stays cheap. */
  files: { key: string; value: ArrayBuffer };
  /** Fallback for browsers without the Web Locks API: the tab that sends, and until when. */
  lease: { key: string; value: { by: string; until: number } };
}
type Handle = IDBPDatabase<Schema>;
/** A file that is sent after the step that announces it. */
export type FileOperation = { operation: Operation; bytes: ArrayBuffer };

/** Thrown if the phone's storage is full. The message is for the person. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
  constructor() {
    super('No queda sitio en este teléfono para guardar lo que has hecho. Libera espacio y vuelve a intentarlo: lo escrito sigue aquí.');
  }
}

const named = (error: unknown, ...names: string[]) => error instanceof DOMException && names.includes(error.name);

// Increase when adding object stores; never rename or remove any, because older tabs still use them.
const VERSION = 2;

async function connect(name: string, drop: () => void): Promise<Handle> {
  // Closes the connection when a newer version in another tab wants to upgrade the database.
  const events = { blocking: drop, terminated: drop };
  const db = await openDB<Schema>(name, VERSION, {
    ...events,
    upgrade(db, before) {
      if (before < 1) {
        const operations = db.createObjectStore('acts', { keyPath: 'seq', autoIncrement: true });
        operations.createIndex('id', 'id', { unique: true });
        operations.createIndex('person', 'person');
        db.createObjectStore('lease');
      }
      if (before < 2) db.createObjectStore('files');
    },
  }).catch((error: unknown) => {
    // A newer version of the program has upgraded the database, which is compatible, because versions only add to the store.
    if (named(error, 'VersionError')) return openDB<Schema>(name, undefined, events);
    throw error;
  });
  db.addEventListener('close', drop);
  return db;
}

/** Creates a connection that each use reopens at most once if the browser has dropped it. */
function createConnection(name: string) {
  let handle: Promise<Handle> | undefined;
  const opened = (): Promise<Handle> => {
    handle ??= connect(name, drop).catch((error: unknown) => {
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
  // Workaround: Safari drops connections in the background, and every use of the old handle fails with one of these errors.
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
  return { opened, drop, use };
}

const writing = (db: Handle) => {
  const tx = db.transaction(['acts', 'files'], 'readwrite', { durability: 'strict' });
  return { acts: tx.objectStore('acts'), files: tx.objectStore('files'), done: tx.done, abort: () => tx.abort() };
};

async function add(db: Handle, operation: Operation, its: readonly FileOperation[]): Promise<void> {
  const { acts, files, done, abort } = writing(db);
  // Prevents an unhandled rejection: the failed request is already reported below.
  done.catch(() => undefined);
  try {
    // Skips an operation that an earlier try stored before its connection was dropped.
    if (!(await acts.index('id').getKey(operation.id))) {
      await acts.add(operation);
      for (const { operation: file, bytes } of its) {
        await acts.add(file);
        await files.add(bytes, file.id);
      }
    }
  } catch (error) {
    // Aborts the whole transaction if a file cannot be stored. `abort` throws if the browser has already aborted.
    try {
      abort();
    } catch {}
    throw error;
  }
  await done;
}

async function update(db: Handle, { seq = -1 }: Operation, set: Partial<Operation>): Promise<void> {
  const { acts, done } = writing(db);
  const stored = await acts.get(seq);
  // Skips an operation that another tab has removed.
  if (stored) await acts.put({ ...readOperation(stored), ...set });
  await done;
}

async function remove(db: Handle, operations: readonly Operation[]): Promise<void> {
  const { acts, files, done } = writing(db);
  for (const operation of operations) {
    if (operation.seq !== undefined) await acts.delete(operation.seq);
    if (isFile(operation)) await files.delete(operation.id);
  }
  await done;
}

async function lease(db: Handle, by: string, ms: number, of: string): Promise<boolean> {
  const tx = db.transaction('lease', 'readwrite');
  const held = await tx.store.get(of);
  const mine = !held || held.by === by || held.until < Date.now();
  if (mine) await tx.store.put({ by, until: Date.now() + ms }, of);
  await tx.done;
  return mine;
}

export function openStore(name = 'enruta-bandeja') {
  const { opened, drop, use } = createConnection(name);
  return {
    /** Stores an operation and its files in one transaction; resolves once they are on disk. Throws `StoreFull`. */
    add: (operation: Operation, its: readonly FileOperation[] = []): Promise<void> => use((db) => add(db, operation, its)),
    /** Returns the bytes of a file; undefined if the browser has lost them. */
    bytesOf: ({ id }: Operation): Promise<ArrayBuffer | undefined> => use((db) => db.get('files', id)),
    /** Returns the operations of a person, oldest first. */
    of: (person: string): Promise<Operation[]> =>
      use(async (db) => (await db.getAllFromIndex('acts', 'person', person)).map(readOperation)),
    update: (operation: Operation, set: Partial<Operation>): Promise<void> => use((db) => update(db, operation, set)),
    /** Removes operations in one transaction. */
    remove: (operations: readonly Operation[]): Promise<void> => use((db) => remove(db, operations)),
    /** Reads something, which detects a dropped connection before the next write. */
    probe: (): Promise<unknown> => use((db) => db.count('acts')),
    /** Takes or renews the lease for the tab `by`; returns false while another tab has the lease. */
    lease: (by: string, ms: number, of = 'sender'): Promise<boolean> => use((db) => lease(db, by, ms, of)),
    /** Returns the operations of other people, except accepted operations. */
    ofOthers: (person: string): Promise<Operation[]> =>
      use(async (db) => (await db.getAll('acts')).map(readOperation).filter((row) => row.person !== person && row.state !== 'aceptado')),
    close: drop,
    /** The open connection, for tests that drop it. */
    handle: opened,
  };
}

export type Store = ReturnType<typeof openStore>;
