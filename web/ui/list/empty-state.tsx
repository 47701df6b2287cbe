import { Box, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type Props = { title: string; hint?: ReactNode; action?: ReactNode; icon?: ReactNode };

export const EmptyState = ({ title, hint, action, icon = <IconInbox size={20} stroke={1.6} /> }: Props) => (
  <Stack align="center" gap={6} py="xl" px="md" ta="center">
    <ThemeIcon variant="light" color="gray" size={40} aria-hidden>
      {icon}
    </ThemeIcon>
    <Text size="md" fw={600}>
      {title}
    </Text>
    {hint && (
      <Text c="dimmed" maw="28rem">
        {hint}
      </Text>
    )}
    {action && <Box mt="xs">{action}</Box>}
  </Stack>
);
