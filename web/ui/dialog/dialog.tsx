import { Modal, type ModalProps } from '@mantine/core';
import { usePhone } from '../page/use-phone.ts';

type Props = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children' | 'zIndex'> & {
  /** False keeps short questions small on a phone. */
  fillsPhone?: boolean;
  /** False disables Escape and clicks outside, while saving. */
  dismissible?: boolean;
};

/** The base of every dialog: traps focus, closes on Escape, returns focus, fills a phone's screen. */
export function Dialog({ fillsPhone = true, dismissible = true, ...props }: Props) {
  const phone = usePhone();
  return (
    <Modal
      centered
      size="lg"
      fullScreen={phone && fillsPhone}
      closeOnEscape={dismissible}
      closeOnClickOutside={dismissible}
      closeButtonProps={{ 'aria-label': 'Cerrar', disabled: !dismissible }}
      {...props}
    />
  );
}
