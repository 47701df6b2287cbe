import { beforeEach, expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { calcularTotal, listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../../contract/pedidos/schemas.ts';
import { listPacks, listProducts } from '../../../contract/products/products.ts';
import { onPhone, open, person } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { row } from '../../../test/web/list.ts';
import { aPack, aPedido, aProduct, aTotal, listed, pageOf } from '../../../test/web/samples.ts';
import { toast } from './toast.tsx';

/* Toasts on a phone: one at a time, above the buttons at the bottom, and clear of titles. */

beforeEach(async () => {
  await onPhone();
});

const shown = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Cerrar aviso' }) });
const box = (element: Element) => element.getBoundingClientRect();

/** Expects a toast in the window that stays clear of the given elements. */
async function clearOf(...kept: (Locator | Element)[]) {
  const elements = kept.map((each) => (each instanceof Element ? each : each.element()));
  toast.success('Pedido 12345 guardado con todas sus líneas; el cliente recibe un correo con el enlace', {
    action: { label: 'Deshacer', onClick: () => undefined },
    autoClose: false,
  });
  await expect.element(shown).toBeVisible();
  await expect
    .poll(() => {
      const toast = box(shown.element());
      const covered = elements.filter((element) => box(element).top < toast.bottom && box(element).bottom > toast.top);
      return {
        covered: covered.map((element) => element.textContent || element.ariaLabel),
        inside: toast.top > 0 && toast.bottom < innerHeight,
      };
    })
    .toEqual({ covered: [], inside: true });
}
/** Title and every button of a dialog. */
function partsOf(name: string): Element[] {
  const dialog = page.getByRole('dialog', { name });
  return [dialog.getByRole('heading', { name }).element(), ...dialog.getByRole('button').elements()];
}

test('a toast on a phone replaces the earlier toast, even a toast with a button', async () => {
  open('/pedidos');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const action = { label: 'Deshacer', onClick: () => undefined };
  for (const text of ['Primero', 'Segundo', 'Tercero']) toast.success(text, { action, autoClose: false });
  await expect.element(shown).toMatchTextContent('Tercero');
  expect(shown.elements()).toHaveLength(1);
});

test('a toast over a form stands above the buttons at the bottom and below the title', async () => {
  const me = person('transportista');
  const pedido = aPedido({ estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name });
  server.answer(listPedidos, pageOf([pedidoTransportista.parse(pedido)]));
  open('/pedidos-asignados', 'transportista');
  await row(pedido.numero_orden)
    .getByRole('button', { name: /^Completar/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Completar Entrega' });
  await expect.element(dialog.getByRole('button', { name: 'Completar entrega' })).toBeVisible();
  await clearOf(...partsOf('Completar Entrega'));
});

test.each(['Nuevo producto', 'Nuevo pack'])('a toast over «%s» covers neither title nor buttons', async (name) => {
  server.answer(listProducts, listed([aProduct()]));
  open('/control-stock');
  await page.getByRole('button', { name, exact: true }).click();
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Cancelar' })).toBeVisible();
  await clearOf(...partsOf(name));
});

test('a toast over a list stands above the bar of the chosen rows, even if the bar appears later', async () => {
  server.answer(listPedidos, pageOf(Array.from({ length: 9 }, (_, i) => aPedido({ cliente_nombre: `Hotel ${i}` }))));
  open('/pedidos');
  await row('Hotel 0').getByRole('checkbox').click();
  const bar = page.getByRole('region', { name: 'Pedidos elegidos' });
  await expect.element(bar).toBeVisible();
  await clearOf(page.getByRole('heading', { level: 1 }), bar);
  await row('Hotel 0').getByRole('checkbox').click();
  await expect.element(bar).not.toBeInTheDocument();
  await clearOf(page.getByRole('heading', { level: 1 }));
  await row('Hotel 0').getByRole('checkbox').click();
  await expect.element(bar).toBeVisible();
  await expect.poll(() => box(shown.element()).bottom).toBeLessThanOrEqual(box(bar.element()).top);
});

test('a toast stands above the total and the button of a new order', async () => {
  server.answer(listPacks, listed([aPack()]));
  server.reply(calcularTotal, ({ body }) => aTotal(body, []));
  open('/pedidos/nuevo', 'revendedor');
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(page.getByRole('button', { name: 'Crear Pedido' })).toBeVisible();
  await clearOf(heading, page.getByRole('button', { name: 'Crear Pedido' }), page.getByText('Total', { exact: true }).first());
});

test('a toast in a wide window stands above the bar of the chosen rows until the bar leaves', async () => {
  await page.viewport(1280, 720);
  server.answer(listPedidos, pageOf(Array.from({ length: 20 }, (_, i) => aPedido({ cliente_nombre: `Hotel ${i}` }))));
  open('/pedidos');
  await row('Hotel 0').getByRole('checkbox').click();
  const bar = page.getByRole('region', { name: 'Pedidos elegidos' });
  await expect.element(bar).toBeVisible();
  await clearOf(bar);
  const before = box(shown.element()).bottom;
  await row('Hotel 0').getByRole('checkbox').click();
  await expect.poll(() => box(shown.element()).bottom).toBeGreaterThan(before);
});

test('a toast over a list covers no button and no input, in wide windows of three sizes', async () => {
  await page.viewport(1280, 800);
  server.answer(listPedidos, pageOf(Array.from({ length: 20 }, (_, i) => aPedido({ cliente_nombre: `Hotel ${i}` }))));
  open('/pedidos');
  await expect.element(row('Hotel 0')).toBeVisible();
  toast.success('Pedido guardado', { action: { label: 'Deshacer', onClick: () => undefined }, autoClose: false });
  await expect.element(shown).toBeVisible();
  const covered = () => {
    const at = box(shown.element());
    const isUnder = (element: Element) => {
      const { left, right, top, bottom, height } = box(element);
      return height > 0 && left < at.right && right > at.left && top < at.bottom && bottom > at.top;
    };
    return [...document.querySelectorAll('main button, main input')]
      .filter(isUnder)
      .map((element) => element.ariaLabel ?? element.textContent);
  };
  for (const width of [1280, 1440, 1920]) {
    await page.viewport(width, 800);
    await expect.poll(covered, { message: `${width}` }).toEqual([]);
  }
});
