import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../ui/page/logo.tsx';

export const Entrance = ({ title, children }: { title?: string; children: ReactNode }) => (
  <Stack component="main" align="center" justify="center" gap={0} mih="100dvh" px="1rem" pt="1.5rem" pb="12vh">
    <Stack align="center" gap={4} mb="lg">
      <Logo size={40} />
      <Title order={title ? 2 : 1} size="h1" mt={6}>
        Enruta
      </Title>
      <Text size="md" c="dimmed">
        Sistema de gestión empresarial
      </Text>
    </Stack>
    <Paper w="100%" maw="23rem" p="1.5rem" shadow="md">
      {title && (
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
      )}
      {children}
    </Paper>
  </Stack>
);
