import '@mantine/core/styles/Paper.css';
import { Group, type GroupProps, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

type Props = { title: string; aside?: ReactNode; busy?: boolean; mb?: GroupProps['mb']; children: ReactNode };

/** Framed part of a screen; `aside` goes beside the title, `mb` is the space below it. */
export function Panel({ title, aside, busy, mb = 'xs', children }: Props) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} aria-busy={busy} p="md">
      <Group justify="space-between" mb={mb}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
