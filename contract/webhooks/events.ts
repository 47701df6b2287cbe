import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './events.schemas.ts';

/* Stored events, for programs that missed a webhook (decision 048). */

/** Number of days for which events are stored. */
export const EVENT_DAYS = 14;

export const listEvents = endpoint<typeof schemas.listEvents>()('GET', '/api/events', 'evento:read');
