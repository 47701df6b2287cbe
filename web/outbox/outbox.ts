import { queryClient, SESSION_KEY } from '../api.ts';
import { whenReachable } from '../connection.ts';
import { newKey } from '../keys.ts';
import { setHeld } from './held.ts';
import { createLoop, type World } from './loop.ts';
import { isCorrectable, isFile, type Operation, type Outcome } from './operation.ts';
import { classifyError, sendOperation } from './send.ts';
import { isRefused, isSendable } from './states.ts';
import { type FileOperation, openStore, type Store } from './store.ts';
import { createView, isSignedIn } from './view.ts';

/* Outbox of a carrier. An operation is stored before the screen confirms, and sent once there is a network (states.ts). */

/** An operation as a screen adds it. */
export type NewOperation = Pick<Operation, 'pedido' | 'numero' | 'label' | 'method' | 'path' | 'body' | 'at' | 'form' | 'back'>;
/** A file that is sent after a step; `key` is the idempotency key of the first try. */
export type NewFile = { key: string; label: string; path: string; blob: Blob };
/** Result of an operation within MOMENT_MS; `stored` means that it will be sent later. */
export type Result = (Extract<Outcome, { kind: 'accepted' | 'refused' | 'faulty' | 'signedOut' }> | { kind: 'stored' }) & { id: string };

/** Maximum milliseconds to wait for the server's response before the screen says that the operation is stored. */
const MOMENT_MS = 1500;
// The file name of this chunk contains a hash, which changes with each version of the program.
const VERSION = new URL(import.meta.url).pathname.split('/').at(-1) ?? '';

type Hooks = {
  /** Name of the person. */
  name?: string;
  /** Returns a success message if the server refuses the operation because it has already been done. */
  already?: (operation: Operation, error: unknown) => Promise<string | undefined>;
  /** Reports a refusal or fault to the office; resolves to `files` if the office wants the files of the step. Throws `ApiError`. */
  report?: (operation: Operation) => Promise<'reported' | 'files'>;
};

/** Refetches all queries except the session. */
const refresh = () => void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== SESSION_KEY[0] });

const FRESH = { reason: null, refusedAt: null, reported: false, tries: 0, next: 0, version: VERSION, state: 'pendiente' } as const;

/** Builds the rows of an operation and its files. Must run before the transaction: IndexedDB commits while other work is awaited. */
async function rowsOf(of: { person: string; personName?: string }, input: NewOperation, files: readonly NewFile[]) {
  const id = newKey();
  const its = files.map(async ({ key, label, path, blob }): Promise<FileOperation> => {
    const { form: _, ...step } = input;
    return {
      operation: { ...step, ...FRESH, ...of, id: key, label, path, body: {}, file: blob.type, after: id },
      bytes: await blob.arrayBuffer(),
    };
  });
  return { operation: { ...input, ...FRESH, ...of, id }, files: await Promise.all(its) };
}

/** Side effects of the loops, on behalf of a person. */
const worldOf = (
  person: string,
  store: Store,
  { already, report }: Hooks,
): Pick<World, 'store' | 'person' | 'program' | 'send' | 'report'> => ({
  store,
  person,
  program: VERSION,
  async send(operation) {
    if (!isSignedIn(person)) return { kind: 'signedOut' };
    const bytes = isFile(operation) ? await store.bytesOf(operation) : undefined;
    if (isFile(operation) && !bytes) return { kind: 'refused', reason: 'El fichero ya no está en este teléfono', error: undefined };
    try {
      return await sendOperation(operation, bytes);
    } catch (error) {
      const outcome = classifyError(error, (operation.unknowns ?? 0) + 1);
      const message = outcome.kind === 'refused' && (await already?.(operation, error).catch(() => undefined));
      return message ? { kind: 'accepted', message } : outcome;
    }
  },
  async report(operation) {
    if (!isSignedIn(person)) return { kind: 'signedOut' };
    try {
      return (await report?.(operation)) === 'files' ? { kind: 'files' } : { kind: 'accepted', message: '' };
    } catch (error) {
      return classifyError(error, Number.POSITIVE_INFINITY);
    }
  },
});

/** Tracks forms that wait for the result of their operation. */
function createWaiters() {
  const waiting = new Map<string, (result: Result) => void>();
  return {
    has: ({ id }: Operation) => waiting.has(id),
    /** Resolves to the result, or to `stored` after `ms`. */
    resultOf: (id: string, ms: number) =>
      new Promise<Result>((then) => {
        const settle = (result: Result) => {
          clearTimeout(timer);
          waiting.delete(id);
          then(result);
        };
        const timer = setTimeout(settle, ms, { kind: 'stored', id });
        waiting.set(id, settle);
      }),
    settle: ({ id }: Operation, outcome: Outcome) =>
      waiting.get(id)?.({ ...(outcome.kind === 'silent' || outcome.kind === 'busy' ? { kind: 'stored' } : outcome), id }),
  };
}

/** Calls `wake` whenever sending may have become possible. Returns a stop function. */
function listenForWakes(person: string, store: Store, wake: () => void): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') void store.probe().then(wake, wake);
  };
  globalThis.addEventListener('online', wake);
  document.addEventListener('visibilitychange', onVisible);
  const stops = [
    whenReachable(wake),
    // Wakes when the same person has signed in again.
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] === SESSION_KEY[0] && isSignedIn(person)) wake();
    }),
  ];
  return () => {
    globalThis.removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', onVisible);
    for (const stop of stops) stop();
  };
}

function createOutbox(person: string, hooks: Hooks) {
  const store = openStore();
  const tabs = new BroadcastChannel('enruta-bandeja');
  const waiters = createWaiters();
  const view = createView(person, store);
  tabs.onmessage = () => void view.look().catch(() => undefined);
  async function changed(): Promise<void> {
    await view.look().catch(() => undefined);
    tabs.postMessage(null);
  }
  const world: World = {
    ...worldOf(person, store, hooks),
    isAwaited: waiters.has,
    onOutcome(operation, outcome) {
      if (outcome.kind === 'accepted') view.sent(operation);
      // Refetches after a refusal too, because the screen is stale: the order was cancelled, or has another carrier.
      if (outcome.kind === 'accepted' || outcome.kind === 'refused') refresh();
      waiters.settle(operation, outcome);
    },
    async onChange() {
      await changed();
      // Runs both lanes: a finished step lets its files be sent, and the last file lets a refused step be removed.
      for (const loop of [steps, files]) void loop.run();
    },
  };
  const steps = createLoop('steps', world);
  const files = createLoop('files', world);
  const wake = async () => {
    await steps.wake();
    await files.wake();
  };
  const deaf = listenForWakes(person, store, () => void wake());
  void view
    .look()
    .then(() => {
      // Refetches if operations were accepted before a reload, because the first fetch may have begun before the acceptance.
      if (view.operations().some(({ state }) => state === 'aceptado')) refresh();
      return wake();
    })
    .catch(() => undefined);
  /** True if the last stored step of the order is the same: a screen that had not read the store repeats it. */
  const isRepeat = async ({ pedido, body: { paso } }: NewOperation) => {
    const last = (await store.of(person)).findLast((row) => row.pedido === pedido && !isFile(row) && row.body.paso !== undefined);
    return paso !== undefined && last?.body.paso === paso && last.state !== 'rechazado';
  };
  const find = async (id: string) => (await store.of(person)).filter((operation) => operation.id === id || operation.after === id);

  return {
    subscribe: view.subscribe,
    /** Operations that the server has not accepted, and accepted operations that the lists do not show yet. */
    operations: view.operations,
    isRead: view.isRead,
    /** Operations on this phone that wait for other people to sign in. */
    others: view.others,
    /** Stores an operation with its files, in place of the refused operation `replaces`, and sends it. Resolves within MOMENT_MS. Throws if storing fails. */
    async add(input: NewOperation, its: readonly NewFile[] = [], replaces?: string): Promise<Result> {
      const rows = await rowsOf({ person, ...(hooks.name && { personName: hooks.name }) }, input, its);
      if (replaces === undefined && (await isRepeat(input))) return { kind: 'stored', id: '' };
      // Sets the flag before storing: if the tab is killed in between, a needless flag only delays the next start.
      setHeld(person, true);
      await store.add(rows.operation, rows.files);
      if (replaces !== undefined) await store.remove(await find(replaces));
      const result = waiters.resultOf(rows.operation.id, MOMENT_MS);
      await changed();
      void wake();
      return result;
    },
    /** Hides a refused operation that the person has read. The operation is removed once the office has it. */
    async hide(id: string): Promise<void> {
      const [operation] = await find(id);
      if (operation) await store.update(operation, { hidden: true });
      await changed();
      // Hiding lets later operations of the same order be sent.
      void wake();
    },
    /** Removes an operation with its files. For operations whose content is still in the form, or that another operation replaces. */
    async discard(id: string): Promise<void> {
      await store.remove(await find(id));
      await changed();
      void wake();
    },
    /**
     * Removes the last stored step of an order, with its files, if it is `paso` and cannot have reached the server. False otherwise: then the
     * server must take the step back.
     */
    async takeBack(pedido: string, paso: string): Promise<boolean> {
      const gone = await steps.whileIdle(async () => {
        const last = (await store.of(person)).findLast((row) => row.pedido === pedido && !isFile(row) && row.body.paso !== undefined);
        if (last?.body.paso !== paso || last.state !== 'pendiente' || last.left) return false;
        await store.remove(await find(last.id));
        return true;
      });
      if (gone) await changed();
      return gone === true;
    },
    /** Reports a refusal now, after its form has not corrected the operation. */
    async reportNow(id: string): Promise<void> {
      const [operation] = await find(id);
      if (operation && !operation.reported) await store.update(operation, { reportNext: 0 });
      void wake();
    },
    /** Returns the refused step of an order, if a form can correct the step, with the bytes of its photo. */
    async correctable(pedido: string): Promise<{ step: Operation; photo?: ArrayBuffer | undefined } | undefined> {
      const all = await store.of(person);
      const step = all.find((operation) => operation.pedido === pedido && isCorrectable(operation));
      const photo = all.find((operation) => operation.after === step?.id && operation.file === 'image/jpeg');
      return step && { step, ...(photo && { photo: await store.bytesOf(photo) }) };
    },
    /** Sends everything now, including operations that wait after a fault. */
    async sendNow(): Promise<void> {
      for (const row of await store.of(person)) if (row.faults && row.state === 'pendiente') await store.update(row, { next: 0 });
      await Promise.all([steps.insist(), files.insist()]);
      await files.run();
    },
    /** Refused operations that the person has not hidden, read from the store. */
    refused: async (): Promise<Operation[]> => (await store.of(person)).filter((operation) => isRefused(operation) && !operation.hidden),
    /** Operations that can still be sent, read from the store. */
    unsent: async (): Promise<Operation[]> => isSendable(await store.of(person)),
    stop() {
      view.stop();
      steps.stop();
      files.stop();
      deaf();
      tabs.close();
      // Accepted operations are no longer needed, because the lists are dropped as well.
      const accepted = view.operations().filter(({ state }) => state === 'aceptado');
      void store
        .remove(accepted)
        .catch(() => undefined)
        .finally(() => store.close());
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

let current: { person: string; outbox: Outbox } | undefined;
/** Returns the outbox of a person. Stops the outbox of another person. */
export function openOutbox(person: string, hooks: Hooks = {}): Outbox {
  if (current?.person !== person) {
    current?.outbox.stop();
    current = { person, outbox: createOutbox(person, hooks) };
  }
  return current.outbox;
}

/** Stops sending at sign-out. The operations stay stored. */
export function stopOutbox(): void {
  current?.outbox.stop();
  current = undefined;
}
