import { live, TOPICS, type Topic } from '../../contract/live.ts';

export type Message = { kind: 'change'; topic: Topic } | { kind: 'resync' } | { kind: 'state'; connected: boolean };

const NAME = 'enruta-live';
/** A stream that breaks is opened again at once; only a longer silence is worth a sign. */
const PATIENCE_MS = 4_000;

/**
 * One stream a browser: the tab that holds the lock has it and passes on what it hears, and when that tab
 * closes the next one takes over. Where locks are not to be had (plain http in a network) each tab has its own.
 * Returns how to stop.
 */
export function listenLive(onMessage: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  const stop = new AbortController();
  channel.onmessage = (event: MessageEvent<Message>) => onMessage(event.data);
  const tell = (message: Message) => {
    // A page that is being left may still hear; its channel is closed by then.
    if (stop.signal.aborted) return;
    channel.postMessage(message);
    onMessage(message);
  };
  if ('locks' in navigator) {
    navigator.locks
      .request(NAME, { signal: stop.signal }, () => stream(tell, stop.signal))
      .catch(() => {
        // Stopped while waiting for the lock: nothing was open.
      });
  } else {
    void stream(onMessage, stop.signal);
  }
  return () => {
    stop.abort();
    channel.close();
  };
}

// Holds the stream until told to stop.
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
        // What happened while there was no stream was not heard.
        if (opened) tell({ kind: 'resync' });
        opened = true;
      };
      source.onerror = () => {
        lost ??= window.setTimeout(() => tell({ kind: 'state', connected: false }), PATIENCE_MS);
        // After a refusal (a 503, a restart) the browser gives up: asking again is ours.
        if (source.readyState === EventSource.CLOSED) again = window.setTimeout(open, PATIENCE_MS);
      };
      source.addEventListener('change', ({ data }) => {
        if (Object.hasOwn(TOPICS, data)) tell({ kind: 'change', topic: data });
      });
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
