import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { MOMENTOS } from '../../contract/avisos-cliente/fields.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getSettings, type ShownSettings, updateSettings } from '../../contract/settings/settings.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { theSettings } from '../../test/web/samples.ts';

/* «Avisos al cliente»: channels and texts, with a preview for the customer. */

let stored: ShownSettings;
beforeEach(() => {
  stored = theSettings({ aviso_entregado: 'Entregado, {cliente}' });
  server.reply(getSettings, () => ({ data: stored }));
  server.reply(updateSettings, ({ body: { version: _, ...fields } }) => {
    stored = { ...stored, ...(fields as Partial<ShownSettings>), version: stored.version + 1 };
    return asDone('Configuración guardada', stored);
  });
  // Address of the tab until version 0.2.
  open('/configuracion?tab=messages');
});

const save = page.getByRole('button', { name: 'Guardar cambios' });
const textOf = (moment: keyof typeof MOMENTOS) => page.getByRole('textbox', { name: MOMENTOS[moment].label });
const sent = () => server.asked(updateSettings).map(({ body }) => body);

test('a message text has a preview, and is refused with an unknown placeholder', async () => {
  await page.getByText('Textos de los avisos').click();
  await textOf('en_ruta').fill('Sigue tu pedido en {enlace}');
  await save.click();
  await expect.element(textOf('en_ruta')).toHaveAccessibleDescription(/\{enlace\} no vale en este texto; puedes usar \{cliente\}/);
  await expect.element(textOf('en_ruta')).toHaveFocus();
  expect(sent()).toEqual([]);

  await textOf('en_ruta').fill('¡{cliente}, {repartidor} llega ya! 🚚');
  await expect.element(page.getByText('Se leerá: ¡Ana Ruiz, Tomás Gil llega ya! 🚚')).toBeVisible();
  await page.getByRole('switch', { name: /^Avisar por SMS/ }).click();
  await expectAccessible();
  await save.click();
  await expect.element(page.getByText('Configuración guardada').first()).toBeVisible();
  expect(sent()).toEqual([{ aviso_en_ruta: '¡{cliente}, {repartidor} llega ya! 🚚', canal_sms: false, version: 1 }]);

  const back = page.getByRole('button', { name: new RegExp(`^Volver al texto de Enruta.*${MOMENTOS.entregado.label}`) });
  await expect.element(textOf('entregado')).toHaveValue('Entregado, {cliente}');
  await back.click();
  await expect.element(textOf('entregado')).toHaveValue(MOMENTOS.entregado.texto);
  await expect.element(back).not.toBeInTheDocument();
  await save.click();
  await expect.poll(() => sent().at(-1)).toEqual({ aviso_entregado: MOMENTOS.entregado.texto, version: 2 });
});
