import '@mantine/core/styles/Paper.css';
import { Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A section of the account screen; `aside` goes to the right of the title. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} p="md">
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
