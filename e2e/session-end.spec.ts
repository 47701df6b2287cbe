import type { Page } from '@playwright/test';
import { getPedido } from '../contract/pedidos.ts';
import { expect, type Person, row, SUPERADMIN, signIn, test } from './fixtures.ts';
import { asignados, dialog, inHand, step } from './transportista.ts';

/* A session that ends takes nothing with it but the sight of the data: the same person finds everything as it was. */

const ENDED = 'Tu sesión ha terminado. Entra otra vez y seguirás donde estabas.';
test.beforeEach(({ allowErrors }) => allowErrors(/status of 401/));

/** What the server does after half an hour without anybody: it knows this browser no more. */
const endSession = (page: Page) => page.context().clearCookies({ name: /enruta/ });

async function expectEnded(page: Page) {
  await expect(page).toHaveURL(/\/auth\?volver=/);
  await expect(page.getByText(ENDED)).toBeVisible();
}
async function enter(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByRole('textbox', { name: 'Email o usuario', exact: true }).fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

/** A carrier whose session ends while «Completar Entrega» is filled. */
async function interrupted(page: Page, api: Parameters<typeof inHand>[0]) {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const pedido = await inHand(api, client, { cliente_nombre: 'Nuria Vidal' });
  await signIn(page, carrier.email, carrier.password);
  await page.goto('/pedidos-asignados');
  await step(page, row(asignados(page), pedido.numero_orden), 'Completar');
  const open = dialog(page, 'Completar Entrega');
  await open.getByRole('radio', { name: 'MRW' }).click();
  await open.getByLabel(/seguimiento/i).fill('PQ-778');
  await endSession(page);
  await open.getByRole('button', { name: 'Completar entrega' }).click();
  await expectEnded(page);
  return { carrier, client, pedido, open };
}

test('a filled dialog waits behind the sign-in, and nothing of it is in sight', async ({ page, api }) => {
  const { carrier, client, pedido, open } = await interrupted(page, api);
  await expect(open).toBeHidden();
  await expect(page.getByText('Nuria Vidal').filter({ visible: true })).toHaveCount(0);
  // A key for the form in front is none for the dialog behind it.
  await page.keyboard.press('Escape');
  await enter(page, carrier);
  await expect(page).toHaveURL('/pedidos-asignados');
  await expect(open.getByLabel(/seguimiento/i)).toHaveValue('PQ-778');
  await open.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  await expect(open).toBeHidden();
  expect((await client.call(getPedido, { params: { id: pedido.id } })).body.data.estado).toBe('completado');
});

test('another person who signs in finds nothing of it, nor does the first one afterwards', async ({ page, api }) => {
  const { carrier, open } = await interrupted(page, api);
  const other = await api.user('transportista');
  await enter(page, other);
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();
  await expect(open).toBeHidden();
  await expect(page.getByText('Nuria Vidal')).toHaveCount(0);

  await endSession(page);
  await page.reload();
  await enter(page, carrier);
  await expect(row(asignados(page), 'Nuria Vidal')).toBeVisible();
  await expect(open).toBeHidden();
});

test('reloaded, the sign-in screen is all there is', async ({ page, api }) => {
  const { carrier, open } = await interrupted(page, api);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Iniciar Sesión' })).toBeVisible();
  await expect(page.getByText('Nuria Vidal')).toHaveCount(0);
  await enter(page, carrier);
  await expect(page).toHaveURL('/pedidos-asignados');
  await expect(open).toBeHidden();
});

test('a screen that nobody touches stops showing data when its session has ended', async ({ page, api }) => {
  await page.clock.install();
  await api.pedido({ cliente_nombre: 'Berta Olmo' });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');
  await expect(row(page, 'Berta Olmo')).toBeVisible();
  await endSession(page);
  await page.clock.fastForward(95_000);
  await expect(page.getByText('Tu sesión ha terminado por inactividad. Entra otra vez y seguirás donde estabas.')).toBeVisible();
  await expect(page.getByText('Berta Olmo').filter({ visible: true })).toHaveCount(0);
});

// Every form that stands open as long as somebody types in it.
const FORMS: { what: string; open: (page: Page) => Promise<void>; field: (page: Page) => ReturnType<Page['getByRole']> }[] = [
  {
    what: '«Crear pedido»',
    open: async (page) => void (await page.goto('/pedidos/nuevo-admin')),
    field: (page) => page.getByRole('textbox', { name: 'Dirección', exact: true }),
  },
  {
    what: 'the settings',
    open: async (page) => void (await page.goto('/configuracion')),
    field: (page) => page.getByRole('textbox', { name: 'Nombre de la empresa' }),
  },
  {
    what: 'a new product',
    open: async (page) => {
      await page.goto('/control-stock');
      await page.getByRole('button', { name: 'Nuevo producto' }).click();
    },
    field: (page) => dialog(page, 'Nuevo producto').getByRole('textbox', { name: 'Nombre' }),
  },
  {
    what: 'a new pack',
    open: async (page) => {
      await page.goto('/control-stock');
      await page.getByRole('button', { name: 'Nuevo pack' }).click();
    },
    field: (page) => dialog(page, 'Nuevo pack').getByRole('textbox', { name: 'Nombre del pack' }),
  },
  {
    what: 'a new person',
    open: async (page) => {
      await page.goto('/gestion-usuarios');
      await page.getByRole('button', { name: 'Crear revendedor' }).click();
    },
    field: (page) => dialog(page, 'Crear revendedor').getByRole('textbox', { name: 'Nombre completo' }),
  },
];
for (const { what, open, field } of FORMS) {
  test(`half-filled, ${what} is there again`, async ({ page, api }) => {
    await api.pack();
    await page.clock.install();
    await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
    await open(page);
    await field(page).fill('A medio escribir');
    await endSession(page);
    // The bell asks each minute.
    await page.clock.fastForward(65_000);
    await expectEnded(page);
    await expect(field(page)).toBeHidden();
    await enter(page, SUPERADMIN);
    await expect(field(page)).toHaveValue('A medio escribir');
  });
}

test('signing out leaves no draft, and asks nothing once it is done', async ({ page, api }) => {
  const rita = await api.user('revendedor');
  await signIn(page, rita.email, rita.password);
  await page.goto('/pedidos/nuevo');
  await page.getByLabel('Nombre').fill('Ana Ruiz');
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await expect(page).toHaveURL('/auth');
  await enter(page, rita);
  await page.goto('/pedidos/nuevo');
  await expect(page.getByLabel('Nombre')).toHaveValue('');
});

test('settings ask before a change of tab or the menu takes what was typed', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/configuracion');
  const name = page.getByRole('textbox', { name: 'Nombre de la empresa' });
  await name.fill('A medio escribir');
  const question = dialog(page, 'Descartar los cambios');
  for (const leave of [page.getByRole('tab', { name: 'Seguridad' }), page.getByRole('link', { name: 'Exportar Datos' })]) {
    await leave.click();
    await question.getByRole('button', { name: 'Seguir editando' }).click();
    await expect(name).toHaveValue('A medio escribir');
  }
  await page.getByRole('tab', { name: 'Seguridad' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(page.getByLabel('Cerrar la sesión sin actividad (minutos)')).toBeVisible();
});
