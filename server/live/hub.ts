import type { Recent, Topic } from '../../contract/live/live.ts';
import type { Role } from '../../contract/policy/policy.ts';
import type { Change, Told } from './emit.ts';

export type Stream = {
  user: { id: string; role: Role };
  send: (event: 'change' | 'progress' | 'recent' | 'resync', data: string) => void;
  close: () => void;
};

/** Milliseconds that a change is repeated to new streams: longer than a page takes to load on a slow phone. */
const REPEAT_MS = 60_000;

/** Creates the set of open streams of this instance, which routes changes to their audience. */
export function createHub() {
  const streams = new Set<Stream>();
  // Without a change, anything may have changed. Before this instance started, anything may have.
  let recent: { at: number; change?: Change }[] = [{ at: Date.now() }];
  const remember = (change?: Change) => {
    const at = Date.now();
    recent = [...recent.filter((one) => at - one.at < REPEAT_MS), change ? { at, change } : { at }];
  };
  return {
    /** Adds a stream and tells it the latest changes, because its screen may have read its data before they happened. */
    add: (stream: Stream) => {
      streams.add(stream);
      const last = new Map<Topic | undefined, number>();
      for (const { at, change } of recent) if (!change || isFor(stream, change)) last.set(change?.topic, Date.now() - at);
      for (const [topic, hace] of last)
        if (hace < REPEAT_MS) stream.send('recent', JSON.stringify({ ...(topic && { topic }), hace } satisfies Recent));
      return () => void streams.delete(stream);
    },
    count: () => streams.size,
    countOf: (userId: string) => [...streams].filter((s) => s.user.id === userId).length,
    publish: (message: Change | Told) => {
      if ('clave' in message) {
        const { user, ...progress } = message;
        for (const stream of streams) if (stream.user.id === user) stream.send('progress', JSON.stringify(progress));
        return;
      }
      remember(message);
      for (const stream of streams) if (isFor(stream, message)) stream.send('change', message.topic);
    },
    /** Makes every browser refetch: after a lost database connection the missed changes are unknown. */
    resync: () => {
      remember();
      for (const stream of streams) stream.send('resync', '');
    },
    closeAll: () => {
      for (const stream of streams) stream.close();
    },
  };
}

const isFor = ({ user }: Stream, { roles = [], users = [] }: Change) => roles.includes(user.role) || users.includes(user.id);
