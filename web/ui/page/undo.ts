// Undo actions, latest last. Ctrl+Z needs them, because toasts disappear soon and are far away for keyboard users.
let undoable: (() => void)[] = [];
let owner: string | undefined;

export const canUndo = (press: () => void): void => void undoable.push(press);
export const cannotUndo = (press: () => void): void => {
  undoable = undoable.filter((action) => action !== press);
};
export const undoLast = (): void => undoable.at(-1)?.();

/** Drops the actions of another person, or all of them without `person`, so that a person cannot undo a colleague's change. */
export function clearUndo(person?: string): void {
  if (person === undefined || person !== owner) undoable = [];
  owner = person;
}
