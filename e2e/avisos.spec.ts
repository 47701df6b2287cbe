import type { Page } from '@playwright/test';
import { live } from '../contract/live.ts';
import { setEstado } from '../contract/pedidos.ts';
import { updateProduct } from '../contract/products.ts';
import { getPush, subscribePush } from '../contract/push.ts';
import { updateSettings } from '../contract/settings.ts';
import { autoAsignar } from '../contract/transportista.ts';
import { expect, expectAccessible, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* What happens elsewhere comes by itself: to the bell, to the lists, and to a browser that is closed. */

/** As the design promises it of a live screen. */
const SOON = { timeout: 2000 };
const bell = (page: Page) => page.getByRole('button', { name: /^Avisos/ });
const sign = (page: Page) => page.getByText('Sin conexión en directo: los datos se actualizan cada poco');
/** Opens a screen and waits until it hears the server: what comes earlier it has read itself. */
async function openLive(page: Page, path: string) {
  const heard = page.waitForResponse((response) => new URL(response.url()).pathname === live.path);
  await page.goto(path);
  await heard;
}

test('a carrier takes an order: the reseller’s bell says so by itself, and leads to it', async ({ page, api }) => {
  const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
  const [reseller, carrier] = [await api.as(rita), await api.as(tomas)];
  const [pedido, other] = [await api.pedido({}, reseller), await api.pedido({}, reseller)];
  await signIn(page, rita.email, rita.password);
  await openLive(page, '/mis-pedidos');
  await expect(row(page, pedido.numero_orden)).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName('Avisos');

  const params = { id: pedido.id };
  await api.admin.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'TRF' } });
  await expect(bell(page)).toHaveAccessibleName('Avisos: 1 sin leer', SOON);
  expect((await carrier.call(autoAsignar, { params, body: {} })).status).toBe(200);
  await expect(bell(page)).toHaveAccessibleName('Avisos: 2 sin leer', SOON);
  await expect(row(page, pedido.numero_orden)).toContainText('Asignado', SOON);

  await bell(page).click();
  const panel = page.getByRole('dialog', { name: 'Avisos' });
  const items = panel.getByRole('listitem');
  await expect(items).toHaveCount(2);
  await expect(items.first()).toContainText(`${tomas.full_name} lleva el pedido ${pedido.numero_orden}`);
  await expect(items.first()).toContainText('sin leer');
  // What is behind the panel is half covered and out of reach.
  await expectAccessible(page, { within: '[role=dialog]' });
  await items.first().getByRole('button').click();
  await expect(page).toHaveURL(`/mis-pedidos?search=${pedido.numero_orden}`);
  await expect(row(page, pedido.numero_orden)).toBeVisible();
  await expect(row(page, other.numero_orden)).toHaveCount(0);
  await expect(panel).toBeHidden();
  await expect(bell(page)).toHaveAccessibleName('Avisos: 1 sin leer');
  await bell(page).click();
  await expect(items.first()).not.toContainText('sin leer');
  await panel.getByRole('button', { name: 'Marcar todo como leído' }).click();
  await expect(bell(page)).toHaveAccessibleName('Avisos');
});

test('the orders to be taken are one line, and an order that is opened has been read', async ({ page, api, openAs }) => {
  const [rita, tomas, eva] = [await api.user('revendedor'), await api.user('transportista'), await api.user('superadmin')];
  const [reseller, carrier] = [await api.as(rita), await api.as(tomas)];
  await signIn(page, tomas.email, tomas.password);
  await openLive(page, '/transportista-dashboard');
  const orders = [await api.pedido({}, reseller), await api.pedido({}, reseller)];
  for (const { id } of orders) await api.admin.call(setEstado, { params: { id }, body: { estado: 'pendiente', referencia: 'TRF' } });
  await expect(bell(page)).toHaveAccessibleName('Avisos: 1 sin leer', SOON);
  await bell(page).click();
  const items = page.getByRole('dialog', { name: 'Avisos' }).getByRole('listitem');
  await expect(items).toHaveCount(1);
  await expect(items).toContainText('2 pedidos disponibles');
  for (const { id } of orders) expect((await carrier.call(autoAsignar, { params: { id }, body: {} })).status).toBe(200);
  await expect(items.filter({ hasText: 'disponible' })).toHaveCount(0, SOON);

  const office = await openAs(eva);
  await openLive(office, '/pedidos');
  await expect(bell(office)).toHaveAccessibleName('Avisos: 2 sin leer');
  await office.goto(`/pedidos/${orders[0]?.id}`);
  await expect(bell(office)).toHaveAccessibleName('Avisos: 1 sin leer');
  await office.goto('/pedidos');
  await row(office, orders[1]?.numero_orden ?? '')
    .getByRole('link')
    .click();
  await expect(bell(office)).toHaveAccessibleName('Avisos');
});

test('an open list of orders gets the new one, and an open stock what was booked elsewhere', async ({ page, api, openAs }) => {
  const product = await api.product({ name: 'Garbanzo', stock: 40 });
  const pack = await api.pack({ product_id: product.id });
  await api.pedido({ pack_id: pack.id });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await openLive(page, '/pedidos');
  await expect(row(page, 'ORD-').first()).toBeVisible();
  const stock = await openAs(SUPERADMIN);
  await openLive(stock, '/control-stock');
  await expect(row(stock, 'Garbanzo').first()).toContainText('39');

  const fresh = await api.pedido({ pack_id: pack.id, cantidad: 4, cliente_nombre: 'Begoña Etxeberria' });
  await expect(row(page, fresh.numero_orden)).toContainText('Begoña Etxeberria', SOON);
  await expect(row(stock, 'Garbanzo').first()).toContainText('35', SOON);
  const body = { name: 'Garbanzo', stock: 512, min_stock: 0, is_active: true };
  expect((await api.admin.call(updateProduct, { params: { id: product.id }, body })).status).toBe(200);
  await expect(row(stock, 'Garbanzo').first()).toContainText('512', SOON);
});

test('while the stream is cut a small sign says so, the screens ask by themselves, and it goes when it is back', async ({
  page,
  api,
  allowErrors,
}) => {
  allowErrors(/net::ERR_FAILED/);
  const pack = await api.pack();
  // A stream that opens, breaks off and cannot be opened again.
  let opened = false;
  await page.route(`**${live.path}`, (route) => {
    if (opened) return route.abort();
    opened = true;
    return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 100\n\n' });
  });
  // The screens’ own timers, so that twenty seconds are none.
  await page.clock.install();
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await openLive(page, '/pedidos');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(sign(page)).toHaveCount(0);

  await page.clock.fastForward(5_000);
  await expect(sign(page)).toBeAttached();
  await expectAccessible(page);

  const missed = await api.pedido({ pack_id: pack.id });
  await expect(row(page, missed.numero_orden)).toHaveCount(0);
  await page.clock.fastForward(21_000);
  await expect(row(page, missed.numero_orden)).toBeVisible();
  await expect(sign(page)).toBeAttached();

  await page.unroute(`**${live.path}`);
  await page.clock.fastForward(5_000);
  await expect(sign(page)).toHaveCount(0);
  const heard = await api.pedido({ pack_id: pack.id });
  await expect(row(page, heard.numero_orden)).toBeVisible(SOON);
});

test('a browser is told while Enruta is closed, where the settings and the person want it', async ({ page, api, openAs }) => {
  const rita = await api.user('revendedor');
  const avisos = (window: Page) => window.getByRole('region', { name: 'Avisos' });
  const wanted = (window: Page) => avisos(window).getByRole('switch', { name: 'Avisarme en este navegador' });
  const own = async () => (await (await api.as(rita)).call(getPush)).body.data.devices.map(({ endpoint }) => endpoint);
  await signIn(page, rita.email, rita.password);
  await page.goto('/mi-cuenta');
  await expect(avisos(page)).toContainText('Los avisos en el navegador están desactivados en la configuración');
  await expect(wanted(page)).toHaveCount(0);

  expect((await api.admin.call(updateSettings, { body: { pushNotifications: true } })).status).toBe(200);
  const blocked = await openAs(rita);
  await blocked.addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'denied' }));
  await blocked.goto('/mi-cuenta');
  await expect(avisos(blocked)).toContainText('Este navegador tiene bloqueados los avisos de Enruta');

  // The browser of the tests has no push service and lets nobody ask: these two are made up, all else is real.
  await page.addInitScript(PRETEND);
  await page.reload();
  await expect(wanted(page)).not.toBeChecked();
  await expectAccessible(page);
  await wanted(page).click({ force: true });
  await expect(page.getByText('Te avisaremos en este navegador')).toBeVisible();
  await expect(wanted(page)).toBeChecked();
  expect(await own()).toEqual(['https://push.example.com/send/1']);
  await page.reload();
  await expect(wanted(page)).toBeChecked();

  // Somebody who had the session for a minute: seen, taken off, and gone with a new password, which keeps this one.
  const told = avisos(page).getByRole('list', { name: 'Navegadores que reciben tus avisos' }).getByRole('listitem');
  await expect(told).toHaveText([/Este navegador/]);
  const elsewhere = async (endpoint: string) => {
    const keys = { p256dh: P256DH, auth: 'AAAAAAAAAAAAAAAAAAAAAA' };
    const headers = { 'user-agent': 'Mozilla/5.0 (Android 15) Firefox/130.0' };
    expect((await (await api.as(rita)).call(subscribePush, { body: { endpoint, keys }, headers })).status).toBe(200);
  };
  await elsewhere('https://push.example.com/send/2');
  await page.reload();
  await expect(told).toHaveText([/Firefox en Android/, /Este navegador/]);
  await expectAccessible(page);
  await avisos(page).getByRole('button', { name: 'Quitar los avisos de Firefox en Android' }).click();
  await expect(told).toHaveText([/Este navegador/]);
  await elsewhere('https://push.example.com/send/3');
  await page.reload();
  await expect(told).toHaveCount(2);
  const password = page.getByRole('region', { name: 'Contraseña' });
  await password.getByLabel('Contraseña actual').fill(rita.password);
  rita.password = 'una clave nueva de Rita';
  await password.getByLabel('Contraseña nueva').fill(rita.password);
  await password.getByRole('button', { name: 'Cambiar contraseña' }).click();
  await expect(told).toHaveText([/Este navegador/]);
  await expect(wanted(page)).toBeChecked();
  await expect.poll(own).toEqual(['https://push.example.com/send/1']);

  await wanted(page).click({ force: true });
  await expect(page.getByText('Ya no te avisaremos en este navegador')).toBeVisible();
  await expect(wanted(page)).not.toBeChecked();
  expect(await own()).toEqual([]);

  // What arrives is shown, and a click on it opens the screen that it is about.
  const push = { title: 'Almazara', body: 'Pedido pagado: ORD-1 (Ana)', url: '/mis-pedidos?search=ORD-1', tag: 't1' };
  const { shown, opened } = await deliver(page, push);
  expect(shown).toEqual([push.title, expect.objectContaining({ body: push.body, tag: push.tag })]);
  expect(opened).toBe(new URL(push.url, page.url()).href);
});

// A point of the curve: its generator.
const P256DH = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';

/** Runs in the page: permission, and a push service that gives one subscription and remembers it in this browser. */
function PRETEND() {
  const made = () => {
    const applicationServerKey = JSON.parse(localStorage.getItem('pretended') ?? 'null');
    if (applicationServerKey === null) return null;
    const bytes = Uint8Array.from(atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    // A point of the curve (its generator) and sixteen bytes.
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

/** Hands a push to the page’s service worker, then clicks on what it shows: what was shown and which address opened. */
async function deliver(page: Page, payload: object) {
  const [worker = await page.context().waitForEvent('serviceworker')] = page.context().serviceWorkers();
  return worker.evaluate(async (data) => {
    let [shown, opened]: [unknown[], unknown] = [[], ''];
    Object.assign(Reflect.get(self, 'registration'), { showNotification: async (...given: unknown[]) => void (shown = given) });
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
