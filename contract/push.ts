import { z } from 'zod';
import { done, endpoint, instant, text } from './kit.ts';

/** Maximum subscribed browsers per person; beyond it the oldest is dropped. */
export const MAX_SUBSCRIPTIONS = 10;

// A public host name: no IP address (IPv4 in any spelling, IPv6), no port, no name from the local network.
const PUBLIC_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const OWN_NETWORK = /\.(?:local|localhost|localdomain|internal|intranet|lan|home|corp|test|invalid|home\.arpa)$/;

/** True for a plausible push service URL: https on the default port of a public host name. */
export function isPushService(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, port, username, password } = new URL(address);
  return protocol === 'https:' && port === '' && !username && !password && PUBLIC_NAME.test(hostname) && !OWN_NETWORK.test(hostname);
}

const address = text(1000).refine(isPushService, 'No es la dirección de un servicio de avisos');
/** Base64url of exactly `bytes` bytes. */
const key = (bytes: number) =>
  z
    .string('Clave no válida')
    .regex(/^[A-Za-z0-9_-]+={0,2}$/, 'Clave no válida')
    .refine((value) => value.replace(/=+$/, '').length === Math.ceil((bytes * 4) / 3), 'Clave no válida');

/** A browser that is told; `endpoint` names it. */
export const pushDevice = z.object({ endpoint: z.string(), user_agent: z.string().nullable(), created_at: instant });
export type PushDevice = z.infer<typeof pushDevice>;

export const getPush = endpoint('GET', '/api/push', {
  action: 'session',
  summary: 'Whether browsers are told, the key they subscribe with, and the caller’s own browsers, the newest first',
  response: { 200: z.object({ data: z.object({ enabled: z.boolean(), public_key: z.string(), devices: z.array(pushDevice) }) }) },
});

/** `PushSubscription.toJSON()` without its expiration (RFC 8291: a P-256 point and 16 random bytes). */
export const subscribePush = endpoint('POST', '/api/push', {
  action: 'session',
  summary: 'Tell the caller in this browser too; it is taken over from whoever used it before',
  body: z.strictObject({ endpoint: address, keys: z.strictObject({ p256dh: key(65), auth: key(16) }) }),
  response: { 200: done },
});

export const unsubscribePush = endpoint('DELETE', '/api/push', {
  action: 'session',
  summary: 'Tell the caller no longer in this browser; somebody else’s subscription is left as it is',
  body: z.strictObject({ endpoint: text(1000) }),
  response: { 200: done },
});
