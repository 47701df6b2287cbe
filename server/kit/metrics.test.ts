import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../test/free-port.ts';
import { createWorld, type World } from '../../test/world.ts';
import { startJobs } from '../jobs/runner.ts';
import { serveMetrics } from './metrics.ts';

let world: World;
const port = await freePort();
beforeAll(async () => {
  world = await createWorld({ METRICS_PORT: String(port) });
  return world.close;
});

test('the metrics count requests by route, and say what waits, on a port of their own', async () => {
  const stopJobs = await startJobs(world.open, [], world.process.log);
  if (!world.app.metrics) throw new Error('METRICS_PORT is set');
  const stop = await serveMetrics(world.app.metrics, port, console.error);
  try {
    await world.nobody().request('GET', '/api/pedidos?search=Rigoberta');
    await world.db.insertInto('cuadres').values({ ended_at: new Date().toISOString(), num_diferencias: 3 }).execute();
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('enruta_request_seconds_count{method="GET",route="/api/pedidos",status="401"} 1');
    for (const name of ['enruta_streams', 'enruta_outbox', 'enruta_jobs', 'enruta_connections', 'process_resident_memory_bytes'])
      expect(text).toContain(`# TYPE ${name} gauge`);
    expect(text).toMatch(/enruta_cuadre\{kind="differences"\} 3\nenruta_cuadre\{kind="age_seconds"\} \d/);
    expect(text).not.toContain('Rigoberta');
    expect((await world.nobody().request('GET', '/metrics')).text).not.toContain('enruta_');
  } finally {
    await stop();
    await stopJobs();
  }
});
