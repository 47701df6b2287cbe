import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { address, expectAccessible, onPhone, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';

/* «Ayuda»: the guide of the person's role, opened at the section of the previous screen. */

const heading = (name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const guides = page.getByRole('navigation', { name: 'Guías' });
const contents = page.getByRole('navigation', { name: 'Contenido' });
const section = () => decodeURIComponent(location.hash);
const top = (name: string) => heading(name).element().getBoundingClientRect().top;

// Must run first: an earlier test would leave the picture in the browser's cache.
test('a picture of the guide loads when it scrolls near, and reserves its space before', async () => {
  open('/ayuda', 'superadmin');
  const picture = page.getByRole('img', { name: /^Liquidaciones elegidas/ });
  await expect.element(picture).toBeInTheDocument();
  const image = picture.element() as HTMLImageElement;
  expect(image.naturalWidth).toBe(0);
  const { width, height } = image.getBoundingClientRect();
  expect(width).toBeGreaterThan(400);
  expect(width / height).toBeCloseTo(Number(image.getAttribute('width')) / Number(image.getAttribute('height')), 1);
  image.scrollIntoView();
  await expect.poll(() => image.naturalWidth).toBeGreaterThan(0);
});

test('«Ayuda» in the menu on «Mis Pedidos» opens that section of the reseller guide', async () => {
  server.answer(listPedidos, pageOf([aPedido({})]));
  open('/mis-pedidos', 'revendedor');
  await page.getByRole('button', { name: /^Rita Sanz/ }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Mi cuenta' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Ayuda' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/ayuda');
  await expect.poll(section).toBe('#mis-pedidos');
  await expect.element(heading('Mis Pedidos')).toHaveFocus();
  await expect.element(page.getByText('Guía del revendedor').first()).toBeVisible();
  await expect.poll(() => top('Mis Pedidos')).toBeLessThan(200);
  await expect.element(guides).not.toBeInTheDocument();
  await expectAccessible();
});

test('help for a settings tab opens at the section of that tab', async () => {
  open('/ayuda?desde=/configuracion%3Ftab=database');
  await expect.poll(section).toBe('#copias-de-seguridad');
  await expect.element(page.getByRole('heading', { level: 3, name: 'Copias de seguridad' })).toHaveFocus();
});

test('the help is reached from the list of shortcuts and from the command box', async () => {
  open('/mi-cuenta', 'transportista');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Mi cuenta' })).toBeVisible();
  await userEvent.keyboard('?');
  await page.getByRole('link', { name: 'Ayuda de esta pantalla' }).click();
  await expect.poll(section).toBe('#mi-cuenta');
  await expect.element(heading('Mi cuenta')).toHaveFocus();
  await page.getByRole('button', { name: /^Buscar o ir a/ }).click();
  await page.getByRole('combobox', { name: 'Buscar o ir a' }).fill('manual');
  await expect.element(page.getByRole('option').first()).toMatchTextContent('Ayuda');
});

test.for(['administrador', 'revendedor'])('a carrier cannot open the guide of the %s', async (name) => {
  open(`/ayuda/${name}`, 'transportista');
  await expect.poll(address).toBe('/transportista-dashboard');
});

test('a superadmin can read all three guides', async () => {
  open('/ayuda');
  await expect.element(heading('Gestión de Usuarios')).toBeInTheDocument();
  await expectAccessible();
  for (const [label, own] of [
    ['Revendedor', 'Mis Pedidos'],
    ['Transportista', 'Pedidos Asignados'],
    ['Administrador', 'Control de Stock'],
  ] as const) {
    await guides.getByRole('link', { name: label }).click();
    await expect.element(heading(own)).toBeInTheDocument();
    await expect.element(guides.getByRole('link', { name: label })).toHaveAttribute('aria-current', 'page');
  }
  await page.getByRole('article').getByRole('link', { name: 'de los revendedores' }).first().click();
  await expect.poll(address).toBe('/ayuda/revendedor');
  await expect.element(heading('Nuevo Pedido')).toHaveFocus();
});

test('the contents of a guide lead to its sections, and are folded on a phone', async () => {
  open('/ayuda', 'transportista');
  await contents.getByRole('link', { name: 'Los estados de un pedido' }).click();
  await expect.element(heading('Los estados de un pedido')).toHaveFocus();
  await expectAccessible();
  await onPhone();
  await expect.element(contents).not.toBeInTheDocument();
  await page.getByText('Contenido', { exact: true }).click();
  await contents.getByRole('link', { name: 'Liquidaciones' }).click();
  await expect.element(heading('Liquidaciones')).toHaveFocus();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
  await expectAccessible();
});
