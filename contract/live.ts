import { endpoint } from './kit.ts';

/** What may change under somebody's eyes; the browser asks again for what it shows of the topic. */
export const TOPICS = ['pedidos', 'products', 'users', 'audit', 'notifications', 'settings', 'exports', 'backups'] as const;
export type Topic = (typeof TOPICS)[number];

/**
 * One server-sent stream a browser. Events: `change` with a topic as data, `resync` when changes may have
 * been missed. They carry no data of the business: the wake-up is the message.
 */
export const live = endpoint({
  method: 'GET',
  path: '/api/live',
  action: 'session',
  summary: 'Server-sent events: which topics changed for the caller',
  response: { file: 'text/event-stream' },
});
