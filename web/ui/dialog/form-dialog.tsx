import { type ComponentProps, type ReactNode, type Ref, useRef, useState } from 'react';
import { useClosing, useUnsaved } from '../form/unsaved.ts';
import { Dialog } from './dialog.tsx';

/** What the form inside is given. */
export type InDialog = {
  /** The form's own `isDirty`: whether closing would lose something. */
  dirty: Ref<() => boolean>;
  /** While it is saving, the dialog stays. */
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
};
type Props = Pick<ComponentProps<typeof Dialog>, 'opened' | 'onClose' | 'title' | 'size' | 'fillsPhone'> & {
  children: (form: InDialog) => ReactNode;
};

/** A dialog with a form: however it is closed, it asks first when something was changed in it. */
export function FormDialog({ opened, onClose, children, size = 'md', ...look }: Props) {
  const dirty = useRef<() => boolean>(null);
  const unsaved = () => opened && !!dirty.current?.();
  const [busy, setBusy] = useState(false);
  const { asking, close } = useClosing(unsaved, onClose);
  useUnsaved(unsaved);
  return (
    <Dialog opened={opened} onClose={() => void close()} size={size} dismissible={!busy && !asking} {...look}>
      {children({ dirty, onBusy: setBusy, onCancel: () => void close() })}
    </Dialog>
  );
}
