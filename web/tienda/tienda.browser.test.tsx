import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listPacks } from '../../contract/products/products.ts';
import { descartarTienda, emparejarTienda, listTienda, type PedidoTienda } from '../../contract/tienda/tienda.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { aPack, listed, pageOf } from '../../test/web/samples.ts';

/* «Tienda en línea»: orders of the web shop that need a person's decision. */

const SHOP = uuid();
const aWaiting = (given: Partial<PedidoTienda> = {}): PedidoTienda => ({
  id: uuid(),
  numero: '7271',
  estado: 'por_revisar',
  motivo: 'Falta decir qué pack es «Nueces»',
  aviso: null,
  pedido_id: null,
  numero_orden: null,
  recibido_at: '2026-11-20T09:00:00.000Z',
  cliente: 'Mateo Ruiz',
  total: 59.95,
  tienda_id: SHOP,
  tienda: 'Tu tienda',
  mensaje: [{ que: 'Para', texto: 'Mateo Ruiz' }],
  cambios: [],
  aplicable: false,
  forma: null,
  recogida: null,
  campos: {},
  lineas: [{ n: 0, clave: 'NUEZ', nombre: 'Nueces', texto: null, cantidad: 2, pack_id: null, sin_mercancia: false, sugerido_id: null }],
  ...given,
});

let waiting: PedidoTienda[];
const nuts = aPack({ id: uuid(), product_name: 'Nueces', name: 'Bolsa 1 kg', available: true, quedan: 9 });
beforeEach(() => {
  waiting = [aWaiting()];
  server.reply(listTienda, () => pageOf(waiting));
  server.answer(listPacks, listed([nuts]));
  server.reply(emparejarTienda, () => {
    waiting = [];
    return { success: true as const, message: 'Guardado' };
  });
  server.reply(descartarTienda, () => {
    waiting = [];
    return { success: true as const, message: 'Descartado' };
  });
});

test('an unknown product of the web shop is matched with a pack', async () => {
  open('/tienda');
  await expect.element(page.getByText('Falta decir qué pack es «Nueces»')).toBeVisible();
  await expectAccessible();
  await page.getByRole('combobox', { name: '2 × Nueces (NUEZ)' }).click();
  await page.getByRole('option', { name: /Nueces – Bolsa 1 kg/ }).click();
  await expect.element(page.getByText('No hay pedidos por revisar')).toBeVisible();
  expect(server.asked(emparejarTienda)[0]?.body).toEqual({ clave: 'NUEZ', pack_id: nuts.id });
});

test('a change in the web shop after departure is shown with the order, and can be marked as seen', async () => {
  const pedido_id = uuid();
  waiting = [
    aWaiting({
      estado: 'creado',
      motivo: null,
      aviso: 'La tienda lo ha cancelado, pero ya había salido',
      pedido_id,
      numero_orden: 'ORD-2026000017',
      lineas: [],
    }),
  ];
  open('/tienda');
  await expect.element(page.getByRole('link', { name: 'ORD-2026000017' })).toHaveAttribute('href', `/pedidos/${pedido_id}`);
  await page.getByRole('button', { name: 'Visto: pedido 7271' }).click();
  await expect.element(page.getByText('No hay pedidos por revisar')).toBeVisible();
});
