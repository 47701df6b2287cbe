import { Modal, type ModalProps } from '@mantine/core';
import { memo, type ReactNode, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react';
import { usePhone } from '../page/use-phone.ts';
import classes from './dialog.module.css';

type Props = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children' | 'zIndex' | 'returnFocus'> & {
  /** False keeps short questions small on a phone. */
  fillsPhone?: boolean;
  /** Reserves the full height before the content is drawn, for content taller than most windows. */
  tall?: boolean;
  /** False disables Escape, outside clicks and the close button. */
  dismissible?: boolean;
};

// Freezes the content while the dialog fades out.
const Kept = memo(
  ({ children }: { opened: boolean; children: ReactNode }) => children,
  (_, next) => !next.opened,
);

/** Renders the content after the dialog's frame is painted, because large content takes long on a slow processor. */
function Later({ root, tall, children }: { root: RefObject<HTMLElement | null>; tall: boolean; children: ReactNode }) {
  const ready = useDeferredValue(true, false);
  useEffect(() => {
    const wanted = ready && root.current?.querySelector<HTMLElement>('[data-autofocus]');
    if (wanted && !document.activeElement?.matches('input, textarea')) wanted.focus({ preventScroll: true });
  }, [ready, root]);
  return ready ? children : <div className={classes.coming} data-tall={tall || undefined} />;
}

/** Open dialogs, the topmost last. */
const stack = new Set<object>();

/** Closes only the topmost dialog: the library reports an Escape to every open dialog. */
function useTopmost(opened: boolean, onClose: () => void): () => void {
  const own = useRef<object>(null);
  useEffect(() => {
    if (!opened) return;
    const entry = {};
    own.current = entry;
    stack.add(entry);
    // Leaves the stack after the current Escape, or the same Escape would close the dialog below.
    return () => void setTimeout(() => stack.delete(entry));
  }, [opened]);
  return () => {
    if ([...stack].at(-1) === own.current) onClose();
  };
}

/** Base of every dialog: traps and returns focus, closes on Escape, fills a phone's screen. */
export function Dialog({ fillsPhone = true, tall = false, dismissible = true, title, onClose, children, ...props }: Props) {
  const phone = usePhone();
  const close = useTopmost(props.opened, onClose);
  const opener = useRef<Element>(null);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (props.opened) opener.current = document.activeElement;
  }, [props.opened]);
  // Restores the focus if a question above closed at the same moment, because the library then loses the focus.
  function returnFocus() {
    const at = document.activeElement;
    const lost = at === null || at === document.body || root.current?.contains(at);
    if (lost && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  }
  const kept = (content: ReactNode) => <Kept opened={props.opened}>{content}</Kept>;
  return (
    <Modal
      centered
      size="lg"
      fullScreen={phone && fillsPhone}
      closeOnEscape={dismissible}
      closeOnClickOutside={dismissible}
      ref={root}
      onExitTransitionEnd={returnFocus}
      closeButtonProps={{ 'aria-label': 'Cerrar', disabled: !dismissible }}
      {...props}
      onClose={close}
      title={kept(title)}
    >
      {kept(
        fillsPhone ? (
          <Later root={root} tall={tall}>
            {children}
          </Later>
        ) : (
          children
        ),
      )}
    </Modal>
  );
}
