import { page } from 'vitest/browser';
import { checkImport, type ImportPedidos, importPedidos } from '../../contract/pedidos/import.ts';
import { listPacks, type Pack } from '../../contract/products/products.ts';
import { type Format, keepFormat, listFormats } from '../../contract/sheets/formats.ts';
import { open } from './app.tsx';
import { server } from './fake-server.ts';
import { aPack, listed } from './samples.ts';

/* A shop for tests of «Importar pedidos», and the actions of a person on that screen. */

const pack = (fields: Partial<Pack>) => aPack({ product_name: 'Miel', available: true, quedan: 100, ...fields });
export const tarro = pack({ name: 'Tarro', alias: 'T1', pack_price: 12.5 });
export const caja = pack({ name: 'Caja grande', alias: 'C1', pack_price: 60 });

/** Units of honey in stock. */
export const shop = { stock: 100 };

/** Sets the answers of a shop with two packs of honey. */
export function openShop(): void {
  shop.stock = 100;
  const formats: Format[] = [];
  server.reply(listFormats, () => ({ data: formats }));
  server.reply(keepFormat, ({ body }) => {
    formats.unshift(body);
    return { success: true as const, message: '' };
  });
  server.answer(listPacks, listed([tarro, caja]));
  server.reply(checkImport, ({ body }) => ({ data: check(body) }));
  server.reply(importPedidos, ({ body }) => made(body));
}

/** The answer to an import. */
export const made = ({ filas }: ImportPedidos) => ({ success: true as const, message: '', creados: filas.length, avisos: [] });
/** The answer to a check, without its envelope. */
export function check({ filas }: ImportPedidos) {
  const price = (id: string | undefined) => (id === tarro.id ? tarro : caja).pack_price;
  const lines = filas.flatMap(({ lineas, pack_id, cantidad }) => lineas ?? [{ pack_id, cantidad }]);
  const needed = lines.reduce((all, { cantidad }) => all + cantidad, 0);
  const faltan = needed > shop.stock ? [`Miel: hacen falta ${needed} unidades y quedan ${shop.stock}`] : [];
  const totales = filas.map(({ lineas, pack_id, cantidad }) =>
    (lineas ?? [{ pack_id, cantidad }]).reduce((all, line) => all + price(line.pack_id) * line.cantidad, 0),
  );
  return { total: totales.reduce((all, each) => all + each, 0), totales, faltan, repetidas: [] };
}

/** Opens the screen as a reseller. */
export const start = () => open('/pedidos/importar', 'revendedor');
/** Pastes rows as from a spreadsheet. */
export async function paste(rows: readonly (readonly string[])[]) {
  await page.getByLabelText('Filas de la hoja').fill(rows.map((row) => row.join('\t')).join('\n'));
  await press('Leer las filas');
}
const bar = page.getByRole('region', { name: 'Crear los pedidos' });
export const create = bar.getByRole('button', { name: /^Crear/ });
export const status = bar.getByRole('status');
export const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
export const field = (name: string) => page.getByRole('textbox', { name, exact: true });
export const picker = (name: string) => page.getByRole('combobox', { name, exact: true });
/** Chooses an option of a picker. */
export async function pick(label: string, option: string | RegExp) {
  await picker(label).click();
  await page.getByRole('option', { name: option }).click();
}
export const done = (words: string) => page.getByRole('heading', { name: words });
/** Bodies of the import requests sent. */
export const sent = () => server.asked(importPedidos).map(({ body }) => body);

export const TITLES = ['Cliente', 'Móvil', 'Calle', 'N.º', 'C.P.', 'Pack', 'Unidades'];
export const ANA = ['Ana Ruiz', '600112233', 'Calle Mayor', '3', '28013'];
export const EVA = ['Eva Gil', '611223344', 'Gran Vía', '12', '46001'];
