import type { Topic } from '../../contract/live.ts';
import type { Role } from '../../contract/policy.ts';
import { type Tx, wakeAfter } from '../db/open.ts';

export const CHANNEL = 'enruta';

/** A change and its audience: everyone with these roles, plus these people. */
export type Change = { topic: Topic; roles?: readonly Role[]; users?: string[] };

/** Notifies the audience's browsers, on every instance, once `tx` commits. */
export function emit(tx: Tx, change: Change): void {
  wakeAfter(tx, { channel: CHANNEL, payload: JSON.stringify(change) });
}
