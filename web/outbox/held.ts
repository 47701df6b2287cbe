/*
 * Whether this phone holds operations of a person, known before the store is opened: the rows of a list wait for the store only then, so
 * that what was done never stands there as not done.
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
