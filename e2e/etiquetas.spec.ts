import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPedido } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { connectAs } from './api.ts';
import { CHROMIUM_ARGS, findChromium } from './chromium.ts';
import { expect, test } from './fixtures.ts';
import { filmLabel } from './label-camera.ts';
import { dialog, inHand } from './transportista.ts';

/* A printed label, whose QR code a carrier's phone reads with a fake camera. */

const FILM = join(tmpdir(), `enruta-label-${process.env.TEST_WORKER_INDEX ?? 0}.y4m`);
test.use({
  viewport: { width: 390, height: 844 },
  launchOptions: {
    executablePath: findChromium(),
    args: [
      ...CHROMIUM_ARGS,
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${FILM}`,
    ],
  },
});
test.afterAll(() => rmSync(FILM, { force: true }));

test('a scanned label marks its order as loaded, and later completes the delivery in three taps', async ({ openAs, api, server }) => {
  const { admin } = api;
  expect((await admin.call(updateSettings, { body: { labelsAndLoading: true } })).status).toBe(200);
  const carrier = await api.user('transportista');
  const client = await connectAs(server.url, carrier);
  const pedido = await inHand(api, client, { cliente_nombre: 'Nuria Vidal' });
  const other = await inHand(api, client, { cliente_nombre: 'Blas Gil' });
  const stateOf = async () =>
    (await admin.call(getPedido, { params: { id: pedido.id } })).body.data as { estado: string; cargado_at: string | null };

  const page = await openAs(carrier);
  const label = await page.request.get(`${server.url}/api/pedidos/etiquetas?ids=${pedido.id}`);
  expect([label.status(), label.headers()['content-type']]).toEqual([200, 'application/pdf']);
  filmLabel(await label.body(), FILM);

  await page.goto('/pedidos-asignados');
  await page.getByRole('button', { name: 'Escanear' }).click();
  const scan = dialog(page, 'Escanear');
  await expect(scan.getByText(`${pedido.numero_orden} cargado`)).toBeVisible();
  await expect(scan.getByRole('region', { name: 'Cargados' })).toContainText(pedido.numero_orden);
  await expect(scan.getByRole('region', { name: 'Faltan' })).toContainText(other.numero_orden);
  await expect.poll(async () => (await stateOf()).cargado_at).not.toBeNull();
  await scan.getByRole('button', { name: /^Salir a reparto con el cargado/ }).click();
  await page.getByRole('button', { name: 'Salir con los cargados' }).click();
  await expect.poll(async () => (await stateOf()).estado).toBe('en_ruta');

  // Stores the delivery method used last, which the dialog preselects.
  await page.evaluate(() => localStorage.setItem('enruta-metodo-entrega', 'manual'));
  await page.reload();
  await page.getByRole('button', { name: 'Escanear' }).click();
  await scan.getByRole('button', { name: `Completar ${pedido.numero_orden}` }).click();
  await dialog(page, 'Completar Entrega').getByRole('button', { name: 'Completar entrega' }).click();
  await expect.poll(async () => (await stateOf()).estado).toBe('completado');
});
