import type { ReactNode } from 'react';

export type Question = {
  title: string;
  message: ReactNode;
  /** Label of the confirming button. */
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /**
   * Runs before the dialog closes; the dialog stays open if it fails, to try again. Closed meanwhile, it answers what
   * comes of it.
   */
  action?: () => Promise<unknown>;
};
let ask: ((question: Question) => Promise<boolean>) | undefined;

/** How to ask the person: the shell knows. */
export function whenConfirmationIsAsked(how: typeof ask): () => void {
  ask = how;
  return () => {
    ask = undefined;
  };
}

/** Asks for confirmation: `if (await confirm({ title, message, confirm: 'Eliminar', danger: true })) …`. */
export const confirm = (question: Question): Promise<boolean> => ask?.(question) ?? Promise.resolve(false);
