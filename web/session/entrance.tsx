import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Logo } from '../ui/page/logo.tsx';

/** Frame of the screens before signing in. Anchored at the top, so that nothing moves when its contents grow. */
export const Entrance = ({ title, children }: { title?: string; children: ReactNode }) => (
  <Stack component="main" align="center" gap={0} mih="100dvh" px="1rem" pt="14vh" pb="1.5rem">
    <Stack align="center" gap={4} mb="lg">
      <Logo size={40} />
      <Title order={title ? 2 : 1} size="h1" mt={8}>
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

/** Why the form was refused, apart from the errors at its fields. */
export const RefusedBanner = ({ text }: { text: string | undefined }) =>
  text && (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
      {text}
    </Alert>
  );
