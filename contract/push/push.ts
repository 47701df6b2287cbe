import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type PushDevice = z.infer<typeof schemas.pushDevice>;

export const getPush = endpoint<typeof schemas.getPush>()('GET', '/api/push', 'session');

/** Takes `PushSubscription.toJSON()` without `expirationTime`; RFC 8291 defines the keys, a P-256 point and 16 random bytes. */
export const subscribePush = endpoint<typeof schemas.subscribePush>()('POST', '/api/push', 'session');

export const unsubscribePush = endpoint<typeof schemas.unsubscribePush>()('DELETE', '/api/push', 'session');
