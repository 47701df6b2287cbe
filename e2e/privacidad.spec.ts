import { createPedido, setEstado } from '../contract/pedidos.ts';
import type { Arranger } from './fixtures.ts';
import { expect, expectAccessible, proveIn, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Personal data: finding a person, giving them their data, blocking it, anonymising it. */

const NAME = 'Remedios Alba Cano';

/** An order of this customer that has ended. */
async function ended(api: Arranger, given: object = {}) {
  const pedido = await api.pedido({ cliente_nombre: NAME, cliente_telefono: '655 11 22 33', cliente_provincia: 'Soria', ...given });
  await api.admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  return pedido;
}

test('a person is found, exported and blocked, seen by nobody meanwhile, and unblocked', async ({ page, openAs, api, allowErrors }) => {
  allowErrors(/status of 403 .*\/api\/(privacidad|cuenta)/);
  const reseller = await api.user('revendedor');
  const pedido = await ended(api, { revendedor_id: reseller.id });
  await ended(api, { revendedor_id: reseller.id });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/');
  const theirs = await openAs(reseller);
  await theirs.goto('/privacidad');
  await expect(theirs).not.toHaveURL(/privacidad/);
  await theirs.goto(`/mis-pedidos?search=${pedido.numero_orden}`);
  await expect(row(theirs, NAME)).toBeVisible();

  await page.goto('/privacidad');
  await page.getByLabel('Nombre, teléfono o email').fill('re');
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  await expect(page.getByText('Escribe al menos 3 letras o cifras')).toBeVisible();
  await page.getByLabel('Nombre, teléfono o email').fill('655112233');
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  // A session left open finds nobody.
  await proveIn(page, SUPERADMIN.password);
  const people = page.getByRole('list', { name: 'Clientes encontrados' });
  await expect(people.getByRole('listitem')).toHaveCount(1);
  await expect(people).toContainText('2 pedidos');
  await expect(page).toHaveURL(/search=655112233/);
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `Exportar los datos de ${NAME}` }).click();
  expect((await download).suggestedFilename()).toMatch(/^datos-personales-.*\.json$/);

  await page.getByRole('button', { name: `Bloquear los datos de ${NAME}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Bloquear los datos' });
  await dialog.getByRole('button', { name: 'Bloquear' }).click();
  await expect(dialog.getByText('Indica el motivo', { exact: true })).toBeVisible();
  await dialog.getByLabel('Motivo').fill('Lo pide por una reclamación');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Bloquear' }).click();
  await expect(page.getByText('2 pedidos bloqueados')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('No se ha encontrado a nadie')).toBeVisible();
  await expect(row(page, pedido.numero_orden)).toContainText('Lo pide por una reclamación');
  // The reseller's list hears of it at once.
  await expect(row(theirs, 'Cliente bloqueado')).toBeVisible();
  await expect(theirs.getByText(NAME)).toBeHidden();
  await row(theirs, 'Cliente bloqueado').getByText('Cliente bloqueado').click();
  await expect(theirs.getByRole('dialog').getByText('Datos bloqueados')).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Repetir pedido' })).toBeHidden();

  await page.getByRole('link', { name: pedido.numero_orden }).click();
  await expect(page.getByText('Datos bloqueados', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Editar' })).toBeHidden();
  await page.goBack();

  await page.getByRole('button', { name: `Desbloquear ${pedido.numero_orden}` }).click();
  const undo = page.getByRole('dialog', { name: 'Desbloquear los datos' });
  await undo.getByLabel('Motivo').fill('Resuelto');
  await undo.getByRole('button', { name: 'Desbloquear' }).click();
  await expect(page.getByText('1 pedido desbloqueado', { exact: true })).toBeVisible();
  await expect(people.getByRole('listitem')).toContainText(NAME);
});

test('anonymising asks for its word, is refused while an order is open, and the order says so for ever', async ({
  page,
  api,
  allowErrors,
}) => {
  allowErrors(/status of 409/, /status of 403 .*\/api\/privacidad/);
  const cliente = { cliente_nombre: 'Sancho Gil Rey', cliente_telefono: '677 88 99 00' };
  const pedido = await ended(api, cliente);
  const { body } = await api.admin.call(createPedido, {
    body: { ...cliente, cliente_direccion: 'Calle 1', producto: 'Cesta', precio_total: 10 },
  });
  const open = body.data;
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/privacidad?search=sancho+gil');
  await proveIn(page, SUPERADMIN.password);
  await expect(page.getByText('1 sin terminar')).toBeVisible();
  const anonymise = async () => {
    await page.getByRole('button', { name: 'Anonimizar los datos de Sancho Gil Rey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Anonimizar los datos' });
    await dialog.getByLabel('Motivo').fill('Lo pide');
    await dialog.getByRole('button', { name: 'Anonimizar para siempre' }).click();
    await expect(dialog.getByLabel('Escribe ANONIMIZAR para confirmar')).toBeFocused();
    await dialog.getByLabel('Escribe ANONIMIZAR para confirmar').fill('ANONIMIZAR');
    await dialog.getByRole('button', { name: 'Anonimizar para siempre' }).click();
    await expect(dialog).toBeHidden();
  };
  await anonymise();
  await expect(page.getByText(`Estos pedidos no han terminado: complétalos o cancélalos antes. ${open.numero_orden}.`)).toBeVisible();
  await api.admin.call(setEstado, { params: { id: open.id }, body: { estado: 'cancelado' } });
  await expect(page.getByText('1 sin terminar')).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 sin terminar')).toBeHidden();
  await anonymise();
  await expect(page.getByText('2 pedidos anonimizados')).toBeVisible();
  await page.goto(`/pedidos/${pedido.id}`);
  await expect(page.getByText(/^Datos anonimizados el \d/)).toBeVisible();
  await expect(page.getByText('Cliente anonimizado').first()).toBeVisible();
  await expectAccessible(page);
});
