import { Box, Button, Paper, Skeleton, Stack, type StackProps, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type Query<T> = { data: T | undefined; error: { message: string } | null; refetch: () => unknown };
type Props<T> = {
  query: Query<T>;
  failed: string;
  waiting: ReactNode;
  children: (data: T) => ReactNode;
};

/** Renders a query's data, or its error with a retry. */
export function Loaded<T>({ query: { data, error, refetch }, failed, waiting, children }: Props<T>) {
  if (data !== undefined) return children(data);
  return error ? <ErrorState title={failed} error={error} onRetry={() => void refetch()} /> : waiting;
}

type RecordsProps<T> = {
  query: Query<{ data: readonly T[] }>;
  failed: string;
  /** What stands there without any record. */
  empty: ReactNode;
  label?: string;
  row: (record: T, index: number) => ReactNode;
};

/** The records of a query in a frame, one below the other. */
export const Records = <T,>({ query, failed, empty, label, row }: RecordsProps<T>) => (
  <Paper>
    <Loaded query={query} failed={failed} waiting={<Skeleton height={72} radius={0} role="status" aria-label="Cargando..." />}>
      {({ data }) =>
        data.length === 0 ? (
          empty
        ) : (
          <Stack component="ul" gap={0} aria-label={label}>
            {data.map(row)}
          </Stack>
        )
      }
    </Loaded>
  </Paper>
);

/** Placeholder blocks of these heights, in pixels. */
export const Skeletons = ({ heights, ...stack }: { heights: readonly number[] } & Omit<StackProps, 'role' | 'aria-label'>) => (
  <Stack gap="xs" role="status" aria-label="Cargando..." {...stack}>
    {heights.map((height, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
      <Skeleton key={i} h={height} />
    ))}
  </Stack>
);

type ErrorStateProps = { title: string; error?: { message: string } | null; onRetry?: () => void };

export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
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

/** `onReset`: the list is empty because of its filters, which this takes off. */
type EmptyStateProps = { title: string; hint?: ReactNode; action?: ReactNode; icon?: ReactNode; onReset?: (() => void) | undefined };

export const EmptyState = ({ title, hint, action, onReset, icon = <IconInbox size={20} stroke={1.6} /> }: EmptyStateProps) => (
  <Stack align="center" gap={8} py="xl" px="md" ta="center">
    <ThemeIcon variant="light" color="gray" size={40} aria-hidden>
      {icon}
    </ThemeIcon>
    <Text variant="title">{title}</Text>
    {hint && (
      <Text c="dimmed" maw="28rem">
        {hint}
      </Text>
    )}
    {action && <Box mt="xs">{action}</Box>}
    {onReset && (
      <Button variant="default" size="xs" mt="md" onClick={onReset}>
        Quitar los filtros
      </Button>
    )}
  </Stack>
);
