/*
 * Flag that this phone holds operations of a person, readable before the store opens. The rows of a list wait for the store only then, so
 * that a finished order never shows as unfinished.
 */

const HELD = 'enruta-bandeja-de';

function held(): string[] {
  try {
    return (localStorage.getItem(HELD) ?? '').split(' ').filter(Boolean);
  } catch {
    // Storage may be blocked.
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
    // Storage may be blocked or full: the rows are drawn without waiting.
  }
}
