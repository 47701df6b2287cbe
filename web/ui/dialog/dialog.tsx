import { Modal, type ModalProps } from '@mantine/core';
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { usePhone } from '../page/use-phone.ts';

type Props = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children' | 'zIndex'> & {
  /** False keeps short questions small on a phone. */
  fillsPhone?: boolean;
  /** False disables Escape and clicks outside, while saving. */
  dismissible?: boolean;
};

// Keeps what the dialog last showed while it fades out.
const Kept = memo(
  ({ children }: { opened: boolean; children: ReactNode }) => children,
  (_, next) => !next.opened,
);

/** The base of every dialog: traps focus, closes on Escape, returns focus, fills a phone's screen. */
export function Dialog({ fillsPhone = true, dismissible = true, title, children, ...props }: Props) {
  const phone = usePhone();
  const opener = useRef<Element>(null);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (props.opened) opener.current = document.activeElement;
  }, [props.opened]);
  // The library gives up where a question above closes in the same moment, and the focus would be nowhere.
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
      title={kept(title)}
    >
      {kept(children)}
    </Modal>
  );
}
