import axe from 'axe-core';
import { beforeEach, expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { z } from 'zod';
import { listLogs } from '../../../contract/audit/audit.ts';
import { logEntry } from '../../../contract/audit/schemas.ts';
import { listExports } from '../../../contract/exports/exports.ts';
import { exportRecord } from '../../../contract/exports/schemas.ts';
import { getAbierta, listLiquidaciones } from '../../../contract/liquidaciones/liquidaciones.ts';
import { liquidacion } from '../../../contract/liquidaciones/schemas.ts';
import { listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { listBloqueos } from '../../../contract/privacidad/privacidad.ts';
import { bloqueo } from '../../../contract/privacidad/schemas.ts';
import { listPacks, listProducts } from '../../../contract/products/products.ts';
import { transportistasStats } from '../../../contract/stats/stats.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { address, expectAccessible, onPhone, open } from '../../../test/web/app.tsx';
import { emptyOf, uuid } from '../../../test/web/empty-answer.ts';
import { server } from '../../../test/web/fake-server.ts';
import { head, rows, sortOf } from '../../../test/web/list.ts';
import { aPack, aPedido, aProduct, aUser, listed, pageOf } from '../../../test/web/samples.ts';

/*
 * The table of every list: cards on a phone, and rows that scroll between head and foot. Tests reach every row with wheel and keys; none
 * scrolls from code.
 */

const twenty = <T,>(make: (i: number) => T): T[] => Array.from({ length: 20 }, (_, i) => make(i));
let pedidos: Pedido[];
beforeEach(() => {
  pedidos = twenty((i) => aPedido({ cliente_nombre: `Cliente ${i}`, cliente_telefono: '600 11 22 33' }));
  server.reply(listPedidos, ({ query }) => ({ ...pageOf(pedidos, 45), current_page: Number(query.page ?? 1) }));
});

const tableOf = (name: string) => page.getByRole('table', { name, exact: true });
const seen = page.getByRole('table', { name: 'Pedidos' });
const top = page.getByRole('banner');

/** True if the element's bottom is inside the window and uncovered. */
function inSight(of: Locator): boolean {
  const element = of.query();
  if (!element) return false;
  const { left, bottom, top, width } = element.getBoundingClientRect();
  const at = (y: number) => document.elementFromPoint(left + width / 2, y);
  return [bottom - 4, (top + bottom) / 2].every((y) => y > 0 && y < innerHeight && element.contains(at(y)));
}

/** Turns the wheel on `over` (on the top bar while `over` is out of sight) until `wanted` is in sight. */
async function wheelTo(wanted: Locator, by: number, over: Locator = top): Promise<void> {
  const turn = async () => {
    await userEvent.wheel(inSight(over) ? over : top, { delta: { y: by } });
    return inSight(wanted);
  };
  await expect.poll(turn, { timeout: 10_000, interval: 20 }).toBe(true);
}

/** Presses a key until `wanted` is in sight: a list partly outside the window needs a second press, which scrolls the page. */
async function press(key: 'End' | 'Home', wanted: Locator): Promise<void> {
  const again = async () => {
    if (!inSight(wanted)) await userEvent.keyboard(`{${key}}`);
    return inSight(wanted);
  };
  await expect.poll(again, { timeout: 10_000, interval: 20 }).toBe(true);
}

/** Presses Tab from the search until the list, or its scroll area, has the focus. */
async function tabInto(list: Locator): Promise<void> {
  const inside = () => {
    const { activeElement: at } = document;
    return list.element().contains(at) || (at !== document.body && !at?.matches('main') && !!at?.contains(list.element()));
  };
  await page.getByRole('searchbox').click();
  for (let i = 0; i < 20 && !inside(); i += 1) await userEvent.tab();
  expect(inside(), 'the keyboard reaches the list').toBe(true);
}

test('the wheel and the keys reach the last row under a fixed head, in windows of two sizes', async () => {
  await page.viewport(1280, 720);
  open('/pedidos');
  await expect.element(rows(seen).nth(19)).toBeInTheDocument();
  const [first, last, heads] = [rows(seen).first(), rows(seen).last(), seen.getByRole('row').first()];
  expect(inSight(last)).toBe(false);
  await tabInto(seen);
  await press('End', last);
  expect(inSight(heads)).toBe(true);
  await press('Home', first);

  await page.viewport(1920, 1080);
  await expect.poll(() => inSight(last)).toBe(false);
  await wheelTo(last, 2000, heads);
  expect(inSight(heads)).toBe(true);
  await wheelTo(first, -2000, heads);
});

test('the wheel and the keys reach the last card on a phone, and the pager fits on one line', async () => {
  await onPhone();
  open('/pedidos');
  const list = page.getByRole('list', { name: 'Pedidos' });
  await expect.element(rows(list).nth(19)).toBeInTheDocument();
  const [first, last] = [rows(list).first(), rows(list).last()];
  expect(inSight(last)).toBe(false);
  await wheelTo(last, 800);
  await wheelTo(first, -800);
  await tabInto(list);
  const [text, next] = [page.getByText(/^Mostrando 20 de/), page.getByRole('button', { name: 'Siguiente' })];
  await press('End', next);
  await press('Home', top);
  await expectAccessible();
  const [label, pressed] = [text, next].map((locator) => locator.element().getBoundingClientRect());
  expect(label?.height).toBeLessThan(24);
  const middle = (box: DOMRect | undefined) => (box ? box.y + box.height / 2 : Number.NaN);
  expect(Math.abs(middle(label) - middle(pressed))).toBeLessThan(4);
  await next.click();
  await expect.poll(address).toContain('page=2');
});

const EXPORTS = 'Exportaciones recientes';
/** Smallest valid record, with some fields set. */
const some = <S extends z.ZodObject>(schema: S, fields: Partial<z.output<S>> = {}) => ({ ...(emptyOf(schema) as z.output<S>), ...fields });
const day = '2026-11-20';
const at = `${day}T10:00:00.000Z`;

function fillCarriers() {
  const carrier = (i: number) => ({ transportista_id: uuid(), nombre: `Transportista ${i}`, completados: 1, horas_medias: 2 });
  server.answer(transportistasStats, { desde: day, hasta: day, data: twenty(carrier), empresas: [] });
}
function fillLogs() {
  server.answer(listLogs, pageOf(twenty(() => some(logEntry, { created_at: at, description: 'Crear pedido' }))));
}
function fillStock() {
  server.answer(listProducts, listed(twenty(() => aProduct())));
  server.answer(listPacks, listed(twenty(() => aPack())));
}
function fillExports() {
  const record = () => some(exportRecord, { name: 'pedidos.csv', estado: 'listo', created_at: at });
  server.answer(listExports, { data: twenty(record).slice(0, 5) });
}
function fillStatements() {
  const person = { role: 'revendedor' as const, num_lineas: 1, total: 10, desde: day };
  const personas = twenty((i) => ({ ...person, user_id: uuid(), persona_nombre: `Persona ${i}` }));
  server.answer(getAbierta, { personas, lineas: pageOf([]) });
  server.answer(listLiquidaciones, pageOf(twenty(() => some(liquidacion, { mes: '2026-10', created_at: at }))));
}
function fillBlocked() {
  server.answer(listBloqueos, pageOf(twenty((i) => some(bloqueo, { numero_orden: `ORD-${i}`, created_at: at, motivo: 'Juicio' }))));
}

/** Scrolls to the last row with the wheel. */
async function reachesTheLast(name: string, list = tableOf(name)) {
  // Waits for all rows: a loading list has fewer.
  await expect.element(rows(list).nth(name === EXPORTS ? 4 : 19)).toBeInTheDocument();
  await wheelTo(rows(list).last(), 600, list.getByRole('row').first());
}
async function expectKeysReachWhatScrolls() {
  const { violations } = await axe.run({ runOnly: { type: 'rule', values: ['scrollable-region-focusable'] } });
  expect(violations).toEqual([]);
}

// Lists whose place on their page differs from that of «Pedidos».
test.for([
  ['Entregas', '/entregas', 'superadmin'],
  ['Pedidos con los datos bloqueados', '/privacidad', 'superadmin'],
  [EXPORTS, '/exportar-datos', 'superadmin'],
  ['Mis pedidos', '/mis-pedidos', 'revendedor'],
  ['Pedidos asignados', '/pedidos-asignados', 'transportista'],
] as const)('the wheel reaches the last row of «%s» in %s', async ([name, path, role]) => {
  // Under 1400 pixels a carrier's list shows cards, which scroll with the page.
  await page.viewport(role === 'transportista' ? 1400 : 1280, 720);
  fillBlocked();
  fillExports();
  open(path, role);
  await reachesTheLast(name, name === EXPORTS ? page.getByRole('region', { name: EXPORTS }).getByRole('list') : tableOf(name));
  await expectKeysReachWhatScrolls();
});

test.for([
  ['/control-stock', fillStock, ['Productos', 'Packs']],
  ['/liquidaciones', fillStatements, ['Sin liquidar', 'Liquidaciones']],
] as const)('the wheel reaches the last row of two lists, one below the other, in %s', async ([path, fill, names]) => {
  await page.viewport(1280, 720);
  fill();
  open(path);
  for (const name of names) await reachesTheLast(name);
  await expectKeysReachWhatScrolls();
});

test('the wheel reaches the last row of «Pedidos» and of «Resumen Transportistas» in /admin', async () => {
  await page.viewport(1280, 720);
  fillCarriers();
  open('/admin');
  await reachesTheLast('Pedidos');
  await expectKeysReachWhatScrolls();
  await page.getByRole('tab', { name: 'Resumen Transportistas' }).click();
  await reachesTheLast('Resumen Transportistas');
  await expectKeysReachWhatScrolls();
});

test('the wheel and the keys scroll a list whose rows open nothing', async () => {
  await page.viewport(1280, 720);
  fillLogs();
  open('/admin?tab=logs');
  const list = tableOf('Logs');
  const [first, last] = [rows(list).first(), rows(list).last()];
  await expect.element(rows(list).nth(19)).toBeInTheDocument();
  await tabInto(list);
  await expect.element(page.getByRole('region', { name: 'Logs' })).toHaveFocus();
  await press('End', last);
  expect(inSight(list.getByRole('row').first())).toBe(true);
  await press('Home', first);
  await reachesTheLast('Logs');
  await expectKeysReachWhatScrolls();
});

test('only the rows scroll, above the bar of the chosen rows, in windows of four sizes', async () => {
  await page.viewport(1440, 900);
  open('/pedidos');
  const spare = () => innerHeight - document.documentElement.scrollHeight;
  const foot = page.getByRole('button', { name: 'Siguiente' });
  const heads = seen.getByRole('row').first();
  await expect.element(foot).toBeEnabled();
  const sizes = [
    [1440, 900],
    [1024, 768],
    [820, 1180],
    [900, 800],
  ] as const;
  for (const [width, height] of sizes) {
    await page.viewport(width, height);
    await expect.poll(spare).toBeGreaterThanOrEqual(0);
  }
  for (const i of [0, 1])
    await page
      .getByRole('checkbox', { name: /^Seleccionar ORD-/ })
      .nth(i)
      .click();
  await expect.element(page.getByText('2 pedidos elegidos')).toBeVisible();
  for (const [i, [width, height]] of sizes.entries()) {
    await page.viewport(width, height);
    await expect.poll(spare).toBeGreaterThanOrEqual(0);
    // Down in one window and up in the next.
    await (i % 2 ? wheelTo(rows(seen).first(), -2000, heads) : wheelTo(rows(seen).last(), 2000, heads));
    for (const part of [heads, foot, page.getByRole('region', { name: 'Pedidos elegidos' })]) expect(inSight(part)).toBe(true);
  }
});

test('a short list is as high as its rows', async () => {
  server.reply(listUsers, ({ query }) => listed(query.role === 'superadmin' ? [aUser('superadmin')] : []));
  open('/gestion-usuarios?rol=superadmin');
  const list = tableOf('Superadmins');
  await expect.element(rows(list)).toBeInTheDocument();
  const frame = list.element().closest('[aria-busy]');
  expect((frame?.clientHeight ?? 0) - list.element().clientHeight).toBeLessThan(4);
});

test('the first press on a header sorts text from A to Z, and dates from the latest', async () => {
  open('/mis-pedidos', 'revendedor');
  await expect.element(rows().first()).toBeVisible();
  await expect.poll(() => sortOf('Pedido · Fecha')).toBe('descending');
  await head('Cliente').click();
  await expect.poll(() => sortOf('Cliente')).toBe('ascending');
  await head('Cliente').click();
  await expect.poll(() => sortOf('Cliente')).toBe('descending');
  await head('Estado').click();
  await expect.poll(() => sortOf('Estado')).toBe('ascending');
  await head('Pedido · Fecha').click();
  await expect.poll(() => sortOf('Pedido · Fecha')).toBe('descending');
});

test('the columns of a loading list stand where the loaded list has them', async () => {
  const release = server.hold(listPedidos);
  open('/pedidos');
  const place = () => head('ID Pedido').element().closest('th')?.getBoundingClientRect().x;
  await expect.element(head('ID Pedido')).toBeVisible();
  const before = place();
  release();
  await expect.element(page.getByRole('checkbox', { name: /^Seleccionar ORD-/ }).first()).toBeVisible();
  expect(place()).toBe(before);
});
