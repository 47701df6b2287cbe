import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Role } from '../contract/policy/policy.ts';
import { row } from './fixtures.ts';
import { asignados, details, dialog, step } from './transportista.ts';

/* Pictures of the guide (docs/guia): their screens, and the steps before each picture. */

export const GUIDE_IMAGES = join(import.meta.dirname, '../docs/guia/img');
export type GuidePicture = {
  name: string;
  role: Role | 'cliente';
  address: string;
  phone?: true;
  /** Width of a desktop window in pixels, if not the default. */
  width?: number;
  /** Height of the window in pixels, for a screen with little content. */
  height?: number;
  /** Texts in the picture that must still exist on the screen. */
  labels: readonly string[];
};
export const GUIDE_PICTURES: readonly GuidePicture[] = JSON.parse(readFileSync(join(GUIDE_IMAGES, 'pictures.json'), 'utf8'));

/** Size of the picture's window in pixels. The desktop default is narrow, so that the navigation is collapsed. */
export const windowOf = ({ phone, width = phone ? 390 : 1100, height = phone ? 760 : 700 }: GuidePicture) => ({ width, height });

const tick = async (page: Page, table: string, count: number) => {
  const boxes = page.getByRole('table', { name: table }).getByRole('cell').getByRole('checkbox');
  for (let i = 0; i < count; i += 1) await boxes.nth(i).check();
};
const SHEET = [
  ['Nombre', 'Teléfono', 'Dirección', 'CP', 'Producto'],
  ['Ana Ruiz Molina', '600 123 987', 'Calle Mayor 3', '28013', 'caja aceite'],
  ['Bar La Plaza', '924 11', 'Plaza de España 1', '06800', 'caja aceite'],
  ['Pedro Gil', '611 202 303', '', '10001', 'caja aceite'],
];
/** One word of its own, which the import asks about. */
const WORDS = [
  ['Nombre', 'Dirección', 'CP', 'Producto', 'Pagado'],
  ['Ana Ruiz Molina', 'Calle Mayor 3', '28013', 'caja aceite', 'No'],
  ['Bar La Plaza', 'Plaza de España 1', '06800', 'caja aceite', 'Ingresado'],
];
const paste = async (page: Page, rows: readonly string[][]) => {
  await page.getByLabel('Filas de la hoja').fill(rows.map((row) => row.join('\t')).join('\n'));
  await page.getByRole('button', { name: 'Leer las filas' }).click();
};
const BEFORE: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'varios-pedidos': (page) => tick(page, 'Pedidos', 3),
  liquidaciones: async (page) => {
    await tick(page, 'Liquidaciones', 2);
    await page.getByRole('heading', { name: 'Liquidaciones cerradas' }).scrollIntoViewIfNeeded();
  },
  invitar: async (page) => {
    await page.getByRole('button', { name: 'Crear revendedor' }).first().click();
    await page.getByRole('dialog').getByLabel('Nombre completo').fill('Iván Rojas Peñalver');
    await page.getByRole('dialog').getByLabel('Email').fill('ivan@example.com');
  },
  importar: (page) => paste(page, SHEET),
  preguntas: async (page) => {
    await paste(page, WORDS);
    await page.getByRole('group', { name: /dice «Ingresado»/ }).scrollIntoViewIfNeeded();
  },
  deshacer: async (page) => {
    await page
      .getByRole('button', { name: /^Acciones del pedido/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Deshacer la entrega' }).click();
  },
  'vuelve-al-almacen': async (page) => {
    await row(asignados(page), 'En Ruta')
      .first()
      .getByRole('button', { name: /^Más acciones/ })
      .click();
    await page.getByRole('menuitem', { name: 'Vuelve al almacén' }).click();
  },
  'nuevo-pedido': fillPedido,
  iva: async (page) => page.getByRole('switch', { name: 'IVA y datos para facturar' }).click(),
  zonas: async (page) => {
    await page.getByRole('combobox', { name: 'Zonas de reparto' }).click();
    await page.getByRole('option', { name: 'Los suyos primero' }).click();
  },
  carga: async (page) => {
    await page.getByRole('button', { name: 'Escanear' }).click();
    await page.getByRole('radio', { name: 'Cargar' }).check();
    await page.getByRole('region', { name: 'Cargados' }).scrollIntoViewIfNeeded();
  },
  ruta: async (page) => {
    await page.getByRole('button', { name: 'Ruta', exact: true }).click();
    await page.getByRole('list', { name: 'Ruta' }).scrollIntoViewIfNeeded();
  },
  avisar: async (page) => {
    await details(page, row(asignados(page), 'En Ruta').first());
    await page.getByRole('button', { name: 'Avisar al cliente', exact: true }).click();
  },
  cobrar: async (page) => details(page, row(asignados(page), /Cobrar \d/).first()),
  firma: async (page) => {
    await step(page, row(asignados(page), 'En Ruta').first(), 'Completar');
    const completing = dialog(page, 'Completar Entrega');
    await completing.getByRole('radio', { name: 'En mano' }).check();
    await completing.getByRole('button', { name: 'Firmar' }).click();
    await sign(page);
  },
  parte: async (page) => {
    await step(page, row(asignados(page), 'En Ruta').first(), 'Completar');
    const completing = dialog(page, 'Completar Entrega');
    await completing.getByRole('button', { name: 'No se entrega todo' }).click();
    // The field of a single unit is a checkbox.
    const damaged = completing.getByLabel('Está dañado').first();
    await damaged.click();
    await damaged.press('1');
  },
  'sin-cobertura': async (page) => {
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await step(page, row(asignados(page), 'Salir a reparto').first(), 'Salir a reparto');
    await page.getByText('Pendiente de enviar').first().scrollIntoViewIfNeeded();
  },
};

/** Opens the screen of a picture and takes the steps before the picture. `payment`: path of an unpaid order's payment page. */
export async function arrangePicture(page: Page, { name, address }: GuidePicture, payment: string): Promise<void> {
  await page.goto(address === '/pagar/$token' ? payment : address);
  await BEFORE[name]?.(page);
}

/** Draws a signature with the mouse. */
async function sign(page: Page): Promise<void> {
  const box = await page.getByRole('img', { name: 'Recuadro para firmar' }).boundingBox();
  if (!box) throw new Error('There is nothing to sign on');
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(0.15, 0.6));
  await page.mouse.down();
  for (let i = 1; i <= 24; i += 1) await page.mouse.move(...at(0.15 + i * 0.028, 0.5 + 0.22 * Math.sin(i * 1.1) * (1 - i / 40)));
  await page.mouse.up();
}

/** Fills the form of a new order. */
export async function fillPedido(page: Page): Promise<void> {
  await page.getByLabel('Nombre').fill('Ana Ruiz Molina');
  await page.getByLabel('Dirección').fill('Calle Mayor 3');
  await page.getByLabel('Teléfono').fill('600 123 987');
  await page.getByLabel('Código Postal').fill('28013');
  await page.getByRole('combobox', { name: 'Pack' }).fill('aceite');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Cantidad' }).fill('3');
  await page.keyboard.press('Tab');
}
