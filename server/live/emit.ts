import type { Progress, Topic } from '../../contract/live/live.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { type OpenDb, type Tx, wakeAfter } from '../db/open.ts';

export const CHANNEL = 'enruta';

/** A change and its audience: everyone with these roles, plus these people. */
export type LiveChange = { topic: Topic; roles?: readonly Role[]; users?: string[] };

export type ProgressOf = Progress & { user: string };

/** Notifies the browsers of the audience, on every instance, once `tx` commits. */
export function emit(tx: Tx, change: LiveChange): void {
  wakeAfter(tx, { channel: CHANNEL, payload: JSON.stringify(change) });
}

/** Sends progress to the browsers of `progress.user` at once, on every instance. */
export function publishProgress(signal: OpenDb['signal'], progress: ProgressOf): void {
  signal({ channel: CHANNEL, payload: JSON.stringify(progress) });
}
