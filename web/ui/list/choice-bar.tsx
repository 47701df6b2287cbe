import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './choice-bar.module.css';

type Props = { label: string; notes?: ReactNode; children: ReactNode };

/** Actions on the chosen rows, at the foot of a list. */
export function ChoiceBar({ label, notes, children }: Props) {
  return (
    <section className={classes.bar} aria-label="Pedidos elegidos">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {label}
        </Text>
        {notes}
      </Group>
      <Group gap="xs">{children}</Group>
    </section>
  );
}
