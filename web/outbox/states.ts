import { isFile, type Operation, type Outcome } from './operation.ts';

/*
 * The outbox of a carrier's phone: its states, and the transitions between them.
 *
 * An operation is `pendiente` from the moment it is stored. It is sent when it is due, and the outcome decides:
 *   accepted   `aceptado`. A step stays, laid over the list, until a list read afterwards shows it. A file is removed at once.
 *   refused    `rechazado`. The order's later steps wait. The office is told before anything else is sent.
 *   silent     stays `pendiente`. The whole lane pauses, longer each time: the network is away, or a captive portal answers.
 *   busy       stays `pendiente`, due later. Steps pause as in a silence; a file lets the other files go first.
 *   faulty     stays `pendiente`, due later, at once in another version of the program. After a second fault the office is told.
 *   signedOut  stays `pendiente`. The lane rests until its person has signed in.
 *
 * A refused operation leaves the phone once it is `reported` (the office knows) and `hidden` (the person has read it), in either order. The
 * files of a refused step go with it, unless the office takes them (`wanted`): then they are sent first. A refusal that came while the form
 * was open waits a moment before it is reported: the form that stays open discards its operation, since everything typed is still there. One
 * that its form can correct, within a minute, waits for the form that opens again: corrected, the new operation takes its place.
 *
 * Steps and files are two lanes of the same loop (loop.ts): nothing waits for a photo. Within an order steps are sent in their order, past
 * other orders that are stuck. A file waits for the steps of its order before it.
 *
 * `wake` makes a lane try now what waits for its time, once each: the network is back, the tab is shown, something was added. A lane that
 * meets one silence after another ignores wakes for some seconds, so that a flapping network costs few requests. Faults keep their time.
 *
 * All of this is decided by `next` and `after`, which read no clock, store or network.
 */

export type Lane = 'steps' | 'files';

/** State of the network that a lane keeps while the tab lives. */
export type Line = {
  /** Silences since the last answer of ours, and the time of the last one. */
  silences: number;
  silentAt: number;
  /** Number of wakes; the number at the last silence; the number when each operation was last tried. */
  wakes: number;
  silentAtWake: number;
  tried: Readonly<Record<string, number>>;
  signedOut: boolean;
};
export const QUIET: Line = { silences: 0, silentAt: 0, wakes: 0, silentAtWake: 0, tried: {}, signedOut: false };

export type Task =
  | { do: 'send'; operation: Operation }
  | { do: 'report'; operation: Operation }
  /** A refused step with the files that the office does not take; files first. */
  | { do: 'remove'; operations: readonly Operation[] }
  /** Nothing is due for so many milliseconds. */
  | { do: 'wait'; ms: number }
  /** Nothing is left, or only signing in helps. */
  | { do: 'rest' };

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 120_000;
const FIRST_FAULT_MS = 5000;
const LONGEST_FAULT_MS = 300_000;
/** Shortest pause of a lane after two silences in a row, however often it is woken. */
const FLAPPING_MS = 5000;
/** A fault is told to the office from this one on. */
const FAULTS_TOLD = 2;
/** Time for an open form to discard its refused operation. */
const FORM_MS = 3000;
/** Time in which the carrier counts as still at the door, and in which a reopened form can be corrected. */
export const AT_DOOR_MS = 60_000;

const doubling = (first: number, longest: number, n: number) => Math.min(longest, first * 2 ** Math.min(Math.max(n, 1) - 1, 10));
/** Milliseconds until an operation is sent again after `tries` without an answer. */
export const waitAfter = (tries: number): number => doubling(FIRST_WAIT_MS, LONGEST_WAIT_MS, tries);
const waitAfterFault = (faults: number) => doubling(FIRST_FAULT_MS, LONGEST_FAULT_MS, faults);

const isPending = ({ state }: Operation) => state === 'pendiente';
export const isRefused = ({ state }: Operation) => state === 'rechazado';
/** Whether the office has yet to be told of an operation: of its refusal, or that it cannot be registered for now. */
export const isUnreported = (one: Operation): boolean =>
  isRefused(one) ? !one.reported : isPending(one) && (one.faults ?? 0) >= FAULTS_TOLD && !one.faultReported;

/** Operations that may still reach the server: without the refused, and without files of refused steps that the office does not take. */
export function sendable(operations: readonly Operation[]): Operation[] {
  const refused = new Set(operations.filter((one) => isRefused(one) && !one.wanted).map(({ id }) => id));
  return operations.filter((one) => isPending(one) && !refused.has(one.after ?? ''));
}

/** The first step of each order that is neither accepted nor hidden. */
function heads(operations: readonly Operation[]): Operation[] {
  const orders = new Set<string>();
  return operations.filter((one) => {
    const isHead = !isFile(one) && one.state !== 'aceptado' && !one.hidden && !orders.has(one.pedido);
    if (isHead) orders.add(one.pedido);
    return isHead;
  });
}

/** Files whose steps are done, or refused and taken all the same; one that has failed lets the others go first. */
function freeFiles(operations: readonly Operation[]): Operation[] {
  const open = operations.filter((one) => !isFile(one) && one.state !== 'aceptado' && !one.hidden);
  const isWanted = ({ after }: Operation) => operations.some(({ id, wanted }) => id === after && wanted);
  const waits = (file: Operation) => open.some((step) => step.pedido === file.pedido && (step.seq ?? 0) < (file.seq ?? 0));
  return sendable(operations)
    .filter((one) => isFile(one) && (isWanted(one) || !waits(one)))
    .sort((one, other) => one.tries - other.tries);
}

/** Refused operations that the office has and the person has read, each with the files that go with it. */
function leaving(operations: readonly Operation[]): Operation[] | undefined {
  for (const one of operations) {
    if (!isRefused(one) || !one.reported || !one.hidden) continue;
    const files = operations.filter(({ after }) => after === one.id);
    if (!one.wanted || files.length === 0) return [...files, one];
  }
  return undefined;
}

function openAt({ silences, silentAt, wakes, silentAtWake }: Line): number {
  if (silences === 0) return 0;
  if (wakes === silentAtWake) return silentAt + waitAfter(silences);
  return silences === 1 ? 0 : silentAt + FLAPPING_MS;
}

/** Decides what a lane does now. `operations` are all of the person, oldest first; `program` is the running version. */
export function next(operations: readonly Operation[], now: number, lane: Lane, line: Line, program = ''): Task {
  const gone = lane === 'steps' && leaving(operations);
  if (gone) return { do: 'remove', operations: gone };
  if (line.signedOut) return { do: 'rest' };
  // A clock that was put back must not hold anything up.
  const inReach = (at: number) => (at > now + LONGEST_FAULT_MS ? 0 : at);
  const dueAt = (one: Operation): number => {
    const isAtOnce = (one.faults ?? 0) > 0 ? one.version !== program : line.wakes > (line.tried[one.id] ?? 0);
    return isAtOnce ? 0 : inReach(one.next);
  };
  const reports = operations.filter((one) => isFile(one) === (lane === 'files') && isUnreported(one));
  const sends = (lane === 'files' ? freeFiles(operations) : heads(operations)).filter(isPending);
  const tasks: { at: number; task: Task }[] = [
    ...reports.map((operation) => ({ at: inReach(operation.reportNext ?? 0), task: { do: 'report', operation } as const })),
    ...sends.map((operation) => ({ at: dueAt(operation), task: { do: 'send', operation } as const })),
  ];
  const opens = inReach(openAt(line));
  const due = tasks.find(({ at }) => at <= now);
  if (due && opens <= now) return due.task;
  if (tasks.length === 0) return { do: 'rest' };
  return { do: 'wait', ms: Math.max(opens, ...(due ? [] : [Math.min(...tasks.map(({ at }) => at))])) - now };
}

/** Changes of an operation by an outcome; `isAwaited` while its form waits for the answer. */
export function after(one: Operation, outcome: Outcome, now: number, isAwaited: boolean, program = ''): Partial<Operation> {
  const tries = one.tries + 1;
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'aceptado', acceptedAt: now };
    case 'refused': {
      const { reason, fields } = outcome;
      const opensAgain = one.form !== undefined && fields !== undefined && Math.abs(now - Date.parse(one.at)) < AT_DOOR_MS;
      const reportNext = opensAgain ? now + AT_DOOR_MS : isAwaited ? now + FORM_MS : 0;
      const refusedAt = new Date(now).toISOString();
      return { state: 'rechazado', reason, ...(fields && { fields }), refusedAt, tries, seen: isAwaited, reportNext };
    }
    case 'silent':
      return { tries, next: now + waitAfter(tries) };
    case 'busy':
      return {
        tries,
        next: now + (outcome.limited ? LONGEST_FAULT_MS : waitAfter(tries)),
        ...(outcome.unknown && { unknowns: (one.unknowns ?? 0) + 1 }),
      };
    case 'faulty': {
      const faults = (one.faults ?? 0) + 1;
      return { tries, faults, reason: outcome.reason, version: program, next: now + waitAfterFault(faults) };
    }
    case 'signedOut':
      return {};
  }
}

/** Changes of an operation by a report: `files` if the office takes the files of a refused step, `failed` if the report did not arrive. */
export function afterReport(one: Operation, result: 'told' | 'files' | 'failed', now: number): Partial<Operation> {
  if (result === 'failed') return { reports: (one.reports ?? 0) + 1, reportNext: now + waitAfterFault((one.reports ?? 0) + 1) };
  return isRefused(one) ? { reported: true, wanted: result === 'files' } : { faultReported: true };
}

/** State of the network after an outcome; `wakes` when the sending began, since a wake meanwhile counts for the next try. */
export function lineAfter(line: Line, id: string, { kind }: Pick<Outcome, 'kind'>, lane: Lane, now: number, wakes = line.wakes): Line {
  const tried = { ...line.tried, [id]: wakes };
  if (kind === 'signedOut') return { ...line, tried, signedOut: true };
  const isSilent = kind === 'silent' || (kind === 'busy' && lane === 'steps');
  if (!isSilent) return { ...line, tried, silences: 0 };
  return { ...line, tried, silences: line.silences + 1, silentAt: now, silentAtWake: wakes };
}

/** The lane once it is woken. */
export const woken = (line: Line): Line => ({ ...line, wakes: line.wakes + 1, signedOut: false });
