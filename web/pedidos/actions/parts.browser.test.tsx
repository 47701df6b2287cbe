import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { getPedido, listPedidos, type PedidoTransportista, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { getUser } from '../../../contract/session/session.ts';
import { close, expectAccessible, onPhone, open, person, reload } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';

/* Partial delivery in the dialog that completes an order. */

const LINES = [
  { numero: 1, producto: 'Aceite – Caja', cantidad: 3, por_cobrar: 30 },
  { numero: 2, producto: 'Miel – Tarro', cantidad: 1, por_cobrar: 6.5 },
];
const NEGOCIO = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;

let pedido: PedidoTransportista;
beforeEach(async () => {
  await onPhone();
  sessionStorage.clear();
  const carrier = person('transportista').id;
  const { lineas: _, ...fields } = aPedido({
    estado: 'en_ruta',
    transportista_id: carrier,
    num_lineas: 2,
    contra_reembolso: true,
    por_cobrar: 41.5,
  });
  pedido = { ...fields, lineas: LINES };
  server.reply(listPedidos, () => pageOf([pedido]));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(setEstado, () => asDone('Hecho', { ...pedido, estado: 'completado' }));
});

const dialog = page.getByRole('dialog', { name: 'Completar Entrega' });
const complete = () => dialog.getByRole('button', { name: 'Completar entrega', exact: true }).click();
const bodies = () => server.asked(setEstado).map(({ body }) => body);
const oil = dialog.getByRole('group', { name: '3 × Aceite – Caja' });
const honey = dialog.getByRole('group', { name: '1 × Miel – Tarro' });
const notAll = dialog.getByRole('button', { name: 'No se entrega todo' });

const signedIn = (partes: boolean) =>
  server.answer(getUser, { user: { ...person('transportista'), ...(partes && { partes: true as const }) }, negocio: NEGOCIO });

async function openDialog(partes = true) {
  open('/pedidos-asignados', 'transportista');
  signedIn(partes);
  await page
    .getByRole('button', { name: /^Completar/ })
    .first()
    .click();
  await expect.element(dialog).toBeVisible();
  await dialog.getByRole('radio', { name: 'Reparto propio', exact: true }).click();
}

test('undelivered goods are noted by line and reason, and the amount to collect follows', async () => {
  await openDialog();
  await notAll.click();
  await oil.getByRole('textbox', { name: 'No lo quiere' }).fill('1');
  await oil.getByRole('textbox', { name: 'Está dañado' }).fill('1');
  await honey.getByRole('checkbox', { name: 'No venía' }).click();
  await expect.element(dialog.getByRole('textbox', { name: 'Cobrar 15,00 €' })).toHaveValue('15,00');
  await expectAccessible();
  await dialog.getByRole('radio', { name: 'Efectivo' }).click();
  await complete();
  await expect.poll(() => bodies().length).toBe(1);
  expect(bodies()[0]).toMatchObject({
    ...{ estado: 'completado', cobrado: 15, cobrado_motivo: null },
    no_entregado: [
      { numero: 1, cantidad: 1, motivo: 'rechazado' },
      { numero: 1, cantidad: 1, motivo: 'danado' },
      { numero: 2, cantidad: 1, motivo: 'falta' },
    ],
  });
});

test('a partial delivery must deliver something, and cannot omit more units than were ordered', async () => {
  await openDialog();
  await notAll.click();
  await oil.getByRole('textbox', { name: 'No venía' }).fill('3');
  await honey.getByRole('checkbox', { name: 'No venía' }).click();
  await dialog.getByRole('radio', { name: 'Efectivo' }).click();
  await complete();
  await expect.element(dialog.getByText('Si no se entrega nada, registra un intento fallido')).toBeVisible();
  await oil.getByRole('textbox', { name: 'No venía' }).fill('4');
  await complete();
  await expect.element(dialog.getByText('No puede faltar más de lo que se pidió')).toBeVisible();
  expect(bodies()).toEqual([]);
});

test('undelivered quantities survive a killed tab, until «Se entrega todo» removes the quantities', async () => {
  await openDialog();
  await notAll.click();
  await oil.getByRole('textbox', { name: 'No venía' }).fill('2');
  // A killed tab runs no clean-up.
  await expect.poll(() => JSON.stringify(Object.values(sessionStorage))).toContain('1 falta');
  const stored = Object.entries(sessionStorage);
  close();
  for (const [name, value] of stored) sessionStorage.setItem(name, value);
  reload('transportista');
  signedIn(true);
  await expect.element(oil.getByRole('textbox', { name: 'No venía' })).toHaveValue('2');
  await dialog.getByRole('button', { name: 'Se entrega todo' }).click();
  await expect.element(dialog.getByRole('textbox', { name: 'Cobrar 41,50 €' })).toHaveValue('41,50');
  await dialog.getByRole('radio', { name: 'Efectivo' }).click();
  await complete();
  await expect.poll(() => bodies().length).toBe(1);
  expect(bodies()[0]).not.toHaveProperty('no_entregado');
});

test('a shop without partial deliveries does not offer them', async () => {
  await openDialog(false);
  await expect.element(dialog.getByRole('button', { name: 'Completar entrega', exact: true })).toBeVisible();
  await expect.element(notAll).not.toBeInTheDocument();
});
