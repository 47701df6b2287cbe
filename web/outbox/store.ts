import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { isFile, type Operation, operationOf } from './operation.ts';

/* Operations of carriers on this phone, until the server has answered each (shared by all tabs and, kept apart, by all persons). */

interface Schema extends DBSchema {
  /** Named after an earlier word for operations: nothing stored is ever renamed. */
  acts: { key: number; value: Operation; indexes: { id: string; person: string } };
  /** Bytes of files by the key of their operation, apart so that reading the operations stays cheap. */
  files: { key: string; value: ArrayBuffer };
  /** Fallback for browsers without locks: which tab sends, until when. */
  lease: { key: string; value: { by: string; until: number } };
}
type Handle = IDBPDatabase<Schema>;
/** A file that is sent after the step which announces it. */
export type FileOperation = { operation: Operation; bytes: ArrayBuffer };

/** The phone has no room; the message is for the person. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
  constructor() {
    super('No queda sitio en este teléfono para guardar lo que has hecho. Libera espacio y vuelve a intentarlo: lo escrito sigue aquí.');
  }
}

const named = (error: unknown, ...names: string[]) => error instanceof DOMException && names.includes(error.name);

// Raised when something is added to the store; nothing is ever renamed or taken away.
const VERSION = 2;

async function connect(name: string, drop: () => void): Promise<Handle> {
  // A newer version in another tab waits for this one.
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
    // Another tab has a newer version of the program; versions only add to the store.
    if (named(error, 'VersionError')) return openDB<Schema>(name, undefined, events);
    throw error;
  });
  db.addEventListener('close', drop);
  return db;
}

/** A connection that is opened again, once for each use, after the browser has dropped it. */
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
  return { opened, drop, use };
}

const writing = (db: Handle) => {
  const tx = db.transaction(['acts', 'files'], 'readwrite', { durability: 'strict' });
  return { acts: tx.objectStore('acts'), files: tx.objectStore('files'), done: tx.done, abort: () => tx.abort() };
};

async function add(db: Handle, operation: Operation, its: readonly FileOperation[]): Promise<void> {
  const { acts, files, done, abort } = writing(db);
  // Otherwise a failed request would be reported a second time, as unhandled.
  done.catch(() => undefined);
  try {
    // The first try may have been stored although its handle was dropped.
    if (!(await acts.index('id').getKey(operation.id))) {
      await acts.add(operation);
      for (const { operation: file, bytes } of its) {
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
}

async function update(db: Handle, { seq = -1 }: Operation, set: Partial<Operation>): Promise<void> {
  const { acts, done } = writing(db);
  const stored = await acts.get(seq);
  // Removed meanwhile, by another tab.
  if (stored) await acts.put({ ...operationOf(stored), ...set });
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

/** Opens the store. */
export function openStore(name = 'enruta-bandeja') {
  const { opened, drop, use } = createConnection(name);
  return {
    /** Resolves once the operation and its files are on the disk, all or none. Throws `StoreFull`. */
    add: (operation: Operation, its: readonly FileOperation[] = []): Promise<void> => use((db) => add(db, operation, its)),
    /** Bytes of a file; undefined if the browser has lost them. */
    bytesOf: ({ id }: Operation): Promise<ArrayBuffer | undefined> => use((db) => db.get('files', id)),
    /** Operations of a person, oldest first. */
    of: (person: string): Promise<Operation[]> => use(async (db) => (await db.getAllFromIndex('acts', 'person', person)).map(operationOf)),
    update: (operation: Operation, set: Partial<Operation>): Promise<void> => use((db) => update(db, operation, set)),
    /** Removes all or none. */
    remove: (operations: readonly Operation[]): Promise<void> => use((db) => remove(db, operations)),
    /** Reads, so that a dropped connection is found before something is written. */
    probe: (): Promise<unknown> => use((db) => db.count('acts')),
    /** Takes or renews the lease of `by`; false while another tab has it. */
    lease: (by: string, ms: number, of = 'sender'): Promise<boolean> => use((db) => lease(db, by, ms, of)),
    /** Operations of other persons, but accepted ones. */
    ofOthers: (person: string): Promise<Operation[]> =>
      use(async (db) => (await db.getAll('acts')).map(operationOf).filter((one) => one.person !== person && one.state !== 'aceptado')),
    close: drop,
    /** The open connection, for tests that drop it. */
    handle: opened,
  };
}

export type Store = ReturnType<typeof openStore>;
