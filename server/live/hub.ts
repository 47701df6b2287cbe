import type { Topic } from '../../contract/live/live.ts';
import type { Role } from '../../contract/policy/policy.ts';
import type { LiveChange, ProgressOf } from './emit.ts';

export type Stream = {
  user: { id: string; role: Role };
  send: (event: 'change' | 'progress' | 'resync', data: string) => void;
  close: () => void;
};

/** Milliseconds that a change is repeated to new streams: longer than a page takes to load on a slow phone. */
const REPEAT_MS = 60_000;

/** Creates the set of open streams of this instance, which routes changes to their audience. */
export function createHub() {
  const streams = new Set<Stream>();
  // Without a change, anything may have changed. Before this instance started, anything may have.
  let recent: { at: number; change?: LiveChange }[] = [{ at: Date.now() }];
  const remember = (change?: LiveChange) => {
    const at = Date.now();
    recent = [...recent.filter((event) => at - event.at < REPEAT_MS), change ? { at, change } : { at }];
  };
  return {
    /** Adds a stream, and repeats the changes since its page began, `age` milliseconds ago: the page may have read its data before them. */
    add: (stream: Stream, age: number) => {
      streams.add(stream);
      const missed = recent.filter(({ at, change }) => Date.now() - at < age && (!change || isFor(stream, change)));
      const isUnknown = age > REPEAT_MS || missed.some(({ change }) => !change);
      if (isUnknown) stream.send('resync', '');
      else for (const topic of new Set(missed.map(({ change }) => change?.topic as Topic))) stream.send('change', topic);
      return () => void streams.delete(stream);
    },
    count: () => streams.size,
    countOf: (userId: string) => [...streams].filter((s) => s.user.id === userId).length,
    publish: (message: LiveChange | ProgressOf) => {
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

const isFor = ({ user }: Stream, { roles = [], users = [] }: LiveChange) => roles.includes(user.role) || users.includes(user.id);
