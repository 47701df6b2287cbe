import { TOPICS, type Topic } from '../../contract/live.ts';

/** True when a change of `topic` makes stale what was read from `path`. */
export const concerns = (topic: Topic, path: string): boolean =>
  TOPICS[topic].some((begins) => path === begins || path.startsWith(`${begins}/`));
