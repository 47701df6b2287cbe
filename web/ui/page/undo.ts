// What can be taken back, the last one last. A notice that offers it is soon gone, and far away for whoever goes from button
// to button.
let undoable: (() => void)[] = [];
let owner: string | undefined;

export const canUndo = (press: () => void): void => void undoable.push(press);
export const cannotUndo = (press: () => void): void => {
  undoable = undoable.filter((one) => one !== press);
};
export const undoLast = (): void => undoable.at(-1)?.();

/** Forgets what somebody else did here, or everything without a person: nobody takes back another's deletion unawares. */
export function forgetUndo(person?: string): void {
  if (person === undefined || person !== owner) undoable = [];
  owner = person;
}
