import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { getUser } from '../../contract/session/session.ts';
import { getSettings, type ShownSettings, setLogo, testDatabase, testMail, updateSettings } from '../../contract/settings/settings.ts';
import { listUsers } from '../../contract/users/users.ts';
import { address, expectAccessible, onPhone, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row, textsOf } from '../../test/web/list.ts';
import { aPedido, aUser, listed, pageOf, theSettings } from '../../test/web/samples.ts';

/* «Configuración»: saving and refusals on every tab; the business's appearance on every screen. */

const COMPANY = { companyName: 'Almazara', companyEmail: 'hola@almazara.es' };
let stored: ShownSettings;
beforeEach(() => {
  stored = theSettings(COMPANY);
  server.reply(getSettings, () => ({ data: stored }));
  accept();
});

const accept = () =>
  server.reply(updateSettings, ({ body: { smtpPassword, apiKey, backupPassphrase, version: _, ...fields } }) => {
    const secrets = { smtpPasswordSet: stored.smtpPasswordSet ? fields.smtpHost === undefined : !!smtpPassword };
    stored = { ...stored, ...(fields as Partial<ShownSettings>), ...secrets, version: stored.version + 1 };
    return asDone('Configuración guardada', stored);
  });

const save = page.getByRole('button', { name: 'Guardar cambios' });
const textbox = (name: string) => page.getByRole('textbox', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}`) });
const notice = (text: string) => page.getByRole('alert').filter({ hasText: text });
const saved = () => expect.element(page.getByText('Configuración guardada').first()).toBeVisible();
const sent = () => server.asked(updateSettings).map(({ body }) => body);
const card = (title: string) => page.getByRole('button', { name: title, exact: true });
const stateOf = (title: string) => expect.element(card(title));
async function choose(label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

test('a new shop sees at most fourteen settings in all six tabs together', async () => {
  stored = theSettings();
  open('/configuracion');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Configuración' })).toBeVisible();
  expect(textsOf(page.getByRole('tab'))).toEqual([
    'General',
    'Notificaciones',
    'Seguridad',
    'Apariencia',
    'Base de datos',
    'Integraciones',
  ]);

  const inputs = 'form :is(input:not([type=hidden]), select, textarea)';
  let count = 0;
  for (const name of ['General', 'Notificaciones', 'Seguridad', 'Apariencia', 'Base de datos', 'Integraciones']) {
    await page.getByRole('tab', { name }).click();
    // The previous panel stays until the next panel has loaded.
    const panel = page.getByRole('tabpanel', { name });
    await expect.element(panel.getByRole('button').first()).toBeVisible();
    count += [...panel.element().querySelectorAll(inputs)].filter((input) => input.checkVisibility()).length;
  }
  await expect.poll(address).toContain('tab=integrations');
  expect(count).toBeGreaterThan(4);
  expect(count).toBeLessThanOrEqual(14);

  await page.getByRole('tab', { name: 'General' }).click();
  await save.click();
  await expect.element(textbox('Nombre de la empresa')).toHaveAccessibleDescription('Nombre de empresa y email son obligatorios.');
  await expect.element(textbox('Nombre de la empresa')).toHaveFocus();
  await expect.element(notice('Error de validación')).toBeVisible();
  await expectAccessible();
});

test('the chosen tab is scrolled into view on a phone', async () => {
  await onPhone();
  open('/configuracion?tab=integrations');
  const tab = page.getByRole('tab', { name: 'Integraciones', selected: true });
  await expect.element(tab).toBeVisible();
  await expect.poll(() => tab.element().getBoundingClientRect().right).toBeLessThanOrEqual(innerWidth);
  expect(tab.element().getBoundingClientRect().left).toBeGreaterThanOrEqual(0);
});

test('an unreadable logo is refused under its field, and a readable logo is shrunk and saved at once', async () => {
  open('/configuracion?campo=tienda');
  await expect.element(page.getByRole('button', { name: 'Elegir logo' })).toBeVisible();
  await userEvent.upload(
    document.querySelector('input[type="file"]') as HTMLElement,
    new File(['<svg'], 'logo.png', { type: 'image/png' }),
  );
  await expect.element(page.getByText('No se pudo leer la imagen. Elige un logo en JPG, PNG o WebP.')).toBeVisible();
  expect(server.asked(setLogo)).toHaveLength(0);

  server.reply(setLogo, ({ body: { logo } }) => {
    stored = { ...stored, logo: logo && `data:image/jpeg;base64,${logo}` };
    return asDone('Logo guardado', stored);
  });
  const canvas = new OffscreenCanvas(2000, 500);
  canvas.getContext('2d')?.fillRect(0, 0, 2000, 500);
  const file = new File([await canvas.convertToBlob()], 'logo.png', { type: 'image/png' });
  await userEvent.upload(document.querySelector('input[type="file"]') as HTMLElement, file);
  const shown = page.getByRole('img', { name: 'Logo de la empresa' });
  await expect.element(shown).toBeVisible();
  await expect.poll(() => (shown.element() as HTMLImageElement).naturalWidth).toBe(480);
  await expectAccessible();
  await page.getByRole('button', { name: 'Quitar logo' }).click();
  await expect.element(page.getByRole('button', { name: 'Elegir logo' })).toBeVisible();
  await expect.element(shown).not.toBeInTheDocument();
});

test('a card saves only its changed settings, and keeps the typed values if refused', async () => {
  open('/configuracion');
  await stateOf('Tu tienda').toHaveAccessibleDescription('Almazara · hola@almazara.es');
  await stateOf('Pruebas de entrega').toHaveAccessibleDescription('No se piden');
  await expect.element(save).not.toBeInTheDocument();
  await card('Pruebas de entrega').click();
  const proofs = page.getByRole('region', { name: 'Pruebas de entrega' });
  expect([proofs.getByRole('combobox').all().length, proofs.getByRole('switch').all().length]).toEqual([0, 1]);
  await proofs.getByRole('switch').click();
  await proofs.getByRole('combobox', { name: 'En mano: firma' }).selectOptions('Obligatoria');
  await expectAccessible();
  await save.click();
  await saved();
  expect(sent()).toEqual([{ proofOfDelivery: true, prueba_en_mano_firma: 'obligatoria', version: 1 }]);
  await stateOf('Pruebas de entrega').toHaveAccessibleDescription('1 de 12 se piden');

  await card('Pruebas de entrega').click();
  await card('Cobros').click();
  await textbox('IBAN').fill('ES91 2100 0418 4502 0005 1332');
  await page.getByRole('switch', { name: /^Contra reembolso/ }).click();
  server.refuse(updateSettings, 422, { message: 'Revisa los datos', errors: { companyIban: ['El IBAN no es válido'] } });
  await save.click();
  await expect.element(textbox('IBAN')).toHaveAccessibleDescription(/El IBAN no es válido/);
  await expect.element(textbox('IBAN')).toHaveFocus();
  await expect.element(page.getByRole('switch', { name: /^Contra reembolso/ })).toBeChecked();

  await page.getByRole('switch', { name: /^Contra reembolso/ }).click();
  accept();
  server.askProof(updateSettings);
  await save.click();
  const question = page.getByRole('dialog', { name: 'Confirma quién eres' });
  await question.getByLabelText(/^Contraseña actual( \*)?$/).fill('clave de Ana');
  await expectAccessible();
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.poll(sent).toHaveLength(4);
  await expect.element(textbox('IBAN')).toHaveValue('ES91 2100 0418 4502 0005 1332');
  await stateOf('Cobros').toHaveAccessibleDescription('IBAN …1332 · sin contra reembolso');

  await card('Cobros').click();
  await card('Tu tienda').click();
  await textbox('Nombre de la empresa').fill('Almazara Sur');
  const release = server.hold(updateSettings);
  await save.click();
  await expect.element(page.getByRole('button', { name: 'Guardando...' })).toBeDisabled();
  release();
  await expect.poll(() => sent().at(-1)).toEqual({ companyName: 'Almazara Sur', version: 3 });
  await expect.element(textbox('Nombre de la empresa')).toHaveValue('Almazara Sur');
});

test('a card can be saved while another card lacks a required setting, and after another card was saved', async () => {
  stored = theSettings();
  open('/configuracion');
  await card('Cobros').click();
  await textbox('IBAN').fill('ES91 2100 0418 4502 0005 1332');
  const cobros = page.getByRole('region', { name: 'Cobros' });
  await card('Gastos de envío y plazo').click();
  await textbox('Envío a Baleares (€)').fill('9,95');
  await page.getByRole('region', { name: 'Gastos de envío y plazo' }).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect.poll(sent).toEqual([{ shippingBaleares: 9.95, version: 1 }]);
  await expect.element(textbox('Envío a Baleares (€)')).toHaveValue('9,95');
  await expect.element(textbox('IBAN')).toHaveValue('ES91 2100 0418 4502 0005 1332');
  server.refuse(updateSettings, 409, { message: 'Otra persona ha cambiado la configuración', code: 'version' });
  await cobros.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect.poll(() => sent().at(-1)).toEqual({ companyIban: 'ES91 2100 0418 4502 0005 1332', version: 2 });
});

test('closing a card, changing the tab and leaving through the menu ask before discarding unsaved changes', async () => {
  open('/configuracion?campo=tienda');
  await textbox('Nombre de la empresa').fill('Otra');
  await card('Tu tienda').click();
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(textbox('Nombre de la empresa')).toHaveValue('Otra');
  for (const leave of [page.getByRole('tab', { name: 'Seguridad' }), page.getByRole('link', { name: 'Clientes' })]) {
    await leave.click();
    await question.getByRole('button', { name: 'Seguir editando' }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(textbox('Nombre de la empresa')).toHaveValue('Otra');
  }
  await card('Tu tienda').click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(textbox('Nombre de la empresa')).not.toBeInTheDocument();
  await card('Tu tienda').click();
  await textbox('Nombre de la empresa').fill('Otra');
  await page.getByRole('tab', { name: 'Seguridad' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(card('Sesiones y contraseñas')).toBeVisible();
});

test('the mail password is never shown again, and must be retyped for another server', async () => {
  open('/configuracion?campo=correo');
  const password = page.getByLabelText('Contraseña SMTP');
  await expect.element(password).toHaveAttribute('placeholder', 'Sin guardar');
  await password.fill('muy secreta');
  await save.click();
  await saved();
  await expect.element(password).toHaveValue('');
  await expect.element(password).toHaveAttribute('placeholder', 'Guardada: deja en blanco para mantenerla');
  expect(sent()).toEqual([{ smtpPassword: 'muy secreta', version: 1 }]);

  await textbox('Servidor SMTP').fill('correo.otro.es');
  await expect.element(password).toHaveAccessibleDescription(/Escribe otra vez la contraseña/);
  await expect.element(password).toHaveAttribute('placeholder', 'Al guardar se olvida la anterior');
  await save.click();
  await expect.element(password).toHaveAttribute('placeholder', 'Sin guardar');

  server.refuse(testMail, 422, { message: 'Indica y guarda el servidor y el usuario SMTP antes de probar' });
  await page.getByRole('button', { name: 'Probar conexión' }).click();
  await expect.element(notice('Indica y guarda el servidor y el usuario SMTP antes de probar').first()).toBeVisible();
  await expect.element(notice('Error de conexión').first()).toBeVisible();

  await expect.element(textbox('Servidor SMTP')).toBeVisible();
  await expect.element(page.getByLabelText('Clave API')).not.toBeInTheDocument();
  await choose('Proveedor de correo', 'Mailgun');
  await expect.element(page.getByLabelText('Clave API')).toBeVisible();
  await expect.element(textbox('Dominio de Mailgun')).toBeVisible();
  await expect.element(textbox('Servidor SMTP')).not.toBeInTheDocument();
  const box = (locator: Locator) => locator.element().getBoundingClientRect();
  // Help stands between a label and its field.
  expect(box(page.getByText('Si está vacío, el email de la empresa')).bottom).toBeLessThanOrEqual(box(textbox('Remitente')).top);
});

test('the database tab tests the connection, and warns before overwriting a colleague’s change', async () => {
  server.answer(testDatabase, { message: 'Conexión exitosa', data: [{ nombre: 'Motor', valor: 'PostgreSQL 17' }] });
  open('/configuracion?tab=database');
  await page.getByRole('button', { name: 'Probar conexión' }).click();
  await expect.element(page.getByRole('row', { name: 'Motor PostgreSQL 17' })).toBeVisible();

  const days = textbox('Conservar (días)');
  await expect.element(days).toHaveValue('30');
  await days.fill('15');
  const theirs: ShownSettings = { ...stored, backupFrequency: 'weekly', retentionDays: 7, version: 2 };
  server.answer(getSettings, { data: theirs });
  server.refuse(updateSettings, 409, { message: 'Otra persona ha cambiado la configuración', code: 'version' });
  await save.click();
  await expect.element(page.getByText('Otra persona ha cambiado la configuración mientras la editabas')).toBeVisible();
  await expect.element(page.getByRole('group', { name: 'Conservar (días)' })).toMatchTextContent('7');
  await expectAccessible();
  // Typed values stay; untouched fields take the other person's values.
  await expect.element(days).toHaveValue('15');
  await expect.element(page.getByRole('combobox', { name: 'Frecuencia de las copias' })).toHaveValue('Semanal');
  server.reply(updateSettings, () => asDone('Configuración guardada', { ...theirs, retentionDays: 15, version: 3 }));
  await save.click();
  await saved();
  expect(sent().at(-1)).toEqual({ retentionDays: 15, version: 2 });
});

test('push and SMS notifications can be switched, and SMS says that nothing is sent yet', async () => {
  open('/configuracion?tab=notifications&campo=smsNotifications');
  const sms = page.getByRole('switch', { name: /^Notificaciones por SMS/ });
  await expect.element(sms).toBeChecked();
  await expect.element(page.getByText('Todavía no se envía ninguno: Enruta no tiene proveedor de SMS')).toBeVisible();
  await sms.click();
  await page.getByRole('switch', { name: /^Notificaciones push/ }).click();
  await save.click();
  await saved();
  expect(sent()).toEqual([{ smsNotifications: false, pushNotifications: true, version: 1 }]);
});

test('requiring a second factor takes effect at once, also for the person who requires it', async () => {
  open('/configuracion?campo=accesos');
  await expect.element(textbox('Caducidad de la contraseña (días)')).toHaveValue('90');
  await page.getByRole('switch', { name: /^Verificación en dos pasos/ }).click();
  server.reply(updateSettings, () => {
    server.answer(getUser, { user: { ...person('superadmin'), pending: 'second_factor' }, negocio });
    server.refuse(getSettings, 403, { message: 'Falta la verificación en dos pasos', code: 'pending_second_factor' });
    return asDone('Configuración guardada', stored);
  });
  await save.click();
  await expect.poll(address).toBe('/mi-cuenta');
  await expect.element(notice('Falta la verificación en dos pasos').first()).toBeVisible();
});

const negocio = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;
const theme = () => getComputedStyle(document.documentElement).colorScheme;
const accent = (of: Locator) => getComputedStyle(of.element()).backgroundColor;

test('a changed appearance of the business shows at once', async () => {
  server.answer(listUsers, listed([aUser('superadmin', { full_name: 'Ada Ruiz' })]));
  const height = async () => {
    open('/gestion-usuarios?rol=superadmin');
    await expect.element(row('Ada Ruiz')).toBeVisible();
    return row('Ada Ruiz').element().getBoundingClientRect().height;
  };
  const before = await height();
  open('/configuracion?tab=appearance');
  await expect.element(save).toBeVisible();
  const blue = accent(save);
  await page.getByRole('switch', { name: /^Modo compacto/ }).click();
  await choose('Tema', 'Oscuro');
  await textbox('Color principal').fill('#0f766e');
  await userEvent.keyboard('{Enter}');
  await saved();
  expect(sent()).toEqual([{ compactMode: true, theme: 'dark', primaryColor: '#0f766e', version: 1 }]);
  await expect.poll(theme).toBe('dark');
  await expect.poll(() => accent(save)).not.toBe(blue);
  expect(await height()).toBeLessThan(before);
});

/** Opens a screen in a business with a dark appearance, which arrives with the session. */
async function openDark(path: string, role: Role) {
  const before = server.asked(getUser).length;
  open(path, role);
  server.answer(getUser, { user: person(role), negocio: { ...negocio, theme: 'dark', primaryColor: '#0f766e' } });
  const tell = server.hold(getUser);
  await expect.poll(() => server.asked(getUser).length).toBeGreaterThan(before);
  tell();
}
/** Stores an appearance as another tab would. */
function keep(look: object) {
  localStorage.setItem('appConfig', JSON.stringify(look));
  dispatchEvent(new StorageEvent('storage', { key: 'appConfig' }));
}

test('the appearance of the business applies to a person who has chosen none', async () => {
  keep({});
  const button = page.getByRole('main').getByRole('link', { name: 'Nuevo Pedido' }).first();
  open('/mis-pedidos', 'revendedor');
  await expect.element(button).toBeVisible();
  expect(theme()).toBe('light');
  const blue = accent(button);
  for (const _ of ['at first', 'and again']) {
    await openDark('/mis-pedidos', 'revendedor');
    await expect.element(button).toBeVisible();
    await expect.poll(theme).toBe('dark');
    expect(accent(button)).not.toBe(blue);
  }
});

test('an appearance that a person has chosen overrides the appearance of the business', async () => {
  keep({ theme: 'light' });
  await openDark('/pedidos-disponibles', 'transportista');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(theme()).toBe('light');
});

// 03:00 on the 10th in Madrid, 02:00 in UTC, but still the evening of the 9th in New York.
test.each([
  ['Europe/Madrid', '10/03/2026'],
  ['UTC', '10/03/2026'],
  ['America/New_York', '09/03/2026'],
])('the day of an order follows the time zone %s', async (timezone, day) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-20T12:00:00Z') });
  const pedido = aPedido({ fecha_pedido: '2026-03-10T02:00:00Z', created_at: '2026-03-10T02:00:00Z' });
  server.answer(listPedidos, pageOf([pedido]));
  open('/pedidos');
  server.answer(getUser, { user: person('superadmin'), negocio: { ...negocio, timezone } });
  await expect.element(row(pedido.numero_orden)).toMatchTextContent(day);
});
