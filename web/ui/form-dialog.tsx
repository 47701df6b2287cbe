import { type ComponentProps, type ReactNode, type Ref, useRef, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { mayLose, useUnsaved } from './unsaved.ts';

/** What the form inside is given. */
export type InDialog = {
  /** The form's own `isDirty`: whether closing would lose something. */
  dirty: Ref<() => boolean>;
  /** While it is saving, the dialog stays. */
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
};
type Props = Pick<ComponentProps<typeof Dialog>, 'opened' | 'onClose' | 'title'> & { children: (form: InDialog) => ReactNode };

const pause = (ms: number) => new Promise((then) => setTimeout(then, ms));

/** A dialog with a form: however it is closed, it asks first when something was changed in it. */
export function FormDialog({ opened, onClose, title, children }: Props) {
  const dirty = useRef<() => boolean>(null);
  const unsaved = () => opened && !!dirty.current?.();
  const [busy, setBusy] = useState(false);
  // While it asks, the keys and clicks that answer are not for this dialog.
  const [asking, setAsking] = useState(false);
  useUnsaved(unsaved);
  const cancel = async () => {
    if (!unsaved()) return onClose();
    setAsking(true);
    // The Escape that asks is not to be heard as the answer too.
    await pause(0);
    const lose = await mayLose();
    // The question gives the focus back first, and then the dialog to what opened it.
    await pause(50);
    setAsking(false);
    if (lose) onClose();
  };
  return (
    <Dialog opened={opened} onClose={() => void cancel()} title={title} size="md" dismissible={!busy && !asking}>
      {children({ dirty, onBusy: setBusy, onCancel: () => void cancel() })}
    </Dialog>
  );
}
