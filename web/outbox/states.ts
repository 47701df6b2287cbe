import { isFile, type Operation, type Outcome } from './operation.ts';

/*
 * The outbox of a carrier's phone: its states, and the transitions between them.
 *
 * An operation is `pendiente` from the moment it is stored. It is sent when it is due, and the outcome decides:
 *   accepted   `aceptado`. A step stays, overlaid on the list, until a list read afterwards shows it. A file is removed at once.
 *   refused    `rechazado`. The order's later steps wait. The refusal is reported to the office before anything else is sent.
 *   silent     stays `pendiente`. The whole lane pauses, longer each time: the network is away, or a captive portal answers.
 *   busy       stays `pendiente`, due later. Steps pause as after a silence; a busy file lets the other files go first.
 *   faulty     stays `pendiente`, due later, or at once in another version of the program. A second fault is reported to the office.
 *   signedOut  stays `pendiente`. The lane rests until its person has signed in.
 *
 * A refused operation leaves the phone once it is `reported` (the office knows) and `hidden` (the person has read it), in either order. The
 * files of a refused step are removed with it, unless the office wants them (`wanted`): then they are sent first. If the form is open when
 * the refusal arrives, the report waits a moment, in which the form can discard the operation and keep its content. A refusal
 * that the form can correct is reported after a minute, in which a corrected operation can replace the refused one.
 *
 * Steps and files are two lanes of the same loop (loop.ts), so that steps never wait for a photo. Steps of an order are sent in sequence,
 * independent of other orders that are stuck. A file waits for the earlier steps of its order.
 *
 * `wake` makes a lane retry each waiting operation once, now: the network is back, the tab is shown, something was added. A lane that
 * meets one silence after another ignores wakes for some seconds, so that a flapping network costs few requests. Wakes do not affect faults.
 *
 * All of this is decided by `nextTask` and `taskAfterOutcome`, which read no clock, store or network.
 */

export type Lane = 'steps' | 'files';

/** State of the network in a lane, as long as the tab is open. */
export type Link = {
  /** Number of silences since the server's last response, and the time of the last silence. */
  silences: number;
  silentAt: number;
  /** Number of wakes so far, at the last silence (`silentAtWake`), and at the last try of each operation (`tried`). */
  wakes: number;
  silentAtWake: number;
  tried: Readonly<Record<string, number>>;
  signedOut: boolean;
};
export const QUIET: Link = { silences: 0, silentAt: 0, wakes: 0, silentAtWake: 0, tried: {}, signedOut: false };

export type Task =
  | { do: 'send'; operation: Operation }
  | { do: 'report'; operation: Operation }
  /** Removes a refused step with the files that the office does not want, files first. */
  | { do: 'remove'; operations: readonly Operation[] }
  /** Nothing is due for `ms` milliseconds. */
  | { do: 'wait'; ms: number }
  /** Nothing is left to do, or the person must sign in first. */
  | { do: 'rest' };

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 120_000;
const FIRST_FAULT_MS = 5000;
const LONGEST_FAULT_MS = 300_000;
/** Minimum pause of a lane after two silences in a row, however often it is woken. */
const FLAPPING_MS = 5000;
/** Number of faults after which an operation is reported to the office. */
const FAULTS_TOLD = 2;
/** Milliseconds that an open form has to discard its refused operation. */
const FORM_MS = 3000;
/** Milliseconds after a step during which the carrier is assumed to be at the door, and can correct a reopened form. */
export const AT_DOOR_MS = 60_000;

const doubling = (first: number, longest: number, n: number) => Math.min(longest, first * 2 ** (Math.max(n, 1) - 1));
/** Milliseconds until an operation is sent again after `tries` without an answer. */
export const waitAfter = (tries: number): number => doubling(FIRST_WAIT_MS, LONGEST_WAIT_MS, tries);
const waitAfterFault = (faults: number) => doubling(FIRST_FAULT_MS, LONGEST_FAULT_MS, faults);

const isPending = ({ state }: Operation) => state === 'pendiente';
export const isRefused = ({ state }: Operation) => state === 'rechazado';
/** True if the refusal or the repeated faults of an operation have yet to be reported to the office. */
export const isUnreported = (operation: Operation): boolean =>
  isRefused(operation) ? !operation.reported : isPending(operation) && (operation.faults ?? 0) >= FAULTS_TOLD && !operation.faultReported;

/** Returns the pending operations, without files of refused steps that the office does not want. */
export function isSendable(operations: readonly Operation[]): Operation[] {
  const refused = new Set(operations.filter((operation) => isRefused(operation) && !operation.wanted).map(({ id }) => id));
  return operations.filter((operation) => isPending(operation) && !refused.has(operation.after ?? ''));
}

/** Returns the first step of each order, ignoring accepted and hidden steps. */
function heads(operations: readonly Operation[]): Operation[] {
  const orders = new Set<string>();
  return operations.filter((operation) => {
    const isHead = !isFile(operation) && operation.state !== 'aceptado' && !operation.hidden && !orders.has(operation.pedido);
    if (isHead) orders.add(operation.pedido);
    return isHead;
  });
}

/** Returns the files that can be sent: their order has no earlier open step, or the office wants them. Files with fewer tries come first. */
function freeFiles(operations: readonly Operation[]): Operation[] {
  const open = operations.filter((operation) => !isFile(operation) && operation.state !== 'aceptado' && !operation.hidden);
  const isWanted = ({ after }: Operation) => operations.some(({ id, wanted }) => id === after && wanted);
  const waits = (file: Operation) => open.some((step) => step.pedido === file.pedido && (step.seq ?? 0) < (file.seq ?? 0));
  return isSendable(operations)
    .filter((operation) => isFile(operation) && (isWanted(operation) || !waits(operation)))
    .sort((first, second) => first.tries - second.tries);
}

/** Returns a refused operation to remove, with its files: the office has it and the person has read it. Undefined if there is none. */
function leaving(operations: readonly Operation[]): Operation[] | undefined {
  for (const operation of operations) {
    if (!isRefused(operation) || !operation.reported || !operation.hidden) continue;
    const files = operations.filter(({ after }) => after === operation.id);
    if (!operation.wanted || files.length === 0) return [...files, operation];
  }
  return undefined;
}

function openAt({ silences, silentAt, wakes, silentAtWake }: Link): number {
  if (silences === 0) return 0;
  if (wakes === silentAtWake) return silentAt + waitAfter(silences);
  return silences === 1 ? 0 : silentAt + FLAPPING_MS;
}

/** Decides what a lane does now. `operations`: all operations of the person, oldest first; `program`: the running version. */
export function nextTask(operations: readonly Operation[], now: number, lane: Lane, link: Link, program = ''): Task {
  const gone = lane === 'steps' && leaving(operations);
  if (gone) return { do: 'remove', operations: gone };
  if (link.signedOut) return { do: 'rest' };
  // Ignores times in the far future, which result from setting the phone's clock back.
  const inReach = (at: number) => (at > now + LONGEST_FAULT_MS ? 0 : at);
  const dueAt = (operation: Operation): number => {
    const isAtOnce = (operation.faults ?? 0) > 0 ? operation.version !== program : link.wakes > (link.tried[operation.id] ?? 0);
    return isAtOnce ? 0 : inReach(operation.next);
  };
  const reports = operations.filter((operation) => isFile(operation) === (lane === 'files') && isUnreported(operation));
  const sends = (lane === 'files' ? freeFiles(operations) : heads(operations)).filter(isPending);
  const tasks: { at: number; task: Task }[] = [
    ...reports.map((operation) => ({ at: inReach(operation.reportNext ?? 0), task: { do: 'report', operation } as const })),
    ...sends.map((operation) => ({ at: dueAt(operation), task: { do: 'send', operation } as const })),
  ];
  const opens = inReach(openAt(link));
  const due = tasks.find(({ at }) => at <= now);
  if (due && opens <= now) return due.task;
  if (tasks.length === 0) return { do: 'rest' };
  return { do: 'wait', ms: Math.max(opens, ...(due ? [] : [Math.min(...tasks.map(({ at }) => at))])) - now };
}

/** Returns the changes of an operation after an outcome. `isAwaited`: the form is waiting for the response. */
export function taskAfterOutcome(
  operation: Operation,
  outcome: Outcome,
  now: number,
  isAwaited: boolean,
  program = '',
): Partial<Operation> {
  const tries = operation.tries + 1;
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'aceptado', acceptedAt: now };
    case 'refused': {
      const { reason, fields } = outcome;
      const opensAgain = operation.form !== undefined && fields !== undefined && Math.abs(now - Date.parse(operation.at)) < AT_DOOR_MS;
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
        ...(outcome.unknown && { unknowns: (operation.unknowns ?? 0) + 1 }),
      };
    case 'faulty': {
      const faults = (operation.faults ?? 0) + 1;
      return { tries, faults, reason: outcome.reason, version: program, next: now + waitAfterFault(faults) };
    }
    case 'signedOut':
      return {};
  }
}

/** Returns the changes of an operation after a report. `files`: the office wants the step's files. `failed`: the report did not arrive. */
export function afterReport(operation: Operation, result: 'reported' | 'files' | 'failed', now: number): Partial<Operation> {
  if (result === 'failed') return { reports: (operation.reports ?? 0) + 1, reportNext: now + waitAfterFault((operation.reports ?? 0) + 1) };
  return isRefused(operation) ? { reported: true, wanted: result === 'files' } : { faultReported: true };
}

/** Returns the state of the network after an outcome. `wakes`: number of wakes when sending began; a later wake counts for the next try. */
export function linkAfter(link: Link, id: string, { kind }: Pick<Outcome, 'kind'>, lane: Lane, now: number, wakes = link.wakes): Link {
  const tried = { ...link.tried, [id]: wakes };
  if (kind === 'signedOut') return { ...link, tried, signedOut: true };
  const isSilent = kind === 'silent' || (kind === 'busy' && lane === 'steps');
  if (!isSilent) return { ...link, tried, silences: 0 };
  return { ...link, tried, silences: link.silences + 1, silentAt: now, silentAtWake: wakes };
}

/** Returns the state of a lane after a wake. */
export const wakeLink = (link: Link): Link => ({ ...link, wakes: link.wakes + 1, signedOut: false });
