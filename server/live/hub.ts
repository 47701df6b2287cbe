import type { Topic } from '../../contract/live.ts';
import type { Role } from '../../contract/policy.ts';
import type { Change } from './emit.ts';

export type Stream = { user: { id: string; role: Role }; send: (event: 'change' | 'resync', data: string) => void; close: () => void };

/** The open streams of this instance, and who hears of what. */
export function createHub() {
  const streams = new Set<Stream>();
  return {
    add: (stream: Stream) => {
      streams.add(stream);
      return () => void streams.delete(stream);
    },
    /** How many streams a person has open here. */
    countOf: (userId: string) => [...streams].filter((s) => s.user.id === userId).length,
    publish: ({ topic, roles = [], users = [] }: Change) => {
      for (const stream of streams)
        if (roles.includes(stream.user.role) || users.includes(stream.user.id)) stream.send('change', topic satisfies Topic);
    },
    /** After a lost connection nobody knows what was missed: everybody asks again. */
    resync: () => {
      for (const stream of streams) stream.send('resync', '');
    },
    closeAll: () => {
      for (const stream of streams) stream.close();
    },
  };
}
