import { Modal, type ModalProps } from '@mantine/core';
import { usePhone } from '../page/use-phone.ts';

type Props = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children' | 'zIndex'> & {
  /** False for short questions, which stay small on a phone too. */
  fillsPhone?: boolean;
  /** False while something is being saved: Escape and a click outside do nothing. */
  dismissible?: boolean;
};

/** Every dialog of the product: traps focus, closes on Escape, gives focus back, fills a phone's screen. */
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
