import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Role } from '../contract/policy.ts';

/* The pictures of the guide (docs/guia): which screens they show, and what is done there before one is taken. */

export const GUIDE_IMAGES = join(import.meta.dirname, '../docs/guia/img');
export type GuidePicture = {
  name: string;
  role: Role | 'cliente';
  address: string;
  phone?: true;
  /** Width of the window on the desk, if not the usual one. */
  width?: number;
  /** Texts on the picture that a reader looks for on the screen. */
  labels: readonly string[];
};
export const GUIDE_PICTURES: readonly GuidePicture[] = JSON.parse(readFileSync(join(GUIDE_IMAGES, 'pictures.json'), 'utf8'));

/** Window of a picture; on the desk the navigation mostly is narrow. */
export const windowOf = ({ phone, width = 1100 }: GuidePicture) => (phone ? { width: 390, height: 760 } : { width, height: 700 });

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
const BEFORE: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'varios-pedidos': (page) => tick(page, 'Pedidos', 3),
  liquidaciones: async (page) => {
    await tick(page, 'Liquidaciones', 2);
    await page.getByRole('heading', { name: 'Liquidaciones cerradas' }).scrollIntoViewIfNeeded();
  },
  invitar: async (page) => {
    await page.getByRole('button', { name: 'Invitar' }).click();
    await page.getByRole('dialog').getByLabel('Nombre completo').fill('Iván Rojas Peñalver');
    await page.getByRole('dialog').getByLabel('Email').fill('ivan@example.com');
  },
  importar: async (page) => {
    await page.getByLabel('Filas de la hoja').fill(SHEET.map((row) => row.join('\t')).join('\n'));
    await page.getByRole('button', { name: 'Leer las filas' }).click();
  },
  'nuevo-pedido': fillPedido,
};

/** Opens the screen of a picture and does what the picture shows; `payment` is the address of an unpaid order's page. */
export async function arrangePicture(page: Page, { name, address }: GuidePicture, payment: string): Promise<void> {
  await page.goto(address === '/pagar/$token' ? payment : address);
  await BEFORE[name]?.(page);
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
