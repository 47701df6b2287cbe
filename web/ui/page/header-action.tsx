import { ActionIcon, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePhone } from './use-phone.ts';

type Props = { label: string; icon: ReactNode; pressed?: boolean; onClick: () => void };

/** Button of a screen's header; on a phone an icon beside the title, to leave more height for the list. */
export function HeaderAction({ label, icon, pressed, onClick }: Props) {
  const phone = usePhone();
  const look = { variant: pressed ? 'filled' : 'default', 'aria-pressed': pressed, onClick };
  if (!phone) {
    return (
      <Button {...look} leftSection={icon}>
        {label}
      </Button>
    );
  }
  return (
    <ActionIcon {...look} size={48} style={{ flex: 'none' }} aria-label={label} title={label}>
      {icon}
    </ActionIcon>
  );
}
