import { isAttended } from './attended.ts';
import { createShared } from './shared.ts';

/*
 * A carrier's session that has ended while the phone keeps the day's list: the list stays and everything done is stored, until the person
 * signs in again. Held in memory: after a reload, the session check restores the state.
 */

const ended = createShared(false);

export const { get: hasEnded, set: setEnded, use: useEnded } = ended;
/** True while a request can only be refused: the session has ended, and nobody has touched the phone in the last ten seconds. */
export const isResting = (): boolean => hasEnded() && !isAttended(10_000);
