import { live, type Progress, TOPICS, type Topic } from '../../contract/live/live.ts';

export type Message =
  | { kind: 'change'; topic: Topic }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'resync' }
  | { kind: 'state'; connected: boolean };

const NAME = 'enruta-live';
/** Milliseconds before a break is reported; reconnecting usually takes less. */
const PATIENCE_MS = 4_000;

/**
 * Listens to the live stream, one per browser: the tab that holds a lock broadcasts to the others, and another tab takes over when that tab
 * closes. Without the Locks API (plain http) every tab opens its own stream. Returns a function that stops listening.
 */
export function listenLive(onMessage: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  const stop = new AbortController();
  channel.onmessage = (event: MessageEvent<Message>) => onMessage(event.data);
  const tell = (message: Message) => {
    // A late event must not post to the closed channel.
    if (stop.signal.aborted) return;
    channel.postMessage(message);
    onMessage(message);
  };
  if ('locks' in navigator) {
    navigator.locks
      .request(NAME, { signal: stop.signal }, () => stream(tell, stop.signal))
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
function stream(tell: (message: Message) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource;
    let lost: number | undefined;
    let again: number | undefined;
    let opened = false;
    const open = () => {
      source = new EventSource(live.path);
      source.onopen = () => {
        clearTimeout(lost);
        lost = undefined;
        tell({ kind: 'state', connected: true });
        // Changes during the break were missed, so everything must be refetched.
        if (opened) tell({ kind: 'resync' });
        opened = true;
      };
      source.onerror = () => {
        lost ??= window.setTimeout(() => tell({ kind: 'state', connected: false }), PATIENCE_MS);
        // The browser does not reconnect after an HTTP error (a 503 during a restart).
        if (source.readyState === EventSource.CLOSED) again = window.setTimeout(open, PATIENCE_MS);
      };
      source.addEventListener('change', ({ data }) => {
        if (Object.hasOwn(TOPICS, data)) tell({ kind: 'change', topic: data });
      });
      source.addEventListener('progress', ({ data }) => tell({ kind: 'progress', progress: JSON.parse(data) as Progress }));
      source.addEventListener('resync', () => tell({ kind: 'resync' }));
    };
    open();
    signal.addEventListener('abort', () => {
      clearTimeout(lost);
      clearTimeout(again);
      source.close();
      resolve();
    });
  });
}
