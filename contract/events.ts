import type * as schemas from './events.schemas.ts';
import { endpoint } from './kit.ts';

/* What webhooks are told, to be read by programs that were away (decision 048). */

/** Days for which an event can be read. */
export const EVENT_DAYS = 14;

export const listEvents = endpoint<typeof schemas.listEvents>()('GET', '/api/events', { action: 'evento:read' });
