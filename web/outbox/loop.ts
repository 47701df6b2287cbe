import { newKey } from '../keys.ts';
import { isFile, type Operation, type Outcome } from './operation.ts';
import { afterReport, type Lane, type Link, linkAfter, nextTask, QUIET, type Task, taskAfterOutcome, wakeLink } from './states.ts';
import type { Store } from './store.ts';

/** Side effects of a loop. */
export type World = {
  store: Store;
  person: string;
  /** Version of the running program. */
  program: string;
  send: (operation: Operation) => Promise<Outcome>;
  /** Reports a refusal or fault to the office; resolves to `files` if the office wants the files of a refused step. */
  report: (operation: Operation) => Promise<Outcome | { kind: 'files' }>;
  /** True if an open form waits for the outcome of the operation. */
  isAwaited: (operation: Operation) => boolean;
  onOutcome: (operation: Operation, outcome: Outcome) => void;
  /** Called after each change of the store. */
  onChange: () => Promise<void>;
};

const LOCK = { steps: 'enruta-bandeja', files: 'enruta-bandeja-ficheros' };
/** Keys of the leases, which replace locks in browsers without the Web Locks API. */
const LEASE = { steps: 'sender', files: LOCK.files };
/** Milliseconds of a lease: longer than sending one operation can take. */
const LEASE_MS = { steps: 30_000, files: 90_000 };
/** Milliseconds until the next try after an error of the store. */
const BROKEN_MS = 2000;

const faulty = (error: unknown): Outcome => ({ kind: 'faulty', reason: String(error) });

/** Runs single tasks of one lane, and tracks the state of the network. */
function createWorker(lane: Lane, { store, program, ...world }: World) {
  // Operations that the server has accepted but the store has not recorded: recorded later without sending again.
  const accepted = new Map<string, number>();
  let link: Link = QUIET;

  /** Records an acceptance. Separate from sending, so that a failed write does not cause a second sending. */
  async function settle(operation: Operation, acceptedAt: number): Promise<void> {
    // Removes a file at once, because no list has to show it first.
    await (isFile(operation) ? store.remove([operation]) : store.update(operation, { state: 'aceptado', acceptedAt }));
    accepted.delete(operation.id);
  }

  async function send(operation: Operation): Promise<void> {
    const { id } = operation;
    const acceptedAt = accepted.get(id);
    if (acceptedAt !== undefined) return settle(operation, acceptedAt);
    const { wakes } = link;
    const left = operation.left || navigator.onLine;
    const outcome = await world.send(operation).catch(faulty);
    // Takes the time before the lists are read again, so that their reading counts as later than the acceptance.
    const now = Date.now();
    link = linkAfter(link, id, outcome, lane, now, wakes);
    const isAwaited = world.isAwaited(operation);
    if (outcome.kind === 'accepted') {
      accepted.set(id, now);
      world.onOutcome(operation, outcome);
      return settle(operation, now);
    }
    await store.update(operation, { ...taskAfterOutcome(operation, outcome, now, isAwaited, program), left });
    world.onOutcome(operation, outcome);
  }

  async function report(operation: Operation): Promise<void> {
    const { wakes } = link;
    const outcome = await world.report(operation).catch(faulty);
    const now = Date.now();
    const result = outcome.kind === 'files' ? 'files' : outcome.kind === 'accepted' || outcome.kind === 'refused' ? 'reported' : 'failed';
    // Treats a busy server like an acceptance, so that reports do not delay steps.
    const isAnswer = outcome.kind === 'files' || outcome.kind === 'busy';
    link = linkAfter(link, `report ${operation.id}`, isAnswer ? { kind: 'accepted' } : outcome, lane, now, wakes);
    if (outcome.kind !== 'silent' && outcome.kind !== 'signedOut') await store.update(operation, afterReport(operation, result, now));
  }
  return {
    link: () => link,
    setLink: (next: Link) => {
      link = next;
    },
    async do(task: Exclude<Task, { do: 'wait' | 'rest' }>): Promise<void> {
      if (task.do === 'send') await send(task.operation);
      else if (task.do === 'report') await report(task.operation);
      else await store.remove(task.operations);
      await world.onChange();
    },
  };
}

/** Runs the tasks that `nextTask` chooses (states.ts), in one tab at a time, until none is due. */
export function createLoop(lane: Lane, world: World) {
  const { store, person, program } = world;
  const tab = newKey();
  const worker = createWorker(lane, world);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function alone(work: () => Promise<void>): Promise<void> {
    // Waits for the lock: the tab that has it may be about to finish, and miss a new operation.
    if (navigator.locks) return navigator.locks.request(LOCK[lane], work);
    if (await store.lease(tab, LEASE_MS[lane], LEASE[lane])) return work();
    schedule(LEASE_MS[lane]);
  }

  async function work(): Promise<void> {
    while (!stopped) {
      // Reads the store before each task, because other tabs add and hide operations.
      const task = nextTask(await store.of(person), Date.now(), lane, worker.link(), program);
      if (task.do === 'rest') return;
      if (task.do === 'wait') return schedule(task.ms);
      await worker.do(task);
    }
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void run(), Math.max(ms, 1));
  }

  /** Runs the due tasks; resolves once none is due. */
  function run(): Promise<void> {
    if (stopped) return Promise.resolve();
    if (running !== undefined) {
      again = true;
      return running;
    }
    clearTimeout(timer);
    again = false;
    running = alone(work)
      .catch(() => schedule(BROKEN_MS))
      .finally(() => {
        running = undefined;
        if (again) void run();
      });
    return running;
  }

  return {
    run,
    /** Runs `work` while no tab sends in this lane. Resolves to undefined if one is sending now. */
    whileIdle: async <T>(work: () => Promise<T>): Promise<T | undefined> => {
      if (navigator.locks) return navigator.locks.request(LOCK[lane], { ifAvailable: true }, (lock) => (lock ? work() : undefined));
      return running === undefined && (await store.lease(tab, LEASE_MS[lane], LEASE[lane])) ? work() : undefined;
    },
    /** Runs the loop, and also retries operations whose next try is not due yet. */
    wake: (): Promise<void> => {
      worker.setLink(wakeLink(worker.link()));
      return run();
    },
    /** Wakes the loop at the person's request, even if the network has just been silent. */
    insist: (): Promise<void> => {
      worker.setLink({ ...wakeLink(worker.link()), silences: 0 });
      return run();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
