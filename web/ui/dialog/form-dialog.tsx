import { type ComponentProps, type ReactNode, type Ref, useRef, useState } from 'react';
import { useClosing, useUnsaved } from '../form/unsaved.ts';
import { Dialog } from './dialog.tsx';

/** Props for the form inside the dialog. */
export type InDialog = {
  /** The form's `isDirty`: whether closing would lose changes. */
  dirty: Ref<() => boolean>;
  /** Keeps the dialog open while saving. */
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
};
type Props = Pick<ComponentProps<typeof Dialog>, 'opened' | 'onClose' | 'title' | 'size' | 'fillsPhone'> & {
  children: (form: InDialog) => ReactNode;
};

/** A dialog with a form; asks before closing if there are unsaved changes. */
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
