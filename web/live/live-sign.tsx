import '@mantine/core/styles/Alert.css';
import { Alert, Text, VisuallyHidden } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { notifyManager } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { addressOf } from '../../contract/kit/address.ts';
import { live, type Progress, TOPICS, type Topic, topicConcerns } from '../../contract/live/live.ts';
import { getCsrfToken, getUser } from '../../contract/session/session.ts';
import { call, queryClient } from '../api.ts';
import { useLostSince } from '../connection.ts';
import { isResting } from '../ended.ts';
import { durationText, hora } from '../ui/format/format.ts';
import { Tip } from '../ui/page/tip.tsx';
import { storeProgress } from './progress.ts';

const TEXT = 'Sin conexión en directo: los datos se actualizan cada poco';

const cache = queryClient.getQueryCache();
const subscribe = (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener));
/** Minutes since the oldest response on the screen that this device had cached before the page opened; undefined without one. */
function cachedMinutes(): number | undefined {
  const cached = cache.findAll({ type: 'active' }).map(({ state: { data, dataUpdatedAt } }) => (data ? dataUpdatedAt : Date.now()));
  const oldest = Math.min(...cached, Date.now());
  return (oldest < performance.timeOrigin && Math.round((Date.now() - oldest) / 60_000)) || undefined;
}

/** Keeps screens up to date. Shows the age of cached data until the server's replaces it, and warns while the live stream is lost. */
export function LiveSign() {
  const lost = useLive();
  const minutes = useSyncExternalStore(subscribe, cachedMinutes);
  return (
    <span role="status">
      {minutes !== undefined && (
        <Text component="span" variant="detail" style={{ whiteSpace: 'nowrap' }}>
          de hace {durationText(minutes / 60)}
        </Text>
      )}
      {lost && (
        <Tip label={TEXT}>
          <span style={{ display: 'inline-flex', padding: 6, color: 'var(--mantine-color-orange-text)' }}>
            <IconPlugConnectedX size={18} stroke={1.7} aria-hidden />
            <VisuallyHidden>{TEXT}</VisuallyHidden>
          </span>
        </Tip>
      )}
    </span>
  );
}

/** Milliseconds to collect changes before a refetch, so that quick changes share one refetch. */
const GATHER_MS = 150;
/** Polling interval in ms while the stream is lost. */
const POLL_MS = 20_000;

/** Refetches stale data; returns true while the live stream is lost. */
function useLive(): boolean {
  const [lost, setLost] = useState(false);

  useEffect(() => {
    const waiting = new Set<Topic>();
    let timer: number | undefined;
    const flush = () => {
      timer = undefined;
      const topics = [...waiting];
      waiting.clear();
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [path] }) => topics.some((topic) => topicConcerns(topic, String(path))),
      });
    };
    const stop = listenLive((message) => {
      if (message.kind === 'state') setLost(!message.connected);
      else if (message.kind === 'resync') refreshAll();
      else if (message.kind === 'progress') storeProgress(message.progress);
      else {
        waiting.add(message.topic);
        timer ??= window.setTimeout(flush, GATHER_MS);
      }
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);

  useEffect(() => {
    if (!lost) return;
    const poll = setInterval(refreshAll, POLL_MS);
    return () => clearInterval(poll);
  }, [lost]);

  return lost;
}

function refreshAll() {
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== getUser.path });
}

/** Silence in ms before the notice appears; shorter breaks are common. */
const PATIENCE_MS = 4_000;
/** Interval in ms of the probe while the server does not answer. */
const AGAIN_MS = 2_500;

/** Warns that the screen may be stale, and since when. */
export function Offline() {
  const since = useLostSince();
  const [shownAt, setTold] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setTold(since), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [since]);
  // Probes the server: the lists refetch only every half minute, so the notice would outlast the break.
  useEffect(() => {
    if (since === undefined) return;
    let asking = false;
    // Sends one probe at a time: hanging requests would use up the browser's connections to the server.
    async function ask() {
      if (document.hidden || asking) return;
      asking = true;
      await call(getCsrfToken).catch(() => undefined);
      asking = false;
    }
    const timer = setInterval(ask, AGAIN_MS);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <div role="status">
      {since !== undefined && shownAt === since && (
        <Alert color="orange" mb="md" py="xs" icon={<IconPlugConnectedX size={18} stroke={1.7} aria-hidden />}>
          Sin conexión desde las {hora(since)}: puede haber cambios
        </Alert>
      )}
    </div>
  );
}

export type LiveMessage =
  | { kind: 'change'; topic: Topic }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'resync' }
  | { kind: 'state'; connected: boolean };

/** Message of a new tab, with the age of its page in milliseconds: changes during its loading are repeated. */
type Joined = { kind: 'joined'; hace: number };

const NAME = 'enruta-live';

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
