import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './choice-bar.module.css';

type Props = { of: string; label: string; notes?: ReactNode; children: ReactNode };

/** Actions on the chosen rows, at the foot of a list. */
export const ChoiceBar = ({ of, label, notes, children }: Props) => (
  <section className={classes.bar} aria-label={of} data-choice-bar>
    <Group>
      <Text fw={600} role="status">
        {label}
      </Text>
      {notes}
    </Group>
    <Group>{children}</Group>
  </section>
);
