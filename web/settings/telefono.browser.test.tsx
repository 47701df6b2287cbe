import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { comprobarDireccion, getRed, type Red, setRed } from '../../contract/settings/settings.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';

/* «Abrir desde el teléfono»: the local network, and an address of one's own. */

const CLOSED: Red = {
  publica: null,
  abierta: false,
  siempre: false,
  puede: true,
  direcciones: ['http://192.168.1.5:3000', 'http://10.0.0.9:3000'],
};
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('one press opens the program to the same wifi with a QR code, and another closes it', async () => {
  let red = CLOSED;
  server.reply(getRed, () => ({ data: red }));
  server.reply(setRed, ({ body }) => {
    red = { ...red, ...body };
    return asDone('Hecho', red);
  });
  open('/telefono');
  await expect.element(page.getByText(/Entra solo quien tenga cuenta/)).toBeVisible();
  expect(page.getByRole('img', { name: /^Código QR/ }).elements()).toHaveLength(0);
  await expectAccessible();
  await press('Abrir en esta wifi');
  await expect.element(page.getByRole('img', { name: 'Código QR de http://192.168.1.5:3000' })).toBeVisible();
  await expect.element(page.getByText('Si no abre, prueba con http://10.0.0.9:3000.')).toBeVisible();
  await page.getByRole('switch', { name: /^Abrirlo también/ }).click();
  await expectAccessible();
  await press('Cerrarlo');
  await expect.element(page.getByRole('button', { name: 'Abrir en esta wifi' })).toBeVisible();
  expect(server.asked(setRed).map(({ body }) => body)).toEqual([
    { abierta: true, siempre: false },
    { abierta: true, siempre: true },
    { abierta: false, siempre: false },
  ]);
});

test.each([
  ['nombre', /registro A/],
  ['puerto', /el puerto 443 está cerrado/],
  ['certificado', /su certificado no vale/],
  ['otro_programa', /Contesta otro programa/],
  [null, /Lleva a este Enruta/],
] as const)('an own address that lacks «%s» says what to do', async (fallo, sentence) => {
  server.answer(getRed, { data: CLOSED });
  server.answer(comprobarDireccion, { data: { direccion: 'https://pedidos.tienda.es', fallo } });
  open('/telefono');
  await page.getByRole('textbox', { name: 'Dirección' }).fill('pedidos.tienda.es');
  await press('Comprobar');
  await expect.element(page.getByRole('note').filter({ hasText: 'https://pedidos.tienda.es' })).toMatchTextContent(sentence);
});

test('a shop with a public address shows that address alone', async () => {
  server.answer(getRed, { data: { ...CLOSED, publica: 'https://pedidos.tienda.es', abierta: true, puede: false } });
  open('/telefono');
  await expect.element(page.getByRole('link', { name: 'https://pedidos.tienda.es' })).toBeVisible();
  expect(page.getByRole('button', { name: 'Abrir en esta wifi' }).elements()).toHaveLength(0);
});
