import { TOPICS, type Topic } from '../../contract/live/live.ts';

/** Whether a change of `topic` makes data from `path` stale. */
export const concerns = (topic: Topic, path: string): boolean =>
  TOPICS[topic].some((begins) => path === begins || path.startsWith(`${begins}/`));
