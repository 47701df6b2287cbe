import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { EmptyState } from './empty-state.tsx';

type Props = { title: string; error?: { message: string } | null; onRetry?: () => void };

export function ErrorState({ title, error, onRetry }: Props) {
  const retry = onRetry && (
    <Button variant="default" size="xs" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
      Reintentar
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState title={title} hint={error?.message} icon={<IconAlertTriangle size={20} stroke={1.6} />} action={retry} />
    </div>
  );
}
