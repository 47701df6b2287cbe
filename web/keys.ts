import { addressOf } from '../contract/kit/address.ts';
import { type EndpointDef, honoursKey, IDEMPOTENCY_KEY } from '../contract/kit/endpoint.ts';

/** How long an unanswered write keeps its key, so that the same write again counts as a retry. */
const KEPT_MS = 10 * 60_000;

type Input = { params?: object; query?: object; body?: unknown; headers?: Record<string, string> };
const unanswered = new Map<string, { key: string; since: number }>();
const HEADER = IDEMPOTENCY_KEY.toLowerCase();

/**
 * Sends a write with an idempotency key, so that it takes effect once. After a lost answer (`isLost`) the same write reuses the key,
 * because the person may send it again.
 */
export async function keyed<T>(
  endpoint: EndpointDef,
  input: Input,
  send: (headers: Record<string, string>) => Promise<T>,
  isLost: (error: unknown) => boolean,
): Promise<T> {
  const { headers = {} } = input;
  if (!honoursKey(endpoint) || headers[HEADER]) return send(headers);
  const same = JSON.stringify([endpoint.method, addressOf(endpoint.path, input), input.body]);
  const known = unanswered.get(same);
  const key = known && Date.now() - known.since < KEPT_MS ? known.key : crypto.randomUUID();
  unanswered.delete(same);
  try {
    return await send({ ...headers, [HEADER]: key });
  } catch (error) {
    if (isLost(error)) unanswered.set(same, { key, since: Date.now() });
    throw error;
  }
}
