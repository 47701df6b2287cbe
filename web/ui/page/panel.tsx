import '@mantine/core/styles/Paper.css';
import { Group, type GroupProps, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

type Props = { title: string; aside?: ReactNode; busy?: boolean; mb?: GroupProps['mb']; children: ReactNode };

/** A framed part of a screen; `aside` goes to the right of its title, `mb` is the room under it. */
export function Panel({ title, aside, busy, mb = 'xs', children }: Props) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} aria-busy={busy} p="md">
      <Group justify="space-between" gap="xs" mb={mb}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
