import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { changePassword, getAccount } from '../../contract/account/account.ts';
import { getPush, type PushDevice, subscribePush, unsubscribePush } from '../../contract/push/push.ts';
import { expectAccessible, open, reload } from '../../test/web/app.tsx';
import { emptyAnswer, server } from '../../test/web/fake-server.ts';
import { textsOf } from '../../test/web/list.ts';

/* «Avisos» in «Mi cuenta»: subscribed browsers. Permission and push service are fakes, because the test browser has neither. */

// A valid public key: the generator point of the curve P-256.
const KEY = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';
const OWN = 'https://push.example.com/send/1';
const bytesOf = (key: string) => Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

let enabled: boolean;
let devices: PushDevice[];
let subscription: object | null;
beforeEach(() => {
  [enabled, devices, subscription] = [true, [], null];
  server.reply(getAccount, () => emptyAnswer(getAccount));
  server.reply(getPush, () => ({ data: { enabled, public_key: KEY, apple: true, devices } }));
  server.reply(subscribePush, ({ body: { endpoint } }) => {
    devices = [
      ...devices.filter((device) => device.endpoint !== endpoint),
      { endpoint, user_agent: null, created_at: '2026-11-20T10:00:00Z' },
    ];
    return { success: true as const, message: 'Hecho' };
  });
  server.reply(unsubscribePush, ({ body: { endpoint } }) => {
    devices = devices.filter((device) => device.endpoint !== endpoint);
    return { success: true as const, message: 'Avisos quitados' };
  });
  vi.spyOn(Notification, 'permission', 'get').mockReturnValue('granted');
  vi.spyOn(Notification, 'requestPermission').mockResolvedValue('granted');
  const made = {
    endpoint: OWN,
    options: { applicationServerKey: bytesOf(KEY).buffer },
    toJSON: () => ({ endpoint: OWN, keys: { p256dh: KEY, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
    unsubscribe: async () => {
      subscription = null;
    },
  };
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async () => {
      subscription = made;
      return made;
    },
  };
  const registration = { pushManager } as unknown as ServiceWorkerRegistration;
  vi.spyOn(navigator.serviceWorker, 'register').mockResolvedValue(registration);
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(registration);
  vi.spyOn(ServiceWorkerContainer.prototype, 'ready', 'get').mockResolvedValue(registration);
});

const section = page.getByRole('region', { name: 'Avisos' });
const wanted = section.getByRole('switch', { name: /^Avisarme en este navegador/ });
const browsers = section.getByRole('list', { name: 'Navegadores que reciben tus avisos' }).getByRole('listitem');
async function turnOn() {
  open('/mi-cuenta', 'revendedor');
  await expect.element(wanted).toBeEnabled();
  await wanted.click();
  await expect.element(wanted).toBeChecked();
}

test('push notifications that are off in the settings cannot be turned on', async () => {
  enabled = false;
  open('/mi-cuenta', 'revendedor');
  await expect.element(section).toMatchTextContent('Los avisos en el navegador están desactivados en la configuración');
  await expect.element(wanted).not.toBeInTheDocument();
});

test('a message says that the browser blocks notifications', async () => {
  vi.spyOn(Notification, 'permission', 'get').mockReturnValue('denied');
  open('/mi-cuenta', 'revendedor');
  await expect.element(section).toMatchTextContent('Este navegador tiene bloqueados los avisos de Enruta');
  await expect.element(wanted).not.toBeInTheDocument();
});

test('every subscribed browser is listed, also after a reload, and can be removed', async () => {
  const elsewhere = { endpoint: 'https://push.example.com/send/2', user_agent: 'Mozilla/5.0 (Android 15) Firefox/130.0' };
  devices = [{ ...elsewhere, created_at: '2026-11-20T10:00:00Z' }];

  open('/mi-cuenta', 'revendedor');
  await expect.element(wanted).not.toBeChecked();
  await expect.element(wanted).toBeEnabled();
  await expectAccessible();
  await wanted.click();
  await expect.element(page.getByText('Te avisaremos en este navegador')).toBeVisible();
  await expect.element(wanted).toBeChecked();
  await expect
    .poll(() => textsOf(browsers))
    .toEqual([expect.stringContaining('Firefox en Android'), expect.stringContaining('Este navegador')]);
  await expectAccessible();
  expect(server.asked(subscribePush).map(({ body }) => body.endpoint)).toEqual([OWN]);
  reload('revendedor');
  await expect.element(wanted).toBeChecked();

  await section.getByRole('button', { name: 'Quitar los avisos de Firefox en Android' }).click();
  await expect.poll(() => textsOf(browsers)).toEqual([expect.stringContaining('Este navegador')]);

  await wanted.click();
  await expect.element(page.getByText('Ya no te avisaremos en este navegador')).toBeVisible();
  await expect.element(wanted).not.toBeChecked();
  expect(devices).toEqual([]);
  expect(subscription).toBeNull();
});

test('notifications stay off without the browser’s permission, and a message says why', async () => {
  vi.spyOn(Notification, 'requestPermission').mockResolvedValue('denied');
  open('/mi-cuenta', 'revendedor');
  await expect.element(wanted).toBeEnabled();
  await wanted.click();
  await expect.element(page.getByText('El navegador no ha dado permiso para mostrar avisos')).toBeVisible();
  await expect.element(wanted).not.toBeChecked();
});

test('this browser is subscribed again after a password change, which ends all subscriptions', async () => {
  await turnOn();
  server.reply(changePassword, () => {
    devices = [];
    return { success: true as const, message: 'Contraseña cambiada' };
  });
  const password = page.getByRole('region', { name: 'Contraseña' });
  await password.getByLabelText('Contraseña actual').fill('la de antes');
  await password.getByLabelText('Contraseña nueva').fill('una clave nueva de Rita');
  await password.getByRole('button', { name: 'Cambiar contraseña' }).click();
  await expect.poll(() => server.asked(subscribePush).map(({ body }) => body.endpoint)).toEqual([OWN, OWN]);
  await expect.element(wanted).toBeChecked();
});
