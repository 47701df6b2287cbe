import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../../contract/api-keys/api-keys.ts';
import { KEY_PURPOSES } from '../../contract/api-keys/fields.ts';
import { apiKey } from '../../contract/api-keys/schemas.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getOpenapi } from '../../contract/openapi/openapi.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { expectAccessible, open, reload } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { theSettings } from '../../test/web/samples.ts';

/* API keys: create, show once, revoke. */

const CLAVE = 'enr_0123456789abcdef';
let keys: ApiKey[];
const aKey = (fields: Partial<ApiKey>): ApiKey => ({
  ...(emptyOf(apiKey) as ApiKey),
  nombre: 'Tienda en línea',
  inicio: 'enr_0123',
  acciones: ['pedido:list'],
  creada_por: 'Ada Ruiz',
  created_at: '2026-11-20T10:00:00Z',
  ...fields,
});
beforeEach(() => {
  keys = [];
  server.answer(getSettings, { data: theSettings() });
  server.reply(listApiKeys, () => ({ data: keys }));
  server.reply(createApiKey, ({ body: { nombre, acciones } }) => {
    const made = aKey({ nombre, acciones });
    keys = [made, ...keys];
    return asDone('Clave creada', { ...made, clave: CLAVE });
  });
  server.reply(revokeApiKey, ({ params }) => {
    keys = keys.map((key) => (key.id === params.id ? { ...key, revocada_at: '2026-11-20T11:00:00Z' } : key));
    return { success: true as const, message: 'Clave revocada' };
  });
});

const section = page.getByRole('region', { name: 'Claves de API' });
const dialog = page.getByRole('dialog', { name: 'Nueva clave de API' });
const nombre = dialog.getByRole('textbox', { name: /^Nombre/ });
const permission = (name: string) => dialog.getByRole('checkbox', { name });
async function choosePurpose(name: RegExp) {
  await dialog.getByRole('combobox', { name: 'Para qué' }).click();
  await page.getByRole('option', { name }).click();
}
const press = (name: string) => dialog.getByRole('button', { name }).click();
async function openForm() {
  open('/configuracion?tab=integrations');
  await page.getByRole('button', { name: 'Nueva clave' }).click();
}

test('the section of API keys offers the description of the API as a file', async () => {
  server.answer(listApiKeys, { data: [] });
  open('/configuracion?tab=integrations');
  await expect.element(page.getByRole('link', { name: 'Descripción de la API (OpenAPI)' })).toHaveAttribute('href', getOpenapi.path);
});

test('a new key needs a name and permissions, and is shown once', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();

  open('/configuracion?tab=integrations');
  await expect.element(section).toMatchTextContent('Todavía no hay claves');
  await page.getByRole('button', { name: 'Nueva clave' }).click();
  await expect.element(nombre).toHaveFocus();
  await choosePurpose(/^A medida/);
  await press('Crear clave');
  await expect.element(nombre).toHaveAccessibleDescription(/Ponle un nombre/);
  await expect.element(dialog.getByText('Elige al menos un permiso')).toBeVisible();
  await expectAccessible();

  await permission('Crear pedidos').click();
  for (const needed of ['Leer un pedido', 'Ver importes']) await expect.element(permission(needed)).toBeChecked();
  await permission('Ver importes').click();
  await expect.element(permission('Crear pedidos')).not.toBeChecked();
  await expect.element(permission('Leer un pedido')).toBeChecked();

  await nombre.fill('  Tienda en línea ');
  await permission('Leer un pedido').click();
  await permission('Listar pedidos').click();
  await press('Crear clave');
  await expect.element(dialog.getByRole('textbox', { name: 'Clave de API' })).toHaveValue(CLAVE);
  expect(server.asked(createApiKey).map(({ body }) => body)).toEqual([{ nombre: 'Tienda en línea', acciones: ['pedido:list'], dias: 365 }]);
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('textbox', { name: 'Clave de API' })).toHaveValue(CLAVE);
  await press('Copiar clave');
  await expect.element(page.getByRole('button', { name: 'Copiado ✓' })).toBeVisible();
  expect(copied.mock.calls).toEqual([[CLAVE]]);
  await press('Ya la he copiado');
  await expect.element(dialog).not.toBeInTheDocument();
  reload();
  await expect.element(section).toMatchTextContent(/Tienda en línea.*enr_0123….*de Ada Ruiz, 20\/11\/2026.*sin usar.*Listar pedidos/);
  expect(document.documentElement.outerHTML).not.toContain(CLAVE);
});

test('a key created for a purpose gets the permissions of that purpose', async () => {
  await openForm();
  await nombre.fill('WooCommerce');
  await expect.element(dialog).toMatchTextContent(/Podrá: .*crear pedidos/);
  await expect.element(dialog.getByRole('checkbox')).not.toBeInTheDocument();
  await expectAccessible();
  await press('Crear clave');
  expect(server.asked(createApiKey).map(({ body }) => body.acciones)).toEqual([KEY_PURPOSES.tienda.acciones]);
});

test('a key is revoked after a confirmation', async () => {
  keys = [aKey({ usada_at: new Date().toISOString() })];
  open('/configuracion?tab=integrations');
  await expect.element(section).toMatchTextContent(/usada/);
  await page.getByRole('button', { name: 'Revocar la clave Tienda en línea' }).click();
  const question = page.getByRole('dialog', { name: 'Revocar clave' });
  await expect.element(question).toMatchTextContent(/Tienda en línea dejará de poder entrar en este momento; la usó por última vez/);
  await question.getByRole('button', { name: 'Revocar' }).click();
  await expect.element(section.getByText('Revocada')).toBeVisible();
  await expect.element(section.getByRole('button', { name: /^Revocar/ })).not.toBeInTheDocument();
});
