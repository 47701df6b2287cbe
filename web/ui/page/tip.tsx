import { Tooltip, type TooltipProps } from '@mantine/core';
import type { ReactElement } from 'react';
import { usePhone } from './use-phone.ts';

type Props = Pick<TooltipProps, 'label' | 'position'> & { children: ReactElement };

/** Tooltip; never on a phone, which has no mouse. */
export const Tip = ({ children, ...tip }: Props) => (usePhone() ? children : <Tooltip {...tip}>{children}</Tooltip>);
