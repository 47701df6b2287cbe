import type { ReactNode } from 'react';

export type Question = {
  title: string;
  message: ReactNode;
  /** Label of the confirming button. */
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /**
   * Runs before the dialog closes; on failure the dialog stays open for a retry. If the person closes the dialog meanwhile, `confirm`
   * resolves with the action's result.
   */
  action?: () => Promise<unknown>;
};
let ask: ((question: Question) => Promise<boolean>) | undefined;

/** Registers the confirmation dialog. */
export function whenConfirmationIsAsked(how: typeof ask): () => void {
  ask = how;
  return () => {
    ask = undefined;
  };
}

/** Asks for confirmation: `if (await confirm({ title, message, confirm: 'Eliminar', danger: true })) …`. */
export const confirm = (question: Question): Promise<boolean> => ask?.(question) ?? Promise.resolve(false);
