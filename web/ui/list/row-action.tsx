import { ActionIcon, Button } from '@mantine/core';
import type { IconPencil } from '@tabler/icons-react';
import { use } from 'react';
import { OnCard } from './cards.tsx';

type Props = {
  name: string;
  /** Accessible name: the action and its row. */
  label: string;
  Icon: typeof IconPencil;
  onClick: () => void;
  danger?: boolean;
};

/** Action of a row: an icon in the table, a button on a card. */
export function RowAction({ name, label, Icon, onClick, danger = false }: Props) {
  if (!use(OnCard))
    return (
      <ActionIcon variant="subtle" color={danger ? 'red' : 'gray'} aria-label={label} title={name} onClick={onClick}>
        <Icon size={16} />
      </ActionIcon>
    );
  const look = danger ? { variant: 'light', color: 'red' } : { variant: 'default' };
  return (
    <Button {...look} size="xs" aria-label={label} leftSection={<Icon size={14} />} onClick={onClick}>
      {name}
    </Button>
  );
}
