import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listPagos } from '../../../contract/payments/payments.ts';
import { aplazarPedido, getPedido, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { expectAccessible, open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';

/* The field of one day, in «Aplazar la entrega». */

let pedido: Pedido;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T09:00:00Z') });
  pedido = aPedido({ estado: 'en_ruta' });
  server.reply(listPedidos, () => pageOf([pedido]));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(listPagos, () => ({ data: [] }));
  server.refuse(aplazarPedido, 422, { message: 'Ese día es festivo', errors: { dia: ['Ese día es festivo'] } });
  open(`/pedidos/${pedido.id}`);
  await page.getByRole('button', { name: 'Más', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Aplazar la entrega' }).click();
});

const dialog = page.getByRole('dialog', { name: 'Aplazar la entrega' });
const field = dialog.getByLabelText(/^Nuevo día/);
const calendar = page.getByRole('dialog', { name: 'Elegir en el calendario' });
const send = () => dialog.getByRole('button', { name: 'Aplazar la entrega' }).click();

test('a day can be typed in short forms, and an invalid day is refused with a sentence', async () => {
  await field.fill('25/11');
  await userEvent.tab();
  await expect.element(field).toHaveValue('25/11/2026');
  await field.fill('treinta');
  await userEvent.tab();
  await expect.element(field).toHaveAccessibleDescription(/Escribe el día así: 25\/11\/2026/);
  await expect.element(field).toHaveValue('treinta');
  await field.fill('1/12/2026');
  await expect.element(field).not.toHaveAccessibleDescription(/Escribe el día así/);
  await send();
  await expect.element(field).toHaveAccessibleDescription(/Ese día es festivo/);
  await expect.element(field).toHaveValue('01/12/2026');
  expect(server.asked(aplazarPedido).map(({ body }) => body?.dia)).toEqual(['2026-12-01']);
});

test('a day from today on is picked by keyboard, and Escape closes only the calendar', async () => {
  await field.click();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(calendar).toBeVisible();
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('20 noviembre 2026');
  await expect.element(calendar.getByRole('button', { name: '19 noviembre 2026' })).toBeDisabled();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(calendar).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Elegir en el calendario' }).click();
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('20 noviembre 2026');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(calendar).not.toBeInTheDocument();
  await expect.element(field).toHaveValue('27/11/2026');
  await send();
  expect(server.asked(aplazarPedido)[0]?.body?.dia).toBe('2026-11-27');
});
