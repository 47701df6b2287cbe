import type { Page } from '@playwright/test';
import { getHistorial } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { connectAs } from './api.ts';
import { expect, keptVersions, programOf, row, SUPERADMIN, test } from './fixtures.ts';
import { NEXT } from './next-version.ts';
import { asignados, details, dialog, inHand, step } from './transportista.ts';

/* A carrier without coverage, with the built program and its service worker. */

/** Waits until the program and the responses are cached on the phone. */
async function expectKept(page: Page, versions = 1): Promise<void> {
  await expect.poll(() => keptVersions(page)).toBe(versions);
  await expect
    .poll(() => page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name === 'enruta-respuestas')))
    .toBe(true);
}

test('@phone two deliveries without coverage arrive once each with their own time, despite a killed tab and lost responses', async ({
  openAs,
  api,
  baseURL,
  allowErrors,
}) => {
  allowErrors(/Failed to (?:fetch|load resource)/, /ERR_(?:INTERNET_DISCONNECTED|FAILED)/, /net::/);
  const nuria = await api.user('transportista');
  const url = baseURL ?? '';
  const client = await connectAs(url, nuria);
  const orders = [await inHand(api, client, {}, 'en_ruta'), await inHand(api, client, {}, 'en_ruta')];
  const page = await openAs(nuria);
  const context = page.context();
  await page.goto('/pedidos-asignados');
  for (const { numero_orden } of orders) await expect(row(asignados(page), numero_orden)).toBeVisible();
  await expectKept(page);
  await page.reload();
  for (const { numero_orden } of orders) await expect(row(asignados(page), numero_orden)).toBeVisible();
  await page.waitForLoadState('networkidle').catch(() => undefined);

  await context.setOffline(true);
  const before = Date.now();
  for (const { numero_orden } of orders) {
    const mine = row(asignados(page), numero_orden);
    await step(page, mine, 'Completar');
    await dialog(page, 'Completar Entrega').getByRole('button', { name: 'Completar entrega' }).click();
    await expect(mine).toContainText('Pendiente de enviar');
  }
  const after = Date.now();
  await page.close();

  const again = await context.newPage();
  await again.goto('/pedidos-asignados');
  for (const { numero_orden } of orders) await expect(row(asignados(again), numero_orden)).toContainText('Pendiente de enviar');

  // Lets the requests reach the server, but drops the responses.
  let lost = 0;
  await again.route('**/api/pedidos/*/estado', async (route) => {
    await route.fetch();
    lost++;
    await route.abort();
  });
  await context.setOffline(false);
  await expect.poll(() => lost).toBeGreaterThan(0);
  await again.unroute('**/api/pedidos/*/estado');
  for (const { numero_orden } of orders) await expect(row(asignados(again), numero_orden)).toHaveCount(0);

  const admin = await connectAs(url, SUPERADMIN);
  for (const { id } of orders) {
    const { data } = (await admin.call(getHistorial, { params: { id } })).body;
    const completed = data.filter(({ estado_nuevo }) => estado_nuevo === 'completado');
    expect(completed).toHaveLength(1);
    const [{ created_at = '', ocurrido_at = null } = {}] = completed;
    const happened = Date.parse(ocurrido_at ?? created_at);
    // The server replaces a time less than a minute old by its own clock.
    expect(happened).toBeGreaterThanOrEqual(before - 1000);
    expect(happened).toBeLessThanOrEqual(after + 60_000);
  }
});

test('@phone «Avisar al cliente» opens without coverage with the shop’s current text', async ({ openAs, api, allowErrors }) => {
  allowErrors(/Failed to (?:fetch|load resource)/, /ERR_(?:INTERNET_DISCONNECTED|FAILED)/, /net::/);
  await api.admin.call(updateSettings, { body: { aviso_en_ruta: 'Ya voy con {pedido}, {cliente}' } });
  const nuria = await api.user('transportista');
  const fields = { cliente_nombre: 'Nuria Vidal', cliente_telefono: '611 222 333' };
  const { numero_orden } = await inHand(api, await api.as(nuria), fields, 'en_ruta');
  const page = await openAs(nuria);
  const context = page.context();
  await page.goto('/pedidos-asignados');
  await expect(row(asignados(page), numero_orden)).toBeVisible();
  await expectKept(page);
  await page.reload();
  await expect(row(asignados(page), numero_orden)).toBeVisible();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await context.setOffline(true);
  await page.close();

  const again = await context.newPage();
  await again.goto('/pedidos-asignados');
  await details(again, row(asignados(again), numero_orden));
  await again.getByRole('button', { name: 'Avisar al cliente' }).click();
  const text = encodeURIComponent(`Ya voy con ${numero_orden}, Nuria Vidal`);
  await expect(again.getByRole('menuitem', { name: 'WhatsApp' })).toHaveAttribute('href', `https://wa.me/34611222333?text=${text}`);
  await expect(again.getByRole('menuitem', { name: 'SMS' })).toHaveAttribute('href', `sms:+34611222333?&body=${text}`);
  await expect(again.getByRole('link', { name: 'Llamar', exact: true })).toHaveAttribute('href', 'tel:611222333');
  // «Mi cuenta» must open offline too, because carriers look for unsent work there.
  await again.goto('/mi-cuenta');
  await expect(again.getByText('Todo lo que has hecho en este teléfono está enviado.')).toBeVisible();
  await context.setOffline(false);
});

test('@phone the program opens without coverage in its newest cached version', async ({ openAs, api, server, allowErrors }) => {
  allowErrors(/Failed to (?:fetch|load resource)/, /ERR_\w+/, /net::/);
  const page = await openAs(await api.user('transportista'));
  const context = page.context();
  await page.goto('/favicon.svg');
  await page.evaluate(async () => {
    const left = await caches.open('pendiente-antes');
    await left.put('/shell.html', new Response('A killed worker left this.'));
  });
  await page.goto('/pedidos-asignados');
  await expectKept(page);
  expect(await page.evaluate(() => caches.has('pendiente-antes'))).toBe(false);
  await server.update();
  // On a slow machine the cached version opens once more.
  await expect
    .poll(async () => {
      await page.goto('/pedidos-asignados');
      return programOf(page);
    })
    .toContain(NEXT);
  await expectKept(page, 2);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await context.setOffline(true);
  await page.close();

  const again = await context.newPage();
  await again.goto('/pedidos-asignados');
  await expect(again.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await programOf(again)).toContain(NEXT);
  await context.setOffline(false);
});
