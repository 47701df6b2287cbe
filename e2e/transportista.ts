import type { Locator, Page } from '@playwright/test';
import type { MetodoEntrega } from '../contract/pedidos/metodos.ts';
import { setEstado } from '../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../contract/transportista/transportista.ts';
import type { Client } from '../test/client.ts';
import { type Arranger, expect } from './fixtures.ts';

/* Locators and steps for the tests of a carrier's screens. */

const list = (page: Page, name: string) => page.getByRole('table', { name }).or(page.getByRole('list', { name }));
export const disponibles = (page: Page) => list(page, 'Pedidos disponibles');
export const asignados = (page: Page) => list(page, 'Pedidos asignados');
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** Creates an order assigned to the carrier `client` and moved through `steps`; without steps the order stays `asignado`. */
export async function inHand(api: Arranger, client: Client, fields: object = {}, ...steps: ('en_proceso' | 'en_ruta')[]) {
  const pedido = await api.pedido(fields);
  await client.call(autoAsignar, { params: { id: pedido.id }, body: {} });
  for (const estado of steps) {
    const reply = await client.call(setEstado, { params: { id: pedido.id }, body: { estado } });
    expect(reply.status, reply.text).toBe(200);
  }
  return pedido;
}

export async function complete(client: Client, id: string, metodo_entrega: MetodoEntrega) {
  const reply = await client.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega } });
  expect(reply.status, reply.text).toBe(200);
}

/** Presses the button of the row, or its menu item where the row has no room for the button. */
export async function step(page: Page, pedido: Locator, name: string) {
  const button = pedido.getByRole('button', { name: new RegExp(`^${name} ORD-`) });
  await expect(pedido).toBeVisible();
  if (await button.isVisible()) return button.click();
  await pedido.getByRole('button', { name: /^Más acciones/ }).click();
  return page.getByRole('menuitem', { name }).click();
}

export async function details(page: Page, pedido: Locator) {
  await expect(pedido).toBeVisible();
  const button = pedido.getByRole('button', { name: /^Ver detalles/ });
  if (await button.isVisible()) return button.click();
  return step(page, pedido, 'Ver detalles');
}

/** Draws a signature with a finger on the open canvas. */
export async function draw(page: Page) {
  const surface = page.getByRole('img', { name: 'Recuadro para firmar' });
  // The canvas gets its size once the signature library has loaded.
  await expect.poll(() => surface.evaluate((canvas: HTMLCanvasElement) => canvas.width)).not.toBe(300);
  // The dialog still moves while it opens.
  await surface.tap({ trial: true });
  const box = await surface.boundingBox();
  if (!box) throw new Error('The surface is not on the screen');
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const at = (i: number) => ({ x: box.x + box.width * (0.1 + i * 0.08), y: box.y + box.height * (0.3 + (i % 3) * 0.15) });
  await send('touchStart', [at(0)]);
  for (let i = 1; i < 8; i += 1) await send('touchMove', [at(i)]);
  await send('touchEnd', []);
  await touch.detach();
}
