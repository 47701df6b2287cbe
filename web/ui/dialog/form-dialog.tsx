import { type ComponentProps, type ReactNode, type Ref, useRef } from 'react';
import { useClosing, useUnsaved } from '../form/unsaved.ts';
import { Dialog } from './dialog.tsx';

export type InDialog = {
  /** Returns true if closing would lose changes: the form's `isDirty`, but false while saving. */
  dirty: Ref<() => boolean>;
  onCancel: () => void;
};
type Props = Pick<ComponentProps<typeof Dialog>, 'opened' | 'onClose' | 'title' | 'size' | 'fillsPhone' | 'tall'> & {
  children: (form: InDialog) => ReactNode;
};

/** Dialog with a form; asks before discarding unsaved changes. A running save continues after closing. */
export function FormDialog({ opened, onClose, children, size = 'md', ...look }: Props) {
  const dirty = useRef<() => boolean>(null);
  const unsaved = () => opened && !!dirty.current?.();
  const { asking, close } = useClosing(unsaved, onClose);
  useUnsaved(unsaved);
  return (
    <Dialog opened={opened} onClose={() => void close()} size={size} dismissible={!asking} {...look}>
      {children({ dirty, onCancel: () => void close() })}
    </Dialog>
  );
}
