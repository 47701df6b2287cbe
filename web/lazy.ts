import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy } from 'react';
import { getCsrfToken } from '../contract/session.ts';
import { ApiError, call } from './api.ts';

/* Chunks that may not arrive: one is gone because there is a newer version, or nothing answers at all. */

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** Longer than for an answer: a chunk is large, and a line may be slow. */
const LIMIT_MS = 45_000;
const AGAIN_MS = 3_000;
const pause = (ms: number) => new Promise<void>((then) => setTimeout(then, ms));

/** Throws an ApiError without status where nothing answers, and what `load` throws where something does. */
async function loaded<P>(load: Load<P>) {
  try {
    return await Promise.race([load(), pause(LIMIT_MS).then(() => Promise.reject(new Error('The chunk is late')))]);
  } catch (error) {
    await call(getCsrfToken).catch((silence: unknown) => {
      if (silence instanceof ApiError && silence.status === 0) throw silence;
    });
    throw error;
  }
}

/** A screen. The router loads everything anew for a newer version; CrashPage tells of a server that does not answer. */
export const lazyScreen = (load: Load<object>) => lazyRouteComponent(() => loaded(load));

/** A part of a screen: it waits for the network, for failing would take the whole screen away. */
export const lazyPart = <P>(load: Load<P>) => lazy(() => patiently(load));

async function patiently<P>(load: Load<P>): Promise<{ default: ComponentType<P> }> {
  for (;;) {
    try {
      return await loaded(load);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await pause(AGAIN_MS);
    }
  }
}
