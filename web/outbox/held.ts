/*
 * Flag that this phone holds operations of a person, readable before the store opens. Lists wait for the
 * store only if the flag is set, so that a finished order never shows as unfinished.
 */

const HELD = 'enruta-bandeja-de';

function held(): string[] {
  try {
    return (localStorage.getItem(HELD) ?? '').split(' ').filter(Boolean);
  } catch {
    // `localStorage` throws if storage is blocked.
    return [];
  }
}

export const holdsOperations = (person: string): boolean => held().includes(person);

export function setHeld(person: string, holds: boolean): void {
  if (holds === holdsOperations(person)) return;
  const others = held().filter((one) => one !== person);
  try {
    localStorage.setItem(HELD, [...others, ...(holds ? [person] : [])].join(' '));
  } catch {
    // If storage is blocked or full, lists are drawn without waiting for the store.
  }
}
