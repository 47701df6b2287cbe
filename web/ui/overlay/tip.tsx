import type { TooltipProps } from '@mantine/core';
import type { ReactElement } from 'react';
import { usePhone } from '../page/use-phone.ts';
import { overlays } from './overlays.ts';

type Props = Pick<TooltipProps, 'label' | 'position'> & { children: ReactElement };

/** Tooltip; never on a phone, which has no mouse. */
export function Tip({ children, ...tip }: Props) {
  const phone = usePhone();
  const parts = overlays.useParts(false);
  return parts && !phone ? <parts.Tooltip {...tip}>{children}</parts.Tooltip> : children;
}
