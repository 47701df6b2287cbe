import { Agent, request } from 'node:http';

export type Figure = { perSecond: number; p50: number; p99: number; max: number; failed: number };

/** Requests `url()` repeatedly over `connections` connections for `ms`, and returns rate and latencies (ms). */
export async function drive(
  url: () => string,
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
        const status = await get(url(), agent, headers);
        if (status !== 200) failed += 1;
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

function get(url: string, agent: Agent, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}
