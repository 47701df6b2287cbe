import { addressOf } from '../contract/kit/address.ts';
import { type EndpointDef, honoursKey, IDEMPOTENCY_KEY } from '../contract/kit/endpoint.ts';

/** A random UUID, version 4. `crypto.randomUUID` needs https, which a shop on its local network may not have. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Milliseconds that an unanswered write keeps its key, so that the same write again counts as a retry. */
const KEPT_MS = 10 * 60_000;

const unanswered = new Map<string, { key: string; since: number }>();
const HEADER = IDEMPOTENCY_KEY.toLowerCase();

/** Sends a write with an idempotency key. After a lost answer the same write reuses the key, because people send it again. */
export async function sendWithKey<T>(
  endpoint: EndpointDef,
  input: { params?: object; query?: object; body?: unknown; headers?: Record<string, string> },
  send: (headers: Record<string, string>) => Promise<T>,
  isLost: (error: unknown) => boolean,
): Promise<T> {
  const { headers = {} } = input;
  if (!honoursKey(endpoint) || headers[HEADER]) return send(headers);
  const same = JSON.stringify([endpoint.method, addressOf(endpoint.path, input), input.body]);
  const known = unanswered.get(same);
  const key = known && Date.now() - known.since < KEPT_MS ? known.key : newKey();
  unanswered.delete(same);
  try {
    return await send({ ...headers, [HEADER]: key });
  } catch (error) {
    if (isLost(error)) unanswered.set(same, { key, since: Date.now() });
    throw error;
  }
}
