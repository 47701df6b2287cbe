import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../test/free-port.ts';
import { createWorld, type World } from '../../test/world.ts';
import { readConfig } from '../config.ts';
import { startJobs } from '../jobs/runner.ts';
import { serveMetrics } from './metrics.ts';

let world: World;
const port = await freePort();
beforeAll(async () => {
  world = await createWorld({ METRICS_PORT: String(port), BACKUP_DIR: mkdtempSync(join(tmpdir(), 'enruta-copias-')) });
  return world.close;
});

test('the metrics have requests by route and pending work, on a separate port only', async () => {
  const stopJobs = await startJobs(world.open, [], world.process.log);
  if (!world.app.metrics) throw new Error('METRICS_PORT is set');
  const stop = await serveMetrics(world.app.metrics, { port: port, host: '127.0.0.1' }, console.error);
  try {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    await world.db
      .insertInto('outbox')
      .values({ channel: 'correo', recipient: 'a@b.es', payload: '{}', created_at: ago(10) })
      .execute();
    await world.db.insertInto('job_failures').values({ name: 'copias', reason: 'EACCES' }).execute();
    await world.db
      .insertInto('backups')
      .values({ nombre: 'x', origen: 'manual', estado: 'verificada', created_at: ago(60) })
      .execute();
    await world.nobody().request('GET', '/api/pedidos?search=Rigoberta');
    await world.db.insertInto('cuadres').values({ ended_at: new Date().toISOString(), num_diferencias: 3 }).execute();
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('enruta_request_seconds_count{method="GET",route="/api/pedidos",status="401"} 1');
    for (const name of ['enruta_streams', 'enruta_outbox', 'enruta_jobs', 'enruta_connections', 'process_resident_memory_bytes'])
      expect(text).toContain(`# TYPE ${name} gauge`);
    expect(text).toMatch(/enruta_cuadre\{kind="differences"\} 3\nenruta_cuadre\{kind="age_seconds"\} \d/);
    expect(text).toMatch(/^enruta_info\{version="\d+\.\d+\.\d+(-dev)?\+[0-9a-f]{8}"\} 1$/m);
    expect(text).toMatch(/^enruta_disk_free_bytes\{kind="backups"\} \d{6,}/m);
    expect(text).toContain('enruta_jobs_failing{job="copias"} 1');
    expect(text).toMatch(/^enruta_outbox_oldest_seconds\{kind="correo"\} 60\d$/m);
    expect(text).toMatch(/^enruta_backup_age_seconds\{kind="verified"\} 3\d{3}$/m);
    expect(text).not.toContain('Rigoberta');
    expect((await world.nobody().request('GET', '/metrics')).text).not.toContain('enruta_');
  } finally {
    await stop();
    await stopJobs();
  }
});

test('the metrics have the last order and answer of each web shop, and the oldest that waits for the office', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const shop = { conector: 'woo', secreto: null, created_at: ago(6000) };
  const [quiet = { id: '' }, silent = { id: '' }] = await world.db
    .insertInto('tiendas')
    .values([
      { ...shop, nombre: 'Aceites' },
      { ...shop, nombre: 'Quesos', sondeo_at: ago(90), sondeo_error: 'ha respondido 404' },
      { ...shop, nombre: 'Ajena', estado: 'ignorada', sondeo_error: 'ha respondido 404' },
    ])
    .returning('id')
    .execute();
  const order = { situacion: 'pagado' as const, modificado_at: ago(0) };
  await world.db
    .insertInto('tienda_pedidos')
    .values([
      { ...order, tienda_id: silent.id, externo_id: '7', numero: '7', estado: 'por_revisar', recibido_at: ago(1500) },
      { ...order, tienda_id: silent.id, externo_id: '8', numero: '8', estado: 'creado', recibido_at: ago(30) },
    ])
    .execute();
  await world.db
    .insertInto('tienda_mensajes')
    .values({ tienda_id: quiet.id, tema: 'x', resultado: 'ilegible', recibido_at: ago(3) })
    .execute();
  await world.db
    .insertInto('payment_events')
    .values({ proveedor: 'stripe', evento_id: 'e', resultado: 'importe', received_at: ago(60) })
    .execute();
  const text = (await world.app.metrics?.registry.metrics()) ?? '';
  expect(text).toMatch(/^enruta_shop_last_order_seconds\{shop="Aceites"\} 36\d{4}$/m);
  expect(text).toMatch(/^enruta_shop_last_order_seconds\{shop="Quesos"\} 18\d\d$/m);
  expect(text).toMatch(/^enruta_waiting_seconds\{kind="tienda_sin_respuesta"\} 54\d\d$/m);
  expect(text).not.toContain('Ajena');
  expect(text).toMatch(/^enruta_waiting_seconds\{kind="tienda"\} 900\d\d$/m);
  expect(text).toMatch(/^enruta_waiting_seconds\{kind="tienda_ilegible"\} 18\d$/m);
  expect(text).toMatch(/^enruta_waiting_seconds\{kind="pago"\} 36\d\d$/m);
});

test('the metrics are served only at METRICS_HOST', async () => {
  if (!world.app.metrics) throw new Error('METRICS_PORT is set');
  // 127.0.0.2 stands for the address of a container's network.
  const { metricsHost: host, metricsPort } = readConfig({
    METRICS_HOST: '127.0.0.2',
    METRICS_PORT: String(port),
    SECRET_KEY: 'x'.repeat(32),
  });
  const stop = await serveMetrics(world.app.metrics, { port: metricsPort ?? 0, host }, console.error);
  try {
    expect((await fetch(`http://127.0.0.2:${port}/metrics`)).status).toBe(200);
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  } finally {
    await stop();
  }
});
