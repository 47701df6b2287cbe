import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, type FunctionComponent, useEffect } from 'react';

/* Loads chunks that may be missing: replaced by a newer version, or unreachable. */

type Load<P> = () => Promise<{ default: ComponentType<P> }>;
type Any<M> = () => Promise<M>;

/** Timeout in ms, longer than for a request: chunks are large and lines may be slow. */
const LIMIT_MS = 45_000;
const AGAIN_MS = 3_000;
/** Pause in ms before the second try of a chunk that failed although the server answers, for example after a dropped connection. */
const SECOND_TRY_MS = 500;
const pause = (ms: number) => new Promise<void>((then) => setTimeout(then, ms));

let silence: () => Promise<Error | undefined> = async () => undefined;
/** Registers a probe of the server: resolves to an error if no answer arrives. */
export function registerProbe(probe: typeof silence): void {
  silence = probe;
}

class LateError extends Error {}
const inTime = <M>(coming: Promise<M>) => Promise.race([coming, pause(LIMIT_MS).then(() => Promise.reject(new LateError()))]);

/** Waits for a chunk as long as the server answers the probe. Throws the probe's error, else the error of a second `load`. */
async function loaded<M>(load: Any<M>): Promise<M> {
  let coming = load();
  for (let failed = false; ; ) {
    try {
      return await inTime(coming);
    } catch (error) {
      const unreachable = await silence();
      if (unreachable) throw unreachable;
      if (error instanceof LateError) continue;
      if (failed) throw error;
      failed = true;
      await pause(SECOND_TRY_MS);
      coming = load();
    }
  }
}

/** A lazy screen. The router reloads the page for a newer version; CrashPage reports an unreachable server. */
export const lazyScreen = (load: Load<object>) => lazyRouteComponent(() => loaded(load));

/**
 * A lazy part of a screen. Retries until the network is back, because a failure would take down the whole screen. Drawn at once after
 * `preload`, since React shows what suspends even for a moment only 300 ms later.
 */
export const lazyPart = <P>(load: Load<P>) => lazyRouteComponent(() => loadPatiently(load)) as FunctionComponent<P> & Preloads;
type Preloads = { preload?: () => Promise<void> };

/** Loads what a person may open while nobody waits, so that the first press only draws. `load` must be the same in each render. */
export function useLoadedWhenIdle(load: (() => Promise<unknown>) | undefined): void {
  useEffect(() => {
    const start = () => void load?.().catch(() => undefined);
    if (!globalThis.requestIdleCallback) return start();
    const idle = requestIdleCallback(start);
    return () => cancelIdleCallback(idle);
  }, [load]);
}

/** Loads a module. Retries until the network is back; throws if the module is gone (newer version). */
export async function loadPatiently<M>(load: Any<M>): Promise<M> {
  for (;;) {
    try {
      return await loaded(load);
    } catch (error) {
      if (!(await silence())) throw error;
      await pause(AGAIN_MS);
    }
  }
}
