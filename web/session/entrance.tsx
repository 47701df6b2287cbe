import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../ui/page/logo.tsx';
import classes from './entrance.module.css';

export const Entrance = ({ title, children }: { title?: string; children: ReactNode }) => (
  <main className={classes.root}>
    <Stack align="center" gap={4} mb="lg">
      <Logo size={40} />
      <Title order={title ? 2 : 1} size="h1" mt={6}>
        Enruta
      </Title>
      <Text size="md" c="dimmed">
        Sistema de gestión empresarial
      </Text>
    </Stack>
    <Paper className={classes.card} shadow="md">
      {title && (
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
      )}
      {children}
    </Paper>
  </main>
);
