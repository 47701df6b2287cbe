import { readFileSync } from 'node:fs';
import { mesEnPalabras } from '../contract/liquidaciones.ts';
import { monthsBack } from '../test/earning.ts';
import { type Arranger, expect, expectAccessible, row, SUPERADMIN, signIn, test } from './fixtures.ts';
import { closedLastMonth } from './liquidaciones.ts';
import { complete, inHand } from './transportista.ts';

/* What each one earns: from the rule to the statement that is paid. */

const { mes } = monthsBack(1);
const WORDS = mesEnPalabras(mes);

const deliver = async (api: Arranger, person: Parameters<Arranger['as']>[0], pack_id: string, revendedor_id: string) => {
  const carrier = await api.as(person);
  const { id, numero_orden } = await inHand(api, carrier, { pack_id, revendedor_id });
  await complete(carrier, id, 'manual');
  return numero_orden;
};

test('a superadmin says what each one earns, closes the month and pays; each sees their own and the carrier no price', async ({
  page,
  openAs,
  api,
  server,
}) => {
  test.slow();
  const rita = await api.user('revendedor', { full_name: 'Rosa Gil' });
  const tomas = await api.user('transportista', { full_name: 'Luis Paz' });
  const { id: pack_id } = await api.pack({ pack_price: 48 });

  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/gestion-usuarios');
  await page.getByRole('button', { name: 'Lo que gana Rosa Gil' }).click();
  const dialog = page.getByRole('dialog', { name: 'Lo que gana Rosa Gil' });
  await dialog.getByRole('combobox', { name: 'Cómo gana' }).click();
  await page.getByRole('option', { name: 'Un porcentaje' }).click();
  await dialog.getByLabel('Porcentaje (%)').fill('120');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(dialog.getByText('Como máximo 100 %')).toBeVisible();
  await dialog.getByLabel('Porcentaje (%)').fill('12,5');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Guardar' }).dblclick();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Lo que gana Rosa Gil' }).click();
  await expect(dialog.getByLabel('Porcentaje (%)')).toHaveValue('12,50');
  await page.keyboard.press('Escape');

  await page.goto('/gestion-usuarios?rol=transportista');
  await page.getByRole('button', { name: 'Lo que gana Luis Paz' }).click();
  const fees = page.getByRole('dialog', { name: 'Lo que gana Luis Paz' }).getByRole('group', { name: 'Península' });
  await fees.getByLabel('Entrega (€)').fill('3,5');
  await fees.getByLabel('Intento fallido (€)').fill('1');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(fees).toBeHidden();

  const numero = await deliver(api, tomas, pack_id, rita.id);
  const van = await openAs(tomas);
  await van.goto('/');
  await van.getByRole('navigation').getByRole('link', { name: 'Liquidaciones' }).click();
  await expect(van.getByRole('heading', { name: 'Desde la última liquidación' })).toBeVisible();
  await expect(row(van, numero)).toContainText('3,50 €');
  await expect(van.getByRole('main')).not.toContainText('48');

  await page.goto('/liquidaciones');
  await expect(row(page, 'Rosa Gil')).toContainText('6,00 €');
  await expect(page.getByRole('heading', { name: 'Meses por cerrar' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Ajuste' }).click();
  const adjust = page.getByRole('dialog', { name: 'Ajuste' });
  await adjust.getByRole('combobox', { name: 'Persona' }).fill('Luis');
  await page.getByRole('option', { name: 'Luis Paz' }).click();
  await adjust.getByLabel('Importe (€)').fill('-1,25');
  await adjust.getByRole('button', { name: 'Anotar ajuste' }).click();
  await expect(adjust.getByText('Explica el ajuste: la persona lo leerá')).toBeVisible();
  await adjust.getByLabel('Nota').fill('Garrafa rota');
  await adjust.getByRole('button', { name: 'Anotar ajuste' }).dblclick();
  await expect(adjust).toBeHidden();
  await expect(row(page, 'Luis Paz')).toContainText('2,25 €');
  // The window that is open elsewhere hears of it.
  await expect(row(van, 'Garrafa rota')).toContainText('-1,25 €');

  await server.earnedLastMonth();
  await page.reload();
  await page.getByRole('button', { name: `Cerrar ${WORDS}` }).click();
  const question = page.getByRole('dialog', { name: `Cerrar ${WORDS}` });
  await expect(question).toContainText('2 personas, 3 líneas, 8,25 €');
  await question.getByRole('button', { name: `Cerrar ${WORDS}` }).click();
  await expect(page.getByText(`Cerrado ${WORDS}: 2 liquidaciones`)).toBeVisible();
  await expect(page.getByText('No hay nada sin liquidar')).toBeVisible();

  await page.getByRole('table', { name: 'Liquidaciones' }).getByRole('row').filter({ hasText: 'Luis Paz' }).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Liquidación LIQ-\d{10}$/);
  await page.getByRole('button', { name: 'Marcar como pagada' }).click();
  const pay = page.getByRole('dialog', { name: /^Marcar como pagada/ });
  await pay.getByRole('button', { name: 'Marcar como pagada' }).click();
  await expect(pay.getByText('Indica la referencia del pago')).toBeVisible();
  await pay.getByLabel('Referencia').fill('SEPA 17');
  await pay.getByRole('button', { name: 'Marcar como pagada' }).click();
  await expect(page.getByText('SEPA 17')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Liquidaciones');

  await van.goto('/liquidaciones');
  await van.getByRole('table', { name: 'Liquidaciones' }).getByRole('link').click();
  await expect(van.getByRole('main')).toContainText('2,25 €');
  await expect(van.getByRole('main')).toContainText('SEPA 17');
  await expect(van.getByRole('button', { name: 'Marcar como pagada' })).toHaveCount(0);
  for (const [name, begins] of [
    ['PDF', '%PDF-'],
    ['CSV', '\ufeffFecha;Concepto'],
  ] as const) {
    const download = van.waitForEvent('download');
    await van.getByRole('link', { name: `Descargar en ${name}` }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(new RegExp(`^${begins}`));
  }
});

test('what was typed is asked about, a payment is taken back with a reason, and somebody else’s statement is not there', async ({
  page,
  openAs,
  api,
  server,
  allowErrors,
}) => {
  allowErrors(/status of 404/);
  const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
  const [theirs, other] = await closedLastMonth(api, server, [rita, tomas]);
  const shop = await openAs(rita);
  await shop.goto(`/liquidaciones/${other?.id}`);
  await expect(shop.getByText('No se pudo cargar la liquidación')).toBeVisible();
  await shop.goto(`/liquidaciones/${theirs?.id}`);
  await expect(shop.getByRole('main')).toContainText('Feria de Zafra');

  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/liquidaciones/${theirs?.id}`);
  await page.getByRole('button', { name: 'Marcar como pagada' }).click();
  const pay = page.getByRole('dialog', { name: /^Marcar como pagada/ });
  await pay.getByLabel('Referencia').fill('A medias');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Seguir editando' }).click();
  await pay.getByRole('button', { name: 'Marcar como pagada' }).click();
  await expect(shop.getByText('A medias')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar el pago' }).click();
  const back = page.getByRole('dialog', { name: /^Quitar el pago/ });
  await back.getByLabel('Motivo').fill('Devuelta por el banco');
  await back.getByRole('button', { name: 'Quitar el pago' }).click();
  await expect(page.getByRole('main').getByText('Por pagar')).toBeVisible();
  await page.goto(`/liquidaciones?persona=${rita.id}&estado=pagada`);
  await expect(page.getByText('Ninguna liquidación coincide')).toBeVisible();
});
