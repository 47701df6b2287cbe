import { type Act, isFile, type Store } from './store.ts';

/** What became of sending an act. */
export type Outcome =
  /** Done by the server, now or before. */
  | { kind: 'done'; message: string }
  /** No network, the server is busy (`answered`), or it does not know its first answer (`unknown`): again later. */
  | { kind: 'later'; answered?: boolean; unknown?: boolean }
  /** The session has ended: kept until the same person has signed in. */
  | { kind: 'session' }
  /** The server's no. */
  | { kind: 'no'; reason: string; error: unknown }
  /** A bug: again once, then set aside. */
  | { kind: 'bug'; reason: string };

type Given = {
  store: Store;
  person: string;
  send: (act: Act) => Promise<Outcome>;
  /** After each act, and whenever the store has changed. */
  onChange: () => void | Promise<void>;
  onOutcome: (act: Act, outcome: Outcome) => void;
  /** Tells the office of a refused act; resolves to whether that has been done, and whether it takes the files of the act. */
  report: (act: Act) => Promise<boolean | 'files'>;
  /** Sends files instead of steps, at the same time as the sender of steps. */
  files?: boolean;
};

const LOCK = { steps: 'enruta-bandeja', files: 'enruta-bandeja-ficheros' };
/** Longer than one sending may take. */
const LEASE_MS = { steps: 30_000, files: 90_000 };
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 120_000;
/** A bug is tried this often; silences before it do not count. */
const BUG_TRIES = 2;

/** Milliseconds until an act is sent again after `tries` without an answer. */
export const waitAfter = (tries: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10));

const before = (one: Act, other: Act) => (one.seq ?? 0) < (other.seq ?? 0);

/**
 * Sends the acts of a person: one tab at a time, in order within an order, past an order that is stuck. A file waits for the steps of its
 * order before it, and nothing waits for a file.
 */
export function createSender({ store, person, send, onChange, onOutcome, report, files = false }: Given) {
  const lane = files ? 'files' : 'steps';
  const tab = crypto.randomUUID();
  // Times of acts accepted by the server of which the store does not know: writing that failed, and is tried again without sending.
  const accepted = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  // Wanted while a round was running: another one, and of all.
  let again: { now: boolean } | undefined;
  let stopped = false;
  // The session has ended: signing in starts the next round.
  let ended = false;

  async function alone(work: () => Promise<void>): Promise<void> {
    if (navigator.locks) {
      // Waits for its turn: the tab before may be in the middle of its round, and not know of a new act.
      return navigator.locks.request(LOCK[lane], work);
    }
    if (await store.lease(tab, LEASE_MS[lane], files ? LOCK.files : undefined)) return work();
    schedule(LEASE_MS[lane]);
  }

  async function settle(act: Act, acceptedAt: number): Promise<void> {
    // Apart from sending: an accepted act is never marked as failed because its row could not be written. No list shows a file.
    const written = isFile(act) ? store.remove(act) : store.update(act, { state: 'aceptado', acceptedAt });
    await written.then(
      () => accepted.delete(act.id),
      () => schedule(FIRST_WAIT_MS),
    );
  }

  /** Sends one act; returns whether the order's next may follow, and whether the round may go on. */
  async function one(act: Act): Promise<{ next: boolean; goOn: boolean }> {
    const acceptedAt = accepted.get(act.id);
    if (acceptedAt !== undefined) {
      await settle(act, acceptedAt);
      return { next: true, goOn: true };
    }
    const outcome = await send(act).catch((error: unknown): Outcome => ({ kind: 'bug', reason: String(error) }));
    const tries = act.tries + 1;
    switch (outcome.kind) {
      case 'done': {
        // Earlier than the lists are read again.
        const now = Date.now();
        accepted.set(act.id, now);
        onOutcome(act, outcome);
        await settle(act, now);
        break;
      }
      case 'no':
        await store.update(act, { state: 'rechazado', reason: outcome.reason, refusedAt: new Date().toISOString(), tries });
        onOutcome(act, outcome);
        break;
      case 'bug': {
        const bugs = (act.bugs ?? 0) + 1;
        const aside = bugs >= BUG_TRIES;
        const refusal = { state: 'rechazado', reason: outcome.reason, refusedAt: new Date().toISOString() } as const;
        await store.update(act, { tries, bugs, next: Date.now() + waitAfter(tries), ...(aside && refusal) });
        if (aside) onOutcome(act, outcome);
        break;
      }
      case 'later': {
        const unknowns = (act.unknowns ?? 0) + (outcome.unknown ? 1 : 0);
        await store.update(act, { tries, unknowns, next: Date.now() + waitAfter(tries) });
        onOutcome(act, outcome);
        break;
      }
      case 'session':
        ended = true;
        onOutcome(act, outcome);
    }
    await onChange();
    // A file that the server cannot store now says nothing of the network.
    const silent = outcome.kind === 'later' && !(files && outcome.answered);
    return { next: outcome.kind === 'done', goOn: !silent && outcome.kind !== 'session' };
  }

  /** Acts of this lane that may be sent; `acts` are all of the person. */
  function free(acts: readonly Act[], ready: (act: Act) => boolean): Act[] {
    const steps = acts.filter((act) => !isFile(act) && act.state !== 'aceptado');
    if (files) {
      const isWanted = ({ after }: Act) => steps.some(({ id, wanted }) => id === after && wanted);
      const waits = (file: Act) => !isWanted(file) && steps.some((step) => step.pedido === file.pedido && before(step, file));
      // One that has failed lets the others go first.
      return acts.filter((act) => isFile(act) && ready(act) && !waits(act)).sort((one, other) => one.tries - other.tries);
    }
    const stuck = new Set<string>();
    for (const act of steps) if (!ready(act)) stuck.add(act.pedido);
    return steps.filter(({ pedido }) => !stuck.has(pedido));
  }

  async function round(now: boolean): Promise<void> {
    const stuck = new Set<string>();
    ended = false;
    const isDue = ({ state, next }: Act) => state === 'pendiente' && (now || next <= Date.now());
    // Read again before each act: other tabs add some meanwhile.
    for (const seen = new Set<string>(); !stopped; ) {
      const act = free(await store.of(person), isDue).find(({ id, pedido }) => !seen.has(id) && (files || !stuck.has(pedido)));
      if (!act) break;
      seen.add(act.id);
      const { next, goOn } = await one(act);
      if (!next) stuck.add(act.pedido);
      if (!goOn) break;
    }
    const left = await store.of(person);
    for (const act of left.filter((act) => isFile(act) === files && act.state === 'rechazado' && !act.told)) {
      const told = await report(act).catch(() => false);
      if (told) await store.update(act, { told: true, wanted: told === 'files' });
      if (told === 'files') await onChange();
    }
    const waiting = free(left, ({ state }) => state === 'pendiente');
    if (waiting.length && !ended) schedule(Math.max(FIRST_WAIT_MS, Math.min(...waiting.map(({ next }) => next)) - Date.now()));
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void drain(), ms);
  }

  /** Sends what is due; `now`: also what waits for its time, since the network is back. */
  function drain(now = false): Promise<void> {
    if (stopped) return Promise.resolve();
    if (running !== undefined) {
      again = { now: now || again?.now === true };
      return running;
    }
    clearTimeout(timer);
    running = alone(() => round(now))
      .catch(() => schedule(FIRST_WAIT_MS))
      .finally(() => {
        running = undefined;
        const wanted = again;
        again = undefined;
        if (wanted) void drain(wanted.now);
      });
    return running;
  }

  const wake = () => void drain(true);
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return;
    void store.probe().then(wake, wake);
  };
  globalThis.addEventListener('online', wake);
  document.addEventListener('visibilitychange', onVisible);

  return {
    drain,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      globalThis.removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}

export type Sender = ReturnType<typeof createSender>;
