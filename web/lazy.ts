import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy, useEffect, useState, useSyncExternalStore } from 'react';
import { getCsrfToken } from '../contract/session.ts';
import { ApiError, call, queryClient } from './api.ts';

/* Chunks that may not arrive: one is gone because there is a newer version, or nothing answers at all. */

type Load<P> = () => Promise<{ default: ComponentType<P> }>;
type Any<M> = () => Promise<M>;

/** Longer than for an answer: a chunk is large, and a line may be slow. */
const LIMIT_MS = 45_000;
const AGAIN_MS = 3_000;
const pause = (ms: number) => new Promise<void>((then) => setTimeout(then, ms));

/** Throws an ApiError without status where nothing answers, and what `load` throws where something does. */
async function loaded<M>(load: Any<M>) {
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

async function patiently<M>(load: Any<M>): Promise<M> {
  for (;;) {
    try {
      return await loaded(load);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await pause(AGAIN_MS);
    }
  }
}

/* What the first screen of a telephone does without. A wide one asks for it with the screen, as its page's head does. */

const WIDE = '(min-width: 768px)';
const LOOK_MS = 100;

let standing = false;
const waiting = new Set<() => void>();

/** Asks for everything that is `later`, once what the screen itself has asked for is there. */
export function screenStands(): void {
  if (standing) return;
  if (queryClient.isFetching()) return void setTimeout(screenStands, LOOK_MS);
  standing = true;
  for (const ask of waiting) ask();
}

/**
 * A module that comes after the first screen: `get` asks for it, and `useParts` is the module once it is there; a component that
 * has been pressed waits for it (`wanted`) and fails where there is a newer version. A component that stands on a wide screen
 * asks for it at once; on a telephone it is asked for after the first screen, so that nobody waits for it, or only when wanted.
 */
export function later<M>(load: Any<M>, onPhone: 'soon' | 'when wanted' = 'soon') {
  let here: M | undefined;
  let coming: Promise<M> | undefined;
  const listeners = new Set<() => void>();
  async function fetched() {
    try {
      here = await patiently(load);
    } catch (error) {
      coming = undefined;
      throw error;
    }
    for (const listener of listeners) listener();
    return here;
  }
  const get = () => {
    coming ??= fetched();
    return coming;
  };
  const ask = () => void get().catch(() => undefined);
  function askInTime() {
    if (matchMedia(WIDE).matches || (standing && onPhone === 'soon')) ask();
    else if (onPhone === 'soon') waiting.add(ask);
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  function useParts(wanted: boolean): M | undefined {
    const parts = useSyncExternalStore(subscribe, () => here);
    const [failed, setFailed] = useState<{ error: unknown }>();
    useEffect(askInTime, []);
    useEffect(() => {
      if (wanted) get().catch((error: unknown) => setFailed({ error }));
    }, [wanted]);
    if (failed) throw failed.error;
    return parts;
  }
  return { get, useParts };
}
