import { useQuery } from '@tanstack/react-query';
import type { Progress } from '../../contract/live/live.ts';
import { queryClient } from '../api.ts';

const keyOf = (clave: string) => ['progress', clave] as const;

export const storeProgress = (progress: Progress): void => void queryClient.setQueryData(keyOf(progress.clave), progress);

/** Progress of the request with this idempotency key; undefined until the first report, or while the live stream is lost. */
export const useProgress = (clave: string): Progress | undefined => useQuery<Progress>({ queryKey: keyOf(clave), enabled: false }).data;
