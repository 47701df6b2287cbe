import { ProveHost, prove } from '../account/prove-dialog.tsx';
import { ask, ConfirmHost } from '../ui/dialog/confirm-dialog.tsx';

/** Dialogs that any screen can open; mounted once. */
function Questions() {
  return (
    <>
      <ConfirmHost />
      <ProveHost />
    </>
  );
}

export const questions = { Questions, prove, ask };
