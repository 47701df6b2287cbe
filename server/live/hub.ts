import type { Topic } from '../../contract/live/live.ts';
import type { Role } from '../../contract/policy/policy.ts';
import type { Change, Told } from './emit.ts';

export type Stream = {
  user: { id: string; role: Role };
  send: (event: 'change' | 'progress' | 'resync', data: string) => void;
  close: () => void;
};

/** Creates the set of open streams of this instance, which routes changes to their audience. */
export function createHub() {
  const streams = new Set<Stream>();
  return {
    add: (stream: Stream) => {
      streams.add(stream);
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
      const { topic, roles = [], users = [] } = message;
      for (const stream of streams)
        if (roles.includes(stream.user.role) || users.includes(stream.user.id)) stream.send('change', topic satisfies Topic);
    },
    /** Makes every browser refetch: after a lost database connection the missed changes are unknown. */
    resync: () => {
      for (const stream of streams) stream.send('resync', '');
    },
    closeAll: () => {
      for (const stream of streams) stream.close();
    },
  };
}
