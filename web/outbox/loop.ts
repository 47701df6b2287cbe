import { newKey } from '../keys.ts';
import { isFile, type Operation, type Outcome } from './operation.ts';
import { after, afterReport, type Lane, type Line, lineAfter, next, QUIET, type Task, woken } from './states.ts';
import type { Store } from './store.ts';

/** Effects of a loop. */
export type World = {
  store: Store;
  person: string;
  /** Version of the running program. */
  program: string;
  send: (operation: Operation) => Promise<Outcome>;
  /** Tells the office; `files` if it takes the files of a refused step. */
  report: (operation: Operation) => Promise<Outcome | { kind: 'files' }>;
  /** Whether a form waits for the operation. */
  isAwaited: (operation: Operation) => boolean;
  onOutcome: (operation: Operation, outcome: Outcome) => void;
  /** After each change of the store. */
  onChange: () => Promise<void>;
};

const LOCK = { steps: 'enruta-bandeja', files: 'enruta-bandeja-ficheros' };
/** Keys of the leases where the browser has no locks. */
const LEASE = { steps: 'sender', files: LOCK.files };
/** Longer than one sending may take. */
const LEASE_MS = { steps: 30_000, files: 90_000 };
/** Pause after the store could not be read or written. */
const BROKEN_MS = 2000;

const faulty = (error: unknown): Outcome => ({ kind: 'faulty', reason: String(error) });

/** Runs single tasks of one lane, and keeps the state of the network. */
function createWorker(lane: Lane, { store, program, ...world }: World) {
  // Accepted by the server, but not yet written: written again without sending.
  const accepted = new Map<string, number>();
  let line: Line = QUIET;

  /** Apart from sending: an accepted operation is never sent again because its row could not be written. */
  async function settle(operation: Operation, acceptedAt: number): Promise<void> {
    // No list shows a file.
    await (isFile(operation) ? store.remove([operation]) : store.update(operation, { state: 'aceptado', acceptedAt }));
    accepted.delete(operation.id);
  }

  async function send(operation: Operation): Promise<void> {
    const { id } = operation;
    const acceptedAt = accepted.get(id);
    if (acceptedAt !== undefined) return settle(operation, acceptedAt);
    const { wakes } = line;
    const outcome = await world.send(operation).catch(faulty);
    // Earlier than the lists are read again.
    const now = Date.now();
    line = lineAfter(line, id, outcome, lane, now, wakes);
    const isAwaited = world.isAwaited(operation);
    if (outcome.kind === 'accepted') {
      accepted.set(id, now);
      world.onOutcome(operation, outcome);
      return settle(operation, now);
    }
    await store.update(operation, after(operation, outcome, now, isAwaited, program));
    world.onOutcome(operation, outcome);
  }

  async function report(operation: Operation): Promise<void> {
    const { wakes } = line;
    const outcome = await world.report(operation).catch(faulty);
    const now = Date.now();
    const told = outcome.kind === 'files' ? 'files' : outcome.kind === 'accepted' || outcome.kind === 'refused' ? 'told' : 'failed';
    // A rate-limited report does not hold up steps.
    const isAnswer = outcome.kind === 'files' || outcome.kind === 'busy';
    line = lineAfter(line, `report ${operation.id}`, isAnswer ? { kind: 'accepted' } : outcome, lane, now, wakes);
    if (outcome.kind !== 'silent' && outcome.kind !== 'signedOut') await store.update(operation, afterReport(operation, told, now));
  }
  return {
    line: () => line,
    setLine: (next: Line) => {
      line = next;
    },
    async do(task: Exclude<Task, { do: 'wait' | 'rest' }>): Promise<void> {
      if (task.do === 'send') await send(task.operation);
      else if (task.do === 'report') await report(task.operation);
      else await store.remove(task.operations);
      await world.onChange();
    },
  };
}

/** Runs the tasks that `next` chooses (states.ts), in one tab at a time, until none is due. */
export function createLoop(lane: Lane, world: World) {
  const { store, person, program } = world;
  const tab = newKey();
  const worker = createWorker(lane, world);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function alone(work: () => Promise<void>): Promise<void> {
    // Waits for its turn: the tab before may be in the middle of its work, and not know of a new operation.
    if (navigator.locks) return navigator.locks.request(LOCK[lane], work);
    if (await store.lease(tab, LEASE_MS[lane], LEASE[lane])) return work();
    schedule(LEASE_MS[lane]);
  }

  async function work(): Promise<void> {
    while (!stopped) {
      // Read again before each task: other tabs add and hide some meanwhile.
      const task = next(await store.of(person), Date.now(), lane, worker.line(), program);
      if (task.do === 'rest') return;
      if (task.do === 'wait') return schedule(task.ms);
      await worker.do(task);
    }
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void run(), Math.max(ms, 1));
  }

  /** Resolves once nothing is due. */
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
    /** Runs with what waits for its time. */
    wake: (): Promise<void> => {
      worker.setLine(woken(worker.line()));
      return run();
    },
    /** Wakes although the network has been silent a moment ago: the person wants it. */
    insist: (): Promise<void> => {
      worker.setLine({ ...woken(worker.line()), silences: 0 });
      return run();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
