import { queryClient, SESSION_KEY } from '../api.ts';
import { whenReachable } from '../connection.ts';
import { newKey } from '../keys.ts';
import { setHeld } from './held.ts';
import { createLoop, type World } from './loop.ts';
import { isCorrectable, isFile, type Operation, type Outcome } from './operation.ts';
import { outcomeOf, sendOperation } from './send.ts';
import { isRefused, sendable } from './states.ts';
import { type FileOperation, openStore, type Store } from './store.ts';
import { createView, isSignedIn } from './view.ts';

/* What a carrier does: stored before the screen says anything, shown from the store, sent when there is a network (states.ts). */

/** Any named call of one order, with its body. */
export type NewOperation = Pick<Operation, 'pedido' | 'numero' | 'label' | 'method' | 'path' | 'body' | 'at' | 'form'>;
/** A file that goes after a step; `key` is its idempotency key, made once. */
export type NewFile = { key: string; label: string; path: string; blob: Blob };
/** Result of an operation within a moment; «stored»: it will be sent. */
export type Result = (Extract<Outcome, { kind: 'accepted' | 'refused' | 'faulty' | 'signedOut' }> | { kind: 'stored' }) & { id: string };

/** Longest wait for the server's answer before the screen says that the operation is stored. */
const MOMENT_MS = 1500;
// The file's name has the hash of its content.
const VERSION = new URL(import.meta.url).pathname.split('/').at(-1) ?? '';

type Hooks = {
  /** Name of the person. */
  name?: string;
  /** Success message if the server already did what it refuses. */
  already?: (operation: Operation, error: unknown) => Promise<string | undefined>;
  /** Tells the office of a refusal or a fault; `files` if it takes the files of the step. Throws `ApiError`. */
  report?: (operation: Operation) => Promise<'told' | 'files'>;
};

/** Reads everything again but the session. */
const refresh = () => void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== SESSION_KEY[0] });

const FRESH = { reason: null, refusedAt: null, reported: false, tries: 0, next: 0, version: VERSION, state: 'pendiente' } as const;

/** The rows of an operation and its files. Before the transaction, which does not wait for anything else. */
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

/** Effects of the loops in the name of a person. */
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
      const outcome = outcomeOf(error, (operation.unknowns ?? 0) + 1);
      const message = outcome.kind === 'refused' && (await already?.(operation, error).catch(() => undefined));
      return message ? { kind: 'accepted', message } : outcome;
    }
  },
  async report(operation) {
    if (!isSignedIn(person)) return { kind: 'signedOut' };
    try {
      return (await report?.(operation)) === 'files' ? { kind: 'files' } : { kind: 'accepted', message: '' };
    } catch (error) {
      return outcomeOf(error, Number.POSITIVE_INFINITY);
    }
  },
});

/** Forms that wait for the result of their operation. */
function createWaiters() {
  const waiting = new Map<string, (result: Result) => void>();
  return {
    has: ({ id }: Operation) => waiting.has(id),
    /** Resolves to the result; after `ms` to «stored». */
    resultOf: (id: string, ms: number) =>
      new Promise<Result>((then) => {
        const tell = (result: Result) => {
          clearTimeout(timer);
          waiting.delete(id);
          then(result);
        };
        const timer = setTimeout(tell, ms, { kind: 'stored', id });
        waiting.set(id, tell);
      }),
    tell: ({ id }: Operation, outcome: Outcome) =>
      waiting.get(id)?.({ ...(outcome.kind === 'silent' || outcome.kind === 'busy' ? { kind: 'stored' } : outcome), id }),
  };
}

/** Calls `wake` whenever what waits may be sent; returns how to stop. */
function listenForWakes(person: string, store: Store, wake: () => void): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') void store.probe().then(wake, wake);
  };
  globalThis.addEventListener('online', wake);
  document.addEventListener('visibilitychange', onVisible);
  const stops = [
    whenReachable(wake),
    // After signing in again as the same person.
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
      // A refusal means that the screen is stale: the order is cancelled, or has another carrier.
      if (outcome.kind === 'accepted' || outcome.kind === 'refused') refresh();
      waiters.tell(operation, outcome);
    },
    async onChange() {
      await changed();
      // A step that is done frees its files, and the last file its refused step.
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
      // Accepted before a reload: the first reading may have begun before this.
      if (view.operations().some(({ state }) => state === 'aceptado')) refresh();
      return wake();
    })
    .catch(() => undefined);
  /** True if the last stored step of the order is the same: a repeat by a screen that had not read the store. */
  const isRepeat = async ({ pedido, body: { paso } }: NewOperation) => {
    const last = (await store.of(person)).findLast((one) => one.pedido === pedido && !isFile(one) && one.body.paso !== undefined);
    return paso !== undefined && last?.body.paso === paso && last.state !== 'rechazado';
  };
  const find = async (id: string) => (await store.of(person)).filter((one) => one.id === id || one.after === id);

  return {
    subscribe: view.subscribe,
    /** Operations that the server has not taken, and those that the lists do not show yet. */
    operations: view.operations,
    isRead: view.isRead,
    /** Operations on this phone that wait for other people to sign in. */
    others: view.others,
    /** Stores an operation with its files, in the place of the refused one `replaces`, and sends them; resolves to its result within a moment. Throws if it could not be stored. */
    async add(input: NewOperation, its: readonly NewFile[] = [], replaces?: string): Promise<Result> {
      const rows = await rowsOf({ person, ...(hooks.name && { personName: hooks.name }) }, input, its);
      if (replaces === undefined && (await isRepeat(input))) return { kind: 'stored', id: '' };
      // Before it is stored: a tab killed in between costs a moment at the next opening.
      setHeld(person, true);
      await store.add(rows.operation, rows.files);
      if (replaces !== undefined) await store.remove(await find(replaces));
      const result = waiters.resultOf(rows.operation.id, MOMENT_MS);
      await changed();
      void wake();
      return result;
    },
    /** Hides a refused operation that the person has read; it leaves the phone once the office has it. */
    async hide(id: string): Promise<void> {
      const [one] = await find(id);
      if (one) await store.update(one, { hidden: true });
      await changed();
      // Later operations of the same order can be sent now.
      void wake();
    },
    /** Removes an operation with its files: everything typed is still in its form, or another one replaces it. */
    async discard(id: string): Promise<void> {
      await store.remove(await find(id));
      await changed();
      void wake();
    },
    /** Reports a refusal that its form could have corrected, and did not. */
    async reportNow(id: string): Promise<void> {
      const [one] = await find(id);
      if (one && !one.reported) await store.update(one, { reportNext: 0 });
      void wake();
    },
    /** The refused step of an order that its form can correct, and the bytes of its photo. */
    async correctable(pedido: string): Promise<{ step: Operation; photo?: ArrayBuffer | undefined } | undefined> {
      const all = await store.of(person);
      const step = all.find((one) => one.pedido === pedido && isCorrectable(one));
      const photo = all.find((one) => one.after === step?.id && one.file === 'image/jpeg');
      return step && { step, ...(photo && { photo: await store.bytesOf(photo) }) };
    },
    /** Sends everything now, also what met a fault. */
    async sendNow(): Promise<void> {
      for (const one of await store.of(person)) if (one.faults && one.state === 'pendiente') await store.update(one, { next: 0 });
      await Promise.all([steps.insist(), files.insist()]);
      await files.run();
    },
    /** Refused steps on this phone, read from the store. */
    refused: async (): Promise<Operation[]> => (await store.of(person)).filter((one) => isRefused(one) && !one.hidden),
    /** Operations that can still be sent, read from the store. */
    unsent: async (): Promise<Operation[]> => sendable(await store.of(person)),
    stop() {
      view.stop();
      steps.stop();
      files.stop();
      deaf();
      tabs.close();
      // The lists on this phone go too, so nothing has to be laid over them.
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
/** The outbox of a person; the one of another person on this phone stops. */
export function outboxOf(person: string, hooks: Hooks = {}): Outbox {
  if (current?.person !== person) {
    current?.outbox.stop();
    current = { person, outbox: createOutbox(person, hooks) };
  }
  return current.outbox;
}

/** Stops sending, at sign-out; the operations stay. */
export function stopOutbox(): void {
  current?.outbox.stop();
  current = undefined;
}
