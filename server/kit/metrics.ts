import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Gauge, Registry } from 'prom-client';

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined unless `METRICS_PORT` is set. */
    metrics: Metrics | undefined;
  }
}

export type Metrics = {
  registry: Registry;
  /** Adds a gauge. `read` is called on each scrape, and returns a number or values by `label`; by several labels, both lists have spaces. */
  addGauge: (name: string, help: string, read: () => Figure | Promise<Figure>, label?: string) => void;
};
type Figure = number | Record<string, number>;

export async function installMetrics(app: FastifyInstance): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'enruta_request_seconds',
    help: 'Time to answer a request, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    seconds.observe({ method, route: routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  const addGauge: Metrics['addGauge'] = (name, help, read, label = 'kind') => {
    const labels = label.split(' ');
    const labelled = (kind: string) => Object.fromEntries(labels.map((each, i) => [each, labels.length > 1 ? kind.split(' ')[i] : kind]));
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      collect: async () => {
        gauge.reset();
        // Leaves out gauges that cannot be read, so that the other gauges work without a database.
        const value = await (async () => read())().catch((): Figure => ({}));
        if (typeof value === 'number') gauge.set(value);
        else for (const [kind, count] of Object.entries(value)) gauge.set(labelled(kind), count);
      },
    });
  };
  return { registry, addGauge };
}

/** Serves `/metrics` on a separate port, so that no proxy publishes the metrics. `onError` receives errors of reading. Returns a stop function. */
export async function serveMetrics(
  { registry }: Metrics,
  { port, host }: { port: number; host: string },
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error) => {
        onError(error);
        response.writeHead(503).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return () => new Promise((resolve) => server.close(() => resolve()));
}
