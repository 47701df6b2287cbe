import { readStored, storeLocally } from '../stored.ts';

/*
 * Flag that this phone holds operations of a person, readable before the store opens. Lists wait for the
 * store only if the flag is set, so that a finished order never shows as unfinished.
 */

const HELD = 'enruta-bandeja-de';

const held = (): string[] => (readStored(HELD) ?? '').split(' ').filter(Boolean);

export const holdsOperations = (person: string): boolean => held().includes(person);

export function setHeld(person: string, holds: boolean): void {
  if (holds === holdsOperations(person)) return;
  const others = held().filter((held) => held !== person);
  storeLocally(HELD, [...others, ...(holds ? [person] : [])].join(' '));
}
