import { useQuery } from '@tanstack/react-query';
import type { Progress } from '../../contract/live.ts';
import { queryClient } from '../api.ts';

const keyOf = (clave: string) => ['progress', clave] as const;

export const keepProgress = (progress: Progress): void => void queryClient.setQueryData(keyOf(progress.clave), progress);

/** How far the request with this idempotency key is; undefined before the server has told, or while the live stream is lost. */
export const useProgress = (clave: string): Progress | undefined => useQuery<Progress>({ queryKey: keyOf(clave), enabled: false }).data;
