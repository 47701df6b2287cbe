import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { getRuta, guardarRuta } from '../../contract/ruta/ruta.ts';
import { PERSON } from '../../contract/session/fields.ts';
import type { SessionUser } from '../../contract/session/session.ts';
import { ApiError, call, NO_CONNECTION, queryClient, SESSION_KEY, sayWithCalls } from '../api.ts';
import { whenReachable } from '../connection.ts';
import { isComment } from './comment.ts';
import { createReport } from './report.ts';
import { createSender, type Outcome, type Sender } from './sender.ts';
import { type Act, isFile, openStore } from './store.ts';

/* Acts of a carrier: stored before the screen says anything, shown from the store, sent when there is a network. */

/** Any named call of one order, with its body. */
export type Deed = Pick<Act, 'pedido' | 'numero' | 'label' | 'method' | 'path' | 'body'> & { at: string };
/** A file that goes after a step; `key` is its idempotency key, made once. */
export type DeedFile = { key: string; label: string; path: string; blob: Blob };
/** What is known of an act after a moment; «stored»: it will be sent. */
export type Known = (Extract<Outcome, { kind: 'done' | 'no' | 'bug' | 'session' }> | { kind: 'stored' }) & { id: string };

/** Longest wait for the server's answer before the screen says that the act is stored. */
const MOMENT_MS = 1500;
// The file's name has the hash of its content.
const VERSION = new URL(import.meta.url).pathname.split('/').at(-1) ?? '';
/** An answer that was lost, by the server too, is asked for this often. */
const UNKNOWN_TRIES = 5;
/** Timeout of a file, in milliseconds: a photo on a bad connection takes its time. */
const FILE_LIMIT_MS = 60_000;

/** Judges a failed sending, the act's answer unknown for the `unknowns`-th time: the network's silence, the server's no, or a bug. */
export function outcomeOf(error: unknown, unknowns: number): Outcome {
  if (!(error instanceof ApiError)) return { kind: 'bug', reason: 'Error del programa: no se ha podido enviar' };
  const { status, code = '', message } = error;
  // A refusal without a sentence of ours comes from a proxy or a hotel's sign-in page.
  if (status === 0 || message === NO_CONNECTION) return { kind: 'later' };
  if ([429, 502, 503, 504].includes(status)) return { kind: 'later', answered: true };
  if (code === 'idempotency_unknown' && unknowns < UNKNOWN_TRIES) return { kind: 'later', unknown: true };
  if (status === 401 || status === 419 || code === 'step_up' || code.startsWith('pending_')) return { kind: 'session' };
  return status >= 500 ? { kind: 'bug', reason: message } : { kind: 'no', reason: message, error };
}

/**
 * Idempotency key of an act: its id. A file gets another key for each try, because a lost answer would block the first one for ever (409);
 * the server keeps each file once by its content.
 */
export const keyOf = (act: Act): string => (isFile(act) && act.tries > 0 ? `${act.id}-${act.tries}` : act.id);

/** Acts without those that are refused, and without the files of refused steps that the office does not take. */
function sendable(acts: readonly Act[]): Act[] {
  const refused = new Set(acts.filter(({ state, wanted }) => state === 'rechazado' && !wanted).map(({ id }) => id));
  return acts.filter(({ state, after = '' }) => state === 'pendiente' && !refused.has(after));
}

/** Path of the list that shows an act once it is read after it. */
function listOf(act: Act): string {
  if (act.path === guardarRuta.path) return getRuta.path;
  return (isComment(act) ? listComentarios : listPedidos).path;
}

type Hooks = {
  /** Success message if the server already did what it refuses. */
  already?: (act: Act, error: unknown) => Promise<string | undefined>;
  report?: (act: Act) => Promise<boolean | 'files'>;
};

function createOutbox(person: string, { already, report: tellOffice }: Hooks) {
  const store = openStore();
  const tabs = new BroadcastChannel('enruta-bandeja');
  const listeners = new Set<() => void>();
  const waiting = new Map<string, (known: Known) => void>();
  let acts: readonly Act[] = [];
  // By a query's hash, when its reading began; by a list's path, when the last reading that succeeded began.
  const began = new Map<string, number>();
  const listed = new Map<string, number>();

  const isHere = () => queryClient.getQueryData<SessionUser | null>(SESSION_KEY)?.id === person;

  const isListed = (act: Act) => act.state === 'aceptado' && (listed.get(listOf(act)) ?? 0) >= (act.acceptedAt ?? 0);

  /** Tells the screen, without accepted acts that a list shows by now. */
  function tell(): void {
    const gone = acts.filter(isListed);
    acts = acts.filter((act) => !gone.includes(act));
    for (const act of gone) void store.remove(act).catch(() => undefined);
    for (const listener of listeners) listener();
  }
  /** Reads everything again but the session. */
  const refresh = () => void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== SESSION_KEY[0] });
  const report = createReport(person);
  sayWithCalls(() => (isHere() ? report.headers() : {}));
  async function look(): Promise<void> {
    acts = await store.of(person);
    report.set(sendable(acts));
    tell();
  }
  async function changed(): Promise<void> {
    await look();
    tabs.postMessage(null);
  }
  tabs.onmessage = () => void look().catch(() => undefined);

  async function send(act: Act): Promise<Outcome> {
    if (!isHere()) return { kind: 'session' };
    const { method, path, body } = act;
    const headers = { 'idempotency-key': keyOf(act), [PERSON]: person };
    const bytes = isFile(act) ? await store.bytesOf(act) : undefined;
    if (isFile(act) && !bytes) return { kind: 'no', reason: 'El fichero ya no está en este teléfono', error: undefined };
    const sent = bytes ? { file: new Blob([bytes], { type: act.file ?? '' }), limit: FILE_LIMIT_MS } : { body };
    try {
      const answer: unknown = await call({ method, path, action: 'session' } as EndpointDef, { ...sent, headers } as object);
      const { message } = { message: '', ...(answer as object) } as { message: string };
      return { kind: 'done', message };
    } catch (error) {
      const outcome = outcomeOf(error, (act.unknowns ?? 0) + 1);
      const made = outcome.kind === 'no' && (await already?.(act, error).catch(() => undefined));
      return made ? { kind: 'done', message: made } : outcome;
    }
  }

  function onOutcome(act: Act, outcome: Outcome): void {
    const known = waiting.get(act.id);
    // The refetch below already says that it is sent.
    if (outcome.kind === 'done') report.set(sendable(acts.filter(({ id }) => id !== act.id)));
    // After a refusal the screen is stale: cancelled, or in other hands.
    if (outcome.kind === 'done' || outcome.kind === 'no') refresh();
    waiting.delete(act.id);
    known?.({ ...(outcome.kind === 'later' ? { kind: 'stored' } : outcome), id: act.id });
  }

  const given = { store, person, send, onOutcome, report: tellOffice ?? (async () => true) };
  const files: Sender = createSender({ ...given, onChange: changed, files: true });
  const steps: Sender = createSender({
    ...given,
    onChange: async () => {
      await changed();
      if (acts.some(isFile)) void files.drain();
    },
  });
  const drain = async (now = false) => {
    await steps.drain(now);
    await files.drain(now);
  };
  const deaf = [
    whenReachable(() => void drain(true)),
    // After signing in again as the same person.
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] === SESSION_KEY[0] && isHere() && acts.length) void drain(true);
    }),
    queryClient.getQueryCache().subscribe((event) => {
      const { queryHash, queryKey } = event.query;
      if (event.type !== 'updated') return;
      if (event.action.type === 'fetch') began.set(queryHash, Date.now());
      // Data put by hand comes from this telephone.
      if (event.action.type !== 'success' || event.action.manual) return;
      listed.set(String(queryKey[0]), began.get(queryHash) ?? 0);
      if (acts.some(isListed)) tell();
    }),
  ];
  void look()
    .then(() => {
      // Accepted before a reload: the first reading may have begun before this.
      if (acts.some(({ state }) => state === 'aceptado')) refresh();
      return drain(true);
    })
    .catch(() => undefined);

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Acts that the server has not taken, and those that the lists do not show yet. */
    acts: () => acts,
    /** Stores an act with its files and sends them; resolves to what is known of it within a moment. Throws if it could not be stored. */
    async act(deed: Deed, its: readonly DeedFile[] = []): Promise<Known> {
      const id = crypto.randomUUID();
      const fresh = {
        reason: null,
        refusedAt: null,
        told: false,
        tries: 0,
        next: 0,
        version: VERSION,
        person,
        state: 'pendiente',
      } as const;
      // Before the transaction, which does not wait for anything else.
      const fileActs = await Promise.all(
        its.map(async ({ key, label, path, blob }) => ({
          act: { ...deed, ...fresh, id: key, label, path, body: {}, file: blob.type, after: id },
          bytes: await blob.arrayBuffer(),
        })),
      );
      await store.add({ ...deed, ...fresh, id }, fileActs);
      const known = new Promise<Known>((then) => waiting.set(id, then));
      const moment = new Promise<Known>((then) => setTimeout(then, MOMENT_MS, { kind: 'stored', id }));
      await changed().catch(() => undefined);
      void drain();
      return Promise.race([known, moment]);
    },
    /** Resolves once more is known of an act, of this or an earlier moment. */
    next: (id: string): Promise<Known> => new Promise((then) => waiting.set(id, then)),
    /** Removes a refused act that the person has read, with the files that the office does not take. */
    async forget(id: string): Promise<void> {
      const all = await store.of(person);
      const wanted = all.some((one) => one.id === id && one.wanted);
      // Files first: without the step before them they could be sent.
      const gone = all.filter((one) => one.id === id || (one.after === id && !wanted)).reverse();
      for (const act of gone) await store.remove(act);
      await changed();
      // What was done after it at the same order can be sent now.
      void drain();
    },
    sendNow: () => drain(true),
    /** Acts that can still be sent, read from the store. */
    unsent: async (): Promise<Act[]> => sendable(await store.of(person)),
    stop() {
      sayWithCalls(() => ({}));
      steps.stop();
      files.stop();
      for (const stop of deaf) stop();
      tabs.close();
      // The lists on this telephone go too, so nothing has to be laid over them.
      const accepted = acts.filter(({ state }) => state === 'aceptado');
      void Promise.allSettled(accepted.map((act) => store.remove(act))).finally(() => store.close());
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

let current: { person: string; outbox: Outbox } | undefined;
/** The outbox of a person; the one of another person on this telephone stops. */
export function outboxOf(person: string, hooks: Hooks = {}): Outbox {
  if (current?.person !== person) {
    current?.outbox.stop();
    current = { person, outbox: createOutbox(person, hooks) };
  }
  return current.outbox;
}

/** Stops sending, at sign-out; the acts stay. */
export function stopOutbox(): void {
  current?.outbox.stop();
  current = undefined;
}
