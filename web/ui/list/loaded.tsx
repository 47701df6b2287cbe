import { Skeleton, Stack, type StackProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

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

/** Placeholder blocks of these heights, in pixels. */
export const Skeletons = ({ heights, ...stack }: { heights: readonly number[] } & Omit<StackProps, 'role' | 'aria-label'>) => (
  <Stack gap="xs" role="status" aria-label="Cargando..." {...stack}>
    {heights.map((height, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
      <Skeleton key={i} h={height} />
    ))}
  </Stack>
);
