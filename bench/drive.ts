import { Agent, request } from 'node:http';

export type Figure = { perSecond: number; p50: number; p99: number; max: number; failed: number };

/** A request other than a GET; `body` is sent as JSON. */
export type Ask = { url: string; method: 'POST' | 'PUT'; body: unknown };

/**
 * Requests `url()` repeatedly over `connections` connections for `ms`, or until `url()` returns undefined. Returns rate
 * and latencies (ms).
 */
export async function drive(
  url: () => string | Ask | undefined,
  { connections = 10, ms = 4000, headers = {} }: { connections?: number; ms?: number; headers?: Record<string, string> },
): Promise<Figure> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + ms;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const since = performance.now();
        const next = url();
        if (!next) break;
        const status = await send(next, agent, headers);
        if (status !== 200 && status !== 201) failed += 1;
        times.push(performance.now() - since);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), max: at(1), failed };
}

function send(ask: string | Ask, agent: Agent, headers: Record<string, string>): Promise<number> {
  const { url, method, body } = typeof ask === 'string' ? { url: ask, method: 'GET', body: undefined } : ask;
  const json = body === undefined ? undefined : JSON.stringify(body);
  const typed =
    json === undefined ? headers : { ...headers, 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(json)}` };
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: typed, method }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(json);
  });
}
