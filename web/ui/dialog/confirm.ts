import type { ReactNode } from 'react';

export type Question = {
  title: string;
  message: ReactNode;
  /** Label of the confirming button. */
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /** Runs before the dialog closes; on failure the dialog stays. Closed meanwhile, `confirm` resolves with its result. */
  action?: () => Promise<unknown>;
};
export type PendingQuestion = Question & { answer: (yes: boolean) => void };
let show: ((asked: PendingQuestion) => void) | undefined;

/** Registers the confirmation dialog. */
export function whenConfirmationIsAsked(how: typeof show): () => void {
  show = how;
  return () => {
    show = undefined;
  };
}

/** Asks for confirmation: `if (await confirm({ title, message, confirm: 'Eliminar', danger: true })) …`. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((answer) => (show ? show({ ...question, answer }) : answer(false)));
