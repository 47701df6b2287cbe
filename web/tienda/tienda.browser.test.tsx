import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listPacks } from '../../contract/products/products.ts';
import {
  aplicarTienda,
  corregirTienda,
  descartarTienda,
  emparejarTienda,
  type Fuente,
  listFormas,
  listFuentes,
  listIlegibles,
  listParejas,
  listTienda,
  type PedidoTienda,
} from '../../contract/tienda/tienda.ts';
import { expectAccessible, onPhone, open } from '../../test/web/app.tsx';
import { uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { aPack, listed, pageOf } from '../../test/web/samples.ts';

/* «Tienda en línea»: orders of the web shop that need a person's decision. */

const SHOP = uuid();
const aWaiting = (fields: Partial<PedidoTienda> = {}): PedidoTienda => ({
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
  puede_ser: null,
  en_duda: false,
  campos: {},
  lineas: [{ n: 0, clave: 'NUEZ', nombre: 'Nueces', texto: null, cantidad: 2, pack_id: null, sin_mercancia: false, sugerido_id: null }],
  ...fields,
});

const aShop: Fuente = {
  id: SHOP,
  conector: 'woo',
  nombre: 'Tu tienda',
  puerta: `/api/tienda/${SHOP}`,
  comun: false,
  origen: 'tienda.example',
  estado: 'activa',
  url: null,
  clave_api: null,
  secreto_propio: false,
  con_api: true,
  pedidos: 7,
  oido_at: '2026-11-20T09:00:00.000Z',
  sondeo_at: null,
  sondeo_error: null,
  rescatados: 0,
  problema: 'ha apagado su webhook: enciéndelo',
  webhook_apagado: true,
};

let waiting: PedidoTienda[];
const nuts = aPack({ id: uuid(), product_name: 'Nueces', name: 'Bolsa 1 kg', available: true, quedan: 9 });
beforeEach(() => {
  waiting = [aWaiting()];
  server.reply(listTienda, () => pageOf(waiting));
  server.answer(listPacks, listed([nuts]));
  server.answer(listIlegibles, pageOf([]));
  server.answer(listFuentes, listed([]));
  server.answer(listFormas, listed([]));
  server.answer(listParejas, pageOf([]));
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
  await expect.element(page.getByText(/^Cada «Nueces» será Nueces – Bolsa 1 kg: 1 unidad del stock/)).toBeVisible();
  expect(server.asked(emparejarTienda)).toEqual([]);
  await page.getByRole('button', { name: 'Guardar: Nueces' }).click();
  await expect.element(page.getByText('No hay pedidos por revisar')).toBeVisible();
  expect(server.asked(emparejarTienda)[0]?.body).toEqual({ clave: 'NUEZ', pack_id: nuts.id, tienda_id: SHOP });
});

test('a waiting order says its shop on a telephone too', async () => {
  await onPhone();
  open('/tienda');
  await expect.element(page.getByText(/^Tu tienda · 20\/11\/2026/)).toBeVisible();
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

test('an order that waits is corrected, and only what changes is sent', async () => {
  waiting = [
    aWaiting({
      motivo: 'Teléfono: No puede superar los 30 caracteres',
      lineas: [],
      campos: { cliente_nombre: 'Mateo', cliente_telefono: '600' },
    }),
  ];
  server.reply(corregirTienda, () => ({ success: true as const, message: 'Corregido' }));
  open('/tienda');
  await page.getByRole('button', { name: 'Corregir el pedido 7271' }).click();
  await page.getByRole('textbox', { name: 'Teléfono' }).fill('600112233');
  await page.getByRole('button', { name: 'Guardar y leer otra vez' }).click();
  await expect.poll(() => server.asked(corregirTienda)[0]?.body).toEqual({ campos: { cliente_telefono: '600112233' } });
});

test('an order in doubt can be created, and the problem of its shop is shown above', async () => {
  server.answer(listFuentes, listed([aShop]));
  waiting = [aWaiting({ motivo: 'La tienda ya lo da por terminado', lineas: [], en_duda: true })];
  server.reply(corregirTienda, () => ({ success: true as const, message: 'Corregido' }));
  open('/tienda');
  await expect.element(page.getByRole('alert')).toHaveTextContent('«Tu tienda» ha apagado su webhook: enciéndelo');
  await page.getByRole('button', { name: 'Hacer el pedido' }).click();
  await expect.poll(() => server.asked(corregirTienda)[0]?.body).toEqual({ hacer: true });
});

test('the quantity of a line that waits is corrected', async () => {
  waiting = [aWaiting({ motivo: 'La cantidad de «Nueces» no es un número entero: 0', campos: { cliente_nombre: 'Mateo' } })];
  server.reply(corregirTienda, () => ({ success: true as const, message: 'Corregido' }));
  open('/tienda');
  await page.getByRole('button', { name: 'Corregir el pedido 7271' }).click();
  await page.getByRole('textbox', { name: 'Cantidad de Nueces' }).fill('3');
  await page.getByRole('button', { name: 'Guardar y leer otra vez' }).click();
  await expect.poll(() => server.asked(corregirTienda)[0]?.body).toEqual({ lineas: [{ n: 0, cantidad: 3, pack_id: null }] });
});

test('what has changed in the web shop is shown with both values, and applied', async () => {
  const cambios = [{ parte: 'direccion' as const, antes: 'Calle Vieja 1', ahora: 'Calle Nueva 3' }];
  waiting = [
    aWaiting({
      estado: 'creado',
      motivo: null,
      aviso: 'En la tienda ha cambiado el cliente o su dirección',
      lineas: [],
      cambios,
      aplicable: true,
    }),
  ];
  server.reply(aplicarTienda, () => ({ success: true as const, message: 'Hecho' }));
  open('/tienda');
  await expect.element(page.getByText('Calle Nueva 3')).toBeVisible();
  await page.getByRole('button', { name: 'Aplicar: pedido 7271' }).click();
  await expect.poll(() => server.asked(aplicarTienda)).toHaveLength(1);
});

test('the tabs of products and shops are accessible', async () => {
  server.answer(listFuentes, listed([aShop]));
  open('/tienda?tab=tiendas');
  await expect.element(page.getByText(/ha apagado su webhook/)).toBeVisible();
  await expectAccessible();
  await page.getByRole('tab', { name: 'Productos' }).click();
  await expect.element(page.getByText('Todavía no hay ningún producto')).toBeVisible();
  await expectAccessible();
});
