import type { Page } from '@playwright/test';
import { live } from '../contract/live/live.ts';
import { setEstado } from '../contract/pedidos/pedidos.ts';
import { getPush } from '../contract/push/push.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { autoAsignar } from '../contract/transportista/transportista.ts';
import { expect, row, signIn, test } from './fixtures.ts';

/*
 * Changes by other people arrive over the real live stream, and as a push while Enruta is closed. Rendering is tested in
 * web/{live,notifications,push}.
 */

const bell = (page: Page) => page.getByRole('button', { name: /^Avisos/ });

test('a reseller’s bell and list update without a reload when a carrier takes an order', async ({ page, api }) => {
  const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
  const pedido = await api.pedido({}, await api.as(rita));
  const params = { id: pedido.id };
  await api.admin.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'TRF' } });
  await signIn(page, rita.email, rita.password);
  // Waits for the stream: a change before it opens would already be in the screen's first response.
  const heard = page.waitForResponse((response) => new URL(response.url()).pathname === live.path);
  const opened = Date.now();
  await page.goto('/mis-pedidos');
  await heard;
  await expect(bell(page)).toHaveAccessibleName('Avisos: 1 sin leer');
  // Two seconds (design, section 7), and what a machine takes that needs long for the screen itself.
  const soon = { timeout: 2000 + Date.now() - opened };
  expect((await (await api.as(tomas)).call(autoAsignar, { params, body: {} })).status).toBe(200);
  await expect(bell(page)).toHaveAccessibleName('Avisos: 2 sin leer', soon);
  await expect(row(page, pedido.numero_orden)).toContainText('Asignado', soon);
  await bell(page).click();
  const first = page.getByRole('dialog', { name: 'Avisos' }).getByRole('listitem').first();
  await expect(first).toContainText(`${tomas.full_name} lleva el pedido ${pedido.numero_orden}`);
});

test('a list shows what changed between its request and a late live stream', async ({ page, api }) => {
  const rita = await api.user('revendedor');
  const pedido = await api.pedido({}, await api.as(rita));
  await signIn(page, rita.email, rita.password);
  const held = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === live.path,
    async (route) => {
      await held.promise;
      await route.continue();
    },
  );
  await page.goto('/mis-pedidos');
  await expect(row(page, pedido.numero_orden)).toContainText('Pend. pago');
  const params = { id: pedido.id };
  expect((await api.admin.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'TRF' } })).status).toBe(200);
  held.resolve();
  await expect(row(page, pedido.numero_orden)).toContainText('Pendiente');
});

test('a subscribed browser is notified while Enruta is closed', async ({ page, api }) => {
  const rita = await api.user('revendedor');
  expect((await api.admin.call(updateSettings, { body: { pushNotifications: true } })).status).toBe(200);
  await signIn(page, rita.email, rita.password);
  // Fakes only the permission and the push service, which the test browser lacks.
  await page.addInitScript(PRETEND);
  await page.goto('/mi-cuenta');
  const wanted = page.getByRole('region', { name: 'Avisos' }).getByRole('switch', { name: 'Avisarme en este navegador' });
  await expect(wanted).toBeEnabled();
  await wanted.click({ force: true });
  await expect(page.getByText('Te avisaremos en este navegador')).toBeVisible();
  const { devices } = (await (await api.as(rita)).call(getPush)).body.data;
  expect(devices.map(({ endpoint }) => endpoint)).toEqual(['https://push.example.com/send/1']);

  const push = { title: 'Almazara', body: 'Pedido pagado: ORD-1 (Ana)', url: '/mis-pedidos?search=ORD-1', tag: 't1' };
  const { shown, opened } = await deliver(page, push);
  expect(shown).toEqual([push.title, expect.objectContaining({ body: push.body, tag: push.tag })]);
  expect(opened).toBe(new URL(push.url, page.url()).href);
});

/** Runs in the page: grants the permission and fakes a push service, whose one subscription is stored in localStorage. */
function PRETEND() {
  const made = () => {
    const applicationServerKey = JSON.parse(localStorage.getItem('pretended') ?? 'null');
    if (applicationServerKey === null) return null;
    const bytes = Uint8Array.from(atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    // Valid keys: the generator point of P-256, and sixteen zero bytes as `auth`.
    const p256dh = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';
    return {
      endpoint: 'https://push.example.com/send/1',
      options: { applicationServerKey: bytes.buffer },
      toJSON: () => ({ endpoint: 'https://push.example.com/send/1', keys: { p256dh, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
      unsubscribe: async () => localStorage.removeItem('pretended'),
    };
  };
  Object.defineProperty(Notification, 'permission', { value: 'granted' });
  Object.assign(Notification, { requestPermission: async () => 'granted' });
  Object.assign(PushManager.prototype, {
    getSubscription: async () => made(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem('pretended', JSON.stringify(applicationServerKey));
      return made();
    },
  });
}

/** Hands a push to the page’s service worker and clicks on the notification; returns its text and the address opened. */
async function deliver(page: Page, payload: object) {
  const [worker = await page.context().waitForEvent('serviceworker')] = page.context().serviceWorkers();
  return worker.evaluate(async (data) => {
    let [shown, opened]: [unknown[], unknown] = [[], ''];
    Object.assign(Reflect.get(self, 'registration'), { showNotification: async (...args: unknown[]) => void (shown = args) });
    Object.assign(Reflect.get(self, 'clients'), { openWindow: async (url: string) => void (opened = url) });
    const happens = async (type: string, more: object) => {
      const waiting: Promise<unknown>[] = [];
      const waitUntil = (work: Promise<unknown>) => void waiting.push(work);
      self.dispatchEvent(Object.assign(new Event(type), { waitUntil, ...more }));
      await Promise.all(waiting);
    };
    await happens('push', { data: { json: () => JSON.parse(data) } });
    await happens('notificationclick', { notification: { ...(shown[1] as object), close: () => {} } });
    return { shown, opened };
  }, JSON.stringify(payload));
}
