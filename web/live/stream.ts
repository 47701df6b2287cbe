import { addressOf } from '../../contract/kit/address.ts';
import { live, type Progress, TOPICS, type Topic } from '../../contract/live/live.ts';
import { isResting } from '../ended.ts';

export type LiveMessage =
  | { kind: 'change'; topic: Topic }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'resync' }
  | { kind: 'state'; connected: boolean };

/** Message of a new tab, with the age of its page in milliseconds: changes during its loading are repeated. */
type Joined = { kind: 'joined'; hace: number };

const NAME = 'enruta-live';
/** Milliseconds before a break is reported; reconnecting usually takes less. */
const PATIENCE_MS = 4_000;

/**
 * Listens to the live stream, one per browser: the tab that holds a lock broadcasts to the others, and another tab takes over when that tab
 * closes. Without the Locks API (plain http) every tab opens its own stream. Returns a function that stops listening.
 */
export function listenLive(onMessage: (message: LiveMessage) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  const stop = new AbortController();
  // Filled only in the tab that holds the stream.
  const reported = new Map<string, number>();
  channel.onmessage = ({ data }: MessageEvent<LiveMessage | Joined>) => {
    if (data.kind !== 'joined') return onMessage(data);
    for (const [message, at] of reported) if (performance.now() - at < data.hace) channel.postMessage(JSON.parse(message));
  };
  const publish = (message: LiveMessage) => {
    // A late event must not post to the closed channel.
    if (stop.signal.aborted) return;
    if (message.kind === 'change' || message.kind === 'resync') reported.set(JSON.stringify(message), performance.now());
    channel.postMessage(message);
    onMessage(message);
  };
  channel.postMessage({ kind: 'joined', hace: performance.now() } satisfies Joined);
  if ('locks' in navigator) {
    navigator.locks
      .request(NAME, { signal: stop.signal }, () => stream(publish, stop.signal))
      .catch(() => {
        // Stopped while waiting for the lock, so there is nothing to close.
      });
  } else {
    void stream(onMessage, stop.signal);
  }
  return () => {
    stop.abort();
    channel.close();
  };
}

// Holds the stream open until `signal` aborts.
const stream = (publish: (message: LiveMessage) => void, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    let source: EventSource;
    let lost: number | undefined;
    let again: number | undefined;
    let missed = false;
    const open = () => {
      if (isResting()) {
        again = window.setTimeout(open, PATIENCE_MS);
        return;
      }
      source = new EventSource(addressOf(live.path, { query: { edad: Math.round(performance.now()) } }));
      source.onopen = () => {
        clearTimeout(lost);
        lost = undefined;
        publish({ kind: 'state', connected: true });
        // Changes during the break were missed, so everything must be refetched.
        if (missed) publish({ kind: 'resync' });
        missed = true;
      };
      source.onerror = () => {
        missed = true;
        lost ??= window.setTimeout(() => publish({ kind: 'state', connected: false }), PATIENCE_MS);
        // The browser does not reconnect after an HTTP error (a 503 during a restart).
        if (source.readyState === EventSource.CLOSED) again = window.setTimeout(open, PATIENCE_MS);
      };
      source.addEventListener('change', ({ data }) => {
        if (Object.hasOwn(TOPICS, data)) publish({ kind: 'change', topic: data });
      });
      source.addEventListener('progress', ({ data }) => publish({ kind: 'progress', progress: JSON.parse(data) as Progress }));
      source.addEventListener('resync', () => publish({ kind: 'resync' }));
    };
    open();
    signal.addEventListener('abort', () => {
      clearTimeout(lost);
      clearTimeout(again);
      source.close();
      resolve();
    });
  });
