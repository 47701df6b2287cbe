import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { WEBHOOK_EVENT_NAMES } from '../../contract/webhooks/fields.ts';
import { entregaWebhook, webhook } from '../../contract/webhooks/schemas.ts';
import {
  changeWebhookSecret,
  createWebhook,
  deleteWebhook,
  type EntregaWebhook,
  listEntregas,
  listWebhooks,
  reenviarEntrega,
  testWebhook,
  updateWebhook,
  type Webhook,
} from '../../contract/webhooks/webhooks.ts';
import { closeToasts, expectAccessible, onPhone, open } from '../../test/web/app.tsx';
import { emptyOf, uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { listed, pageOf, theSettings } from '../../test/web/samples.ts';

/* Configuración › Integraciones: creating, testing and managing webhooks. */

const SECRET = 'whsec_0123456789abcdef';
let webhooks: Webhook[];
const aWebhook = (fields: Partial<Webhook> = {}): Webhook => ({
  ...(emptyOf(webhook) as Webhook),
  url: 'https://tienda.es/avisos',
  descripcion: 'Almacén',
  eventos: ['pedido.creado'],
  is_active: true,
  version: 1,
  ...fields,
});
beforeEach(() => {
  webhooks = [];
  server.answer(getSettings, { data: theSettings() });
  server.reply(listWebhooks, () => listed(webhooks));
  server.reply(createWebhook, ({ body }) => {
    webhooks = [aWebhook(body as Partial<Webhook>)];
    return { ...asDone('Webhook creado', webhooks[0] as Webhook), secreto: SECRET };
  });
  server.reply(updateWebhook, ({ body }) => {
    webhooks = webhooks.map((webhook) => ({ ...webhook, ...(body as Partial<Webhook>) }));
    return asDone('Webhook actualizado', webhooks[0] as Webhook);
  });
  server.reply(deleteWebhook, () => {
    webhooks = [];
    return { success: true as const, message: 'Webhook eliminado' };
  });
});

const section = page.getByRole('region', { name: 'Webhooks' });
const form = page.getByRole('dialog', { name: 'Nuevo webhook' });
const url = form.getByRole('textbox', { name: /^Dirección/ });
const secret = page.getByRole('dialog', { name: 'Secreto del webhook' });
const entregas = page.getByRole('dialog', { name: 'Entregas del último mes' });
const line = (text: string) => entregas.getByRole('listitem').filter({ hasText: text });
const act = async (name: string) => {
  await section.getByRole('button', { name: 'Acciones de Almacén' }).click();
  await page.getByRole('menuitem', { name }).click();
};
/** Expects no horizontal scrolling. */
const expectFits = () => expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
async function openList(webhook = aWebhook()) {
  webhooks = [webhook];
  open('/configuracion?tab=integrations');
  await expect.element(section.getByRole('listitem')).toBeVisible();
}

test('a new webhook needs a full address, and shows its secret once', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();

  open('/configuracion?tab=integrations');
  await expect.element(section).toMatchTextContent('Ningún programa recibe avisos');
  await expect.element(section).toMatchTextContent('Un webhook avisa al momento a otro programa');
  await section.getByRole('button', { name: 'Nuevo webhook' }).click();
  await url.fill('tienda');
  for (const name of ['Stock bajo', 'Pedido creado']) await expect.element(form.getByRole('checkbox', { name })).toBeChecked();
  await form.getByRole('button', { name: 'Crear webhook' }).click();
  await expect.element(url).toHaveAccessibleDescription(/Escribe la dirección completa/);
  await expectAccessible();

  await url.fill('https://tienda.es/avisos');
  await form.getByRole('textbox', { name: /^Descripción/ }).fill('Almacén');
  await form.getByRole('checkbox', { name: 'Stock bajo' }).click();
  await form.getByRole('button', { name: 'Crear webhook' }).click();
  await expect.element(secret.getByText(SECRET)).toBeVisible();
  await expectAccessible();
  expect(server.asked(createWebhook)[0]?.body).toEqual({
    url: 'https://tienda.es/avisos',
    descripcion: 'Almacén',
    eventos: WEBHOOK_EVENT_NAMES.filter((name) => name !== 'stock.bajo'),
    con_precios: false,
    is_active: true,
  });
  await secret.getByRole('button', { name: 'Copiar el secreto' }).click();
  await expect.element(secret.getByRole('button', { name: 'Copiado ✓' })).toBeVisible();
  expect(copied.mock.calls).toEqual([[SECRET]]);
  await userEvent.keyboard('{Escape}');
  await expect.element(secret).toBeVisible();
  await secret.getByRole('button', { name: 'Lo he guardado' }).click();
  await expect.element(secret).not.toBeInTheDocument();
  await expect.element(page.getByText(SECRET)).not.toBeInTheDocument();
  await expect.element(section.getByRole('listitem')).toMatchTextContent(/Almacén.*sin precios/);
});

test('a webhook of an API key names the key, and says when the key is no longer valid', async () => {
  await openList(aWebhook({ clave: { nombre: 'Tienda', activa: true } }));
  await expect.element(section.getByText('De la clave «Tienda»', { exact: true })).toBeVisible();
  await openList(aWebhook({ clave: { nombre: 'Tienda', activa: false } }));
  await expect.element(section.getByText('De la clave «Tienda», que ya no vale: no se envía nada')).toBeVisible();
});

test('a failed test of a webhook says why', async () => {
  await openList();
  server.answer(testWebhook, { message: 'Ha respondido 500', data: { enviado: false, error: 'Ha respondido 500' } });
  await act('Probar');
  await expect.element(page.getByRole('alert').filter({ hasText: 'Ha respondido 500' })).toBeVisible();
});

test('a webhook can be tested, and a new secret or a deletion needs a confirmation', async () => {
  await openList();
  server.answer(testWebhook, { message: 'La prueba ha llegado', data: { enviado: true, error: null } });
  await act('Probar');
  await expect.element(page.getByRole('status').filter({ hasText: 'La prueba ha llegado' })).toBeVisible();
  closeToasts();

  server.reply(changeWebhookSecret, () => ({ ...asDone('Secreto cambiado', webhooks[0] as Webhook), secreto: SECRET }));
  await act('Cambiar el secreto');
  const question = page.getByRole('dialog', { name: 'Cambiar el secreto' });
  await expect.element(question).toMatchTextContent('tienda.es no aceptará los avisos hasta que lo pongas allí');
  await question.getByRole('button', { name: 'Cambiar el secreto' }).click();
  await expect.element(secret.getByText(SECRET)).toBeVisible();

  await secret.getByRole('button', { name: 'Lo he guardado' }).click();
  await expect.element(secret).not.toBeInTheDocument();
  closeToasts();

  await act('Eliminar');
  const deletion = page.getByRole('dialog', { name: 'Eliminar el webhook' });
  await deletion.getByRole('button', { name: 'Eliminar' }).click();
  await expect.element(section.getByText('Ningún programa recibe avisos')).toBeVisible();
});

test('a sent delivery of a webhook can be resent on a phone, but not a pending delivery', async () => {
  await onPhone();
  const fields = { ...(emptyOf(entregaWebhook) as EntregaWebhook), created_at: '2026-11-20T10:00:00Z', intentos: 1 };
  const waiting: EntregaWebhook = {
    ...fields,
    id: uuid(),
    tipo: 'pedido.creado',
    asunto: 'ORD-2026000001',
    estado: 'esperando',
    error: 'Ha respondido 500',
    proximo_at: '2026-11-20T10:05:00Z',
  };
  const tested: EntregaWebhook = { ...fields, id: uuid(), tipo: 'prueba', estado: 'enviado' };
  server.answer(listEntregas, pageOf([waiting, tested]));
  await openList();
  expectFits();
  await act('Ver entregas');
  await expect.element(line('ORD-2026000001')).toMatchTextContent(/Pedido creado.*Ha respondido 500.*En espera/);
  await expect.element(line('ORD-2026000001').getByRole('button', { name: /^Reenviar/ })).not.toBeInTheDocument();
  await expect.element(line('Prueba')).toMatchTextContent('Enviado');
  expectFits();
  await expectAccessible();
  server.answer(reenviarEntrega, { success: true, message: 'Se vuelve a enviar' });
  await line('Prueba').getByRole('button', { name: 'Reenviar Prueba' }).click();
  await expect.poll(() => server.asked(reenviarEntrega).map(({ params }) => params.id)).toEqual([tested.id]);
});

test('a webhook can be deactivated on a phone', async () => {
  await onPhone();
  await openList();
  await act('Editar');
  const edit = page.getByRole('dialog', { name: 'Editar webhook' });
  await edit.getByRole('switch', { name: /^Activo/ }).click();
  expectFits();
  await expectAccessible();
  await edit.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect.element(section.getByText('Inactivo')).toBeVisible();
  expect(server.asked(updateWebhook)[0]?.body).toEqual({ is_active: false, version: 1 });
});

test('webhooks and their deliveries are accessible in the dark theme', async () => {
  localStorage.setItem('appConfig', JSON.stringify({ theme: 'dark' }));
  dispatchEvent(new StorageEvent('storage', { key: 'appConfig' }));
  const fields = { ...(emptyOf(entregaWebhook) as EntregaWebhook), created_at: '2026-11-20T10:00:00Z', intentos: 1 };
  server.answer(
    listEntregas,
    pageOf((['enviado', 'esperando', 'fallido'] as const).map((estado) => ({ ...fields, id: uuid(), tipo: 'prueba', estado }))),
  );
  await openList(aWebhook({ esperando: 1, fallidas: 2 }));
  await expect.element(section.getByRole('listitem')).toMatchTextContent(/2 sin entregar.*1 en espera/);
  expect(getComputedStyle(document.documentElement).colorScheme).toBe('dark');
  await expectAccessible();
  await act('Ver entregas');
  await expect.poll(() => line('Prueba').elements()).toHaveLength(3);
  await expectAccessible();
});
