import { readFileSync } from 'node:fs';
import { mesEnPalabras } from '../contract/liquidaciones/fields.ts';
import { setGanancia } from '../contract/liquidaciones/liquidaciones.ts';
import { monthsBack } from '../test/earning.ts';
import { expect, row, SUPERADMIN, signIn, test } from './fixtures.ts';
import { complete, inHand } from './transportista.ts';

/* Office and carrier close and pay a month. The screens themselves are tested in web/liquidaciones/liquidaciones.browser.test.tsx. */

const WORDS = mesEnPalabras(monthsBack(1).mes);

test('the earnings of a month are closed and paid, and the carrier’s statement shows no prices', async ({ page, openAs, api, server }) => {
  const [rosa, luis] = [
    await api.user('revendedor', { full_name: 'Rosa Gil' }),
    await api.user('transportista', { full_name: 'Luis Paz' }),
  ];
  const margen = { tipo: 'porcentaje', valor: 12.5 } as const;
  const tarifas = [{ zona: 'peninsula', entrega: 3.5, intento: 1 } as const];
  await api.admin.call(setGanancia, { params: { id: rosa.id }, body: { margen } });
  await api.admin.call(setGanancia, { params: { id: luis.id }, body: { tarifas } });
  const { id: pack_id } = await api.pack({ pack_price: 48 });
  const van = await openAs(luis);
  await van.goto('/liquidaciones');
  await expect(van.getByText('Nada desde la última liquidación')).toBeVisible();
  const carrier = await api.as(luis);
  const { id, numero_orden } = await inHand(api, carrier, { pack_id, revendedor_id: rosa.id });
  await complete(carrier, id, 'manual');
  // The carrier's open window updates live.
  await expect(row(van, numero_orden)).toContainText('3,50 €');
  await expect(van.getByRole('main')).not.toContainText('48');

  await server.earnedLastMonth();
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/liquidaciones');
  await page.getByRole('button', { name: `Cerrar ${WORDS}` }).click();
  const question = page.getByRole('dialog', { name: `Cerrar ${WORDS}` });
  await expect(question).toContainText('2 personas, 2 líneas, 9,50 €');
  await question.getByRole('button', { name: `Cerrar ${WORDS}` }).click();
  await expect(page.getByText(`Cerrado ${WORDS}: 2 liquidaciones`)).toBeVisible();
  await page.getByRole('table', { name: 'Liquidaciones' }).getByRole('row').filter({ hasText: 'Luis Paz' }).getByRole('link').click();
  await page.getByRole('button', { name: 'Marcar como pagada' }).click();
  const pay = page.getByRole('dialog', { name: /^Marcar como pagada/ });
  await pay.getByLabel('Referencia').fill('SEPA 17');
  await pay.getByRole('button', { name: 'Marcar como pagada' }).click();
  await expect(page.getByText('SEPA 17')).toBeVisible();

  await van.getByRole('table', { name: 'Liquidaciones' }).getByRole('link').click();
  await expect(van.getByRole('main')).toContainText('SEPA 17');
  await expect(van.getByRole('main')).not.toContainText('48');
  for (const [name, begins] of [
    ['PDF', '%PDF-'],
    ['CSV', '\ufeffFecha;Concepto'],
  ] as const) {
    const download = van.waitForEvent('download');
    await van.getByRole('link', { name: `Descargar en ${name}` }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(new RegExp(`^${begins}`));
  }
});
