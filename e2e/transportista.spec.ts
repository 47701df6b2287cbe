import type { Locator, Page } from '@playwright/test';
import type { MetodoEntrega } from '../contract/pedidos.flow.ts';
import { setEstado } from '../contract/pedidos.ts';
import { autoAsignar } from '../contract/transportista.ts';
import type { Client } from '../test/client.ts';
import { type Arranger, expect, expectAccessible, test } from './fixtures.ts';

/* A carrier's day: what can be taken, what is in hand, what was delivered. Never a price. */

const list = (page: Page, name: string) => page.getByRole('table', { name }).or(page.getByRole('list', { name }));
const disponibles = (page: Page) => list(page, 'Pedidos disponibles');
const asignados = (page: Page) => list(page, 'Pedidos asignados');
/** The row of an order: of the table on a desktop, a card on a phone. */
const row = (within: Locator, text: string) => within.getByRole('row').or(within.getByRole('listitem')).filter({ hasText: text });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** An order in the hands of whoever `client` is, in the estado that its last step leads to. */
async function inHand(api: Arranger, client: Client, given: object = {}, ...steps: ('en_proceso' | 'en_ruta')[]) {
  const pedido = await api.pedido(given);
  await client.call(autoAsignar, { params: { id: pedido.id }, body: {} });
  for (const estado of steps) {
    const reply = await client.call(setEstado, { params: { id: pedido.id }, body: { estado } });
    expect(reply.status, reply.text).toBe(200);
  }
  return pedido;
}

async function complete(client: Client, id: string, metodo_entrega: MetodoEntrega) {
  const reply = await client.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega } });
  expect(reply.status, reply.text).toBe(200);
}

/** Once the notices have gone: on a phone they pass over the head of a dialog. */
async function expectDialogAccessible(page: Page) {
  await expect(page.getByRole('button', { name: 'Cerrar aviso' })).toHaveCount(0);
  await expectAccessible(page);
}

/** From the row's button, or from its menu where the button has no room. */
async function step(page: Page, pedido: Locator, name: string) {
  const button = pedido.getByRole('button', { name, exact: true });
  await expect(pedido).toBeVisible();
  if (await button.isVisible()) return button.click();
  await pedido.getByRole('button', { name: /^Más acciones/ }).click();
  return page.getByRole('menuitem', { name }).click();
}

async function details(page: Page, pedido: Locator) {
  await expect(pedido).toBeVisible();
  const button = pedido.getByRole('button', { name: /^Ver detalles/ });
  if (await button.isVisible()) return button.click();
  return step(page, pedido, 'Ver detalles');
}

test('with nothing pending, the list says that all has been assigned', async ({ openAs, api }) => {
  const page = await openAs(await api.user('transportista'));
  await page.goto('/pedidos-disponibles');
  await expect(page.getByRole('heading', { level: 1, name: 'Pedidos Disponibles' })).toBeVisible();
  await expect(page.getByText('Todos los pedidos pendientes han sido asignados')).toBeVisible();
  await expectAccessible(page);
});

test('the dashboard counts the day and leads to the lists', async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  await api.pedido();
  await inHand(api, client);
  const outside = await inHand(api, client, {}, 'en_ruta');
  const done = await inHand(api, client);
  await complete(client, done.id, 'manual');

  const page = await openAs(carrier);
  await expect(page).toHaveURL('/transportista-dashboard');
  const card = (label: string) => page.locator('main').getByText(label, { exact: true }).locator('../..');
  await expect(card('Disponibles')).toContainText('1');
  await expect(card('Completadas Hoy')).toContainText('1');
  await expect(card('Mis Asignados')).toContainText('1');
  await expect(card('Pendientes')).toContainText('2');
  const month = page.getByRole('region', { name: 'Rendimiento del Mes' });
  await expect(month).toContainText('33 %');
  await expect(month).toContainText('1 de 3 pedidos de este mes');
  await expect(month).toContainText('Total de entregas: 1');
  await expectAccessible(page);

  await page.getByRole('link', { name: /^Mis Asignados/ }).click();
  await expect(page).toHaveURL('/pedidos-asignados?estado=asignado');
  await expect(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: /^Pendientes/ }).click();
  await expect(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await expect(row(asignados(page), outside.numero_orden)).toContainText('En Ruta');
  await page.goBack();
  await page.getByRole('link', { name: 'Ver entregas completadas' }).click();
  await expect(row(asignados(page), done.numero_orden)).toContainText('Entrega manual');
});

test('search and date live in the address, and say when nothing matches', async ({ openAs, api }) => {
  const wanted = await api.pedido({ cliente_nombre: 'Begoña Ibáñez', cliente_direccion: 'Travesía del Olmo 9', cliente_ciudad: 'Cuenca' });
  const other = await api.pedido({ cliente_nombre: 'Otro Cliente' });
  const page = await openAs(await api.user('transportista'));
  await page.goto('/pedidos-disponibles');
  await expect(row(disponibles(page), other.numero_orden)).toBeVisible();

  await page.getByRole('searchbox').fill('begona');
  await expect(page).toHaveURL(/search=begona/);
  await expect(row(disponibles(page), wanted.numero_orden)).toContainText('Travesía del Olmo 9');
  await expect(row(disponibles(page), other.numero_orden)).toBeHidden();
  await page.getByRole('combobox', { name: 'Fecha' }).click();
  await page.getByRole('option', { name: 'Hoy' }).click();
  await expect(page).toHaveURL(/fecha=hoy/);
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue('begona');
  await expect(page.getByRole('combobox', { name: 'Fecha' })).toHaveValue('Hoy');
  await expect(row(disponibles(page), wanted.numero_orden)).toBeVisible();

  await page.getByRole('searchbox').fill('nadie así');
  await expect(page.getByText('No hay pedidos disponibles que coincidan con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar los filtros' }).click();
  await expect(row(disponibles(page), other.numero_orden)).toBeVisible();
});

test('before taking an order one sees name and street; afterwards phone and door too', async ({ openAs, api }) => {
  const given = {
    cliente_nombre: 'Nuria Vidal',
    cliente_direccion: 'Rambla del Mar 3',
    cliente_ciudad: 'Reus',
    cliente_direccion2: 'Puerta 4-B',
    cliente_telefono: '611 222 333',
    instrucciones: 'Llamar dos veces',
  };
  const pedido = await api.pedido(given);
  const page = await openAs(await api.user('transportista'));
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('pedidos-disponibles')) answers.push(await response.text().catch(() => ''));
  });
  await page.goto('/pedidos-disponibles');
  const available = row(disponibles(page), pedido.numero_orden);
  await expect(available).toContainText('Rambla del Mar 3');
  const map = available.getByRole('link', { name: /mapa/i });
  await expect(map).toHaveAttribute(
    'href',
    `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent('Rambla del Mar 3, Reus')}`,
  );
  const secrets = /Puerta 4-B|611|Llamar dos veces/;
  await expect(page.locator('main')).not.toContainText(secrets);
  expect(answers.join()).toContain('Rambla del Mar 3');
  expect(answers.join()).not.toMatch(secrets);

  await available.getByRole('button', { name: 'Tomar Pedido' }).click();
  const question = dialog(page, 'Tomar Pedido');
  await expect(question).toContainText(`¿Deseas asignarte el pedido #${pedido.numero_orden} para el cliente Nuria Vidal?`);
  await expectDialogAccessible(page);
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(question).toBeHidden();
  await available.getByRole('button', { name: 'Tomar Pedido' }).click();
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText(`Pedido #${pedido.numero_orden} asignado exitosamente`)).toBeVisible();
  await expect(available).toBeHidden();

  await page.getByRole('button', { name: 'Ver mis pedidos' }).click();
  const mine = row(asignados(page), pedido.numero_orden);
  await expect(mine).toContainText('Puerta 4-B');
  await expect(mine.getByRole('link', { name: /Llamar|611/ })).toHaveAttribute('href', 'tel:611222333');
  await expectAccessible(page);
});

test('two carriers want the same order: one has it, the other reads why and no longer sees it', async ({ openAs, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const pedido = await api.pedido({ cliente_nombre: 'Cliente Disputado' });
  const [first, second] = await Promise.all([openAs(await api.user('transportista')), openAs(await api.user('transportista'))]);
  for (const page of [first, second]) {
    await page.goto('/pedidos-disponibles?search=Disputado');
    await row(disponibles(page), pedido.numero_orden).getByRole('button', { name: 'Tomar Pedido' }).click();
  }
  await dialog(first, 'Tomar Pedido').getByRole('button', { name: 'Confirmar' }).click();
  await expect(first.getByText(`Pedido #${pedido.numero_orden} asignado exitosamente`)).toBeVisible();

  await dialog(second, 'Tomar Pedido').getByRole('button', { name: 'Confirmar' }).click();
  await expect(second.getByText('Otro transportista ya ha tomado este pedido')).toBeVisible();
  await expect(dialog(second, 'Tomar Pedido')).toBeHidden();
  await expect(second.getByText('No hay pedidos disponibles que coincidan con los filtros')).toBeVisible();
  await second.goto('/pedidos-asignados');
  await expect(second.getByText('No tienes pedidos en curso')).toBeVisible();
});

test('an order goes out, comes back with a reason, and goes back to everybody', async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const pedido = await inHand(api, client, { cliente_nombre: 'Pepa Nieto' });
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  const mine = row(asignados(page), pedido.numero_orden);
  await step(page, mine, 'Empezar a preparar');
  await expect(mine).toContainText('En Proceso');
  await step(page, mine, 'Salir a reparto');
  await expect(mine).toContainText('En Ruta');

  await step(page, mine, 'Intento fallido');
  const failed = dialog(page, 'Intento fallido');
  await failed.getByRole('button', { name: 'Registrar intento fallido' }).click();
  await expect(failed).toContainText('Por favor, selecciona un motivo');
  await failed.getByRole('radio', { name: 'Otro motivo' }).click();
  await failed.getByRole('button', { name: 'Registrar intento fallido' }).click();
  await expect(failed).toContainText('Por favor, explica el motivo');
  await expectDialogAccessible(page);
  await failed.getByRole('radio', { name: 'Ausente' }).click();
  await failed.getByLabel('Detalles (opcional)').fill('vuelve a las seis');
  await failed.getByRole('button', { name: 'Registrar intento fallido' }).click();
  await expect(failed).toBeHidden();
  await expect(mine).toContainText('Asignado');
  await expect(mine).toContainText('Ausente: vuelve a las seis');

  await step(page, mine, 'Devolver a disponibles');
  await dialog(page, 'Devolver a disponibles').getByRole('button', { name: 'Cancelar' }).click();
  await expect(mine).toBeVisible();
  await step(page, mine, 'Devolver a disponibles');
  await dialog(page, 'Devolver a disponibles').getByRole('button', { name: 'Devolver' }).click();
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();
  await page.goto(`/pedidos-disponibles?search=${pedido.numero_orden}`);
  await expect(row(disponibles(page), pedido.numero_orden)).toBeVisible();
});

test('completing asks for a method, and for the number only when it is given', async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const numbered = await inHand(api, client);
  const plain = await inHand(api, client);
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  const completing = dialog(page, 'Completar Entrega');
  const button = row(asignados(page), numbered.numero_orden).getByRole('button', { name: 'Completar' });
  await button.click();
  await expect(completing.getByRole('radio')).toHaveText(['Correos', 'MRW', 'FedEx', 'Entrega manual', 'Otro']);
  await completing.getByRole('button', { name: 'Completar sin número' }).click();
  await expect(completing).toContainText('Por favor, selecciona un método de entrega');
  await expect(completing).not.toContainText('Por favor, introduce el número de seguimiento');
  await completing.getByRole('radio', { name: 'MRW' }).click();
  await completing.getByLabel('Número de seguimiento (opcional)').fill('   ');
  await completing.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(completing).toContainText('Por favor, introduce el número de seguimiento');
  await expect(completing.getByLabel('Número de seguimiento (opcional)')).toBeFocused();
  await expectDialogAccessible(page);

  await page.keyboard.press('Escape');
  await expect(completing).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await completing.getByRole('radio', { name: 'MRW' }).click();
  await completing.getByLabel('Número de seguimiento (opcional)').fill('  MRW-900  ');
  await completing.getByLabel('Empresa de transporte (opcional)').fill(' Rápidos del Sur ');
  await completing.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  await expect(row(asignados(page), numbered.numero_orden)).toBeHidden();

  // The method of the last time is already chosen.
  await row(asignados(page), plain.numero_orden).getByRole('button', { name: 'Completar' }).click();
  await expect(completing.getByRole('radio', { name: 'MRW' })).toBeChecked();
  await completing.getByLabel('Número de seguimiento (opcional)').fill('no se envía');
  await completing.getByRole('button', { name: 'Completar sin número' }).click();
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();

  await page.goto('/pedidos-asignados?estado=completado');
  await expect(row(asignados(page), numbered.numero_orden)).toContainText('MRW · MRW-900');
  await expect(row(asignados(page), plain.numero_orden)).not.toContainText('no se envía');
  await details(page, row(asignados(page), numbered.numero_orden));
  const shown = dialog(page, `Detalles del Pedido ${numbered.numero_orden}`);
  await expect(shown).toContainText('MRW-900');
  await expect(shown).toContainText('Rápidos del Sur');
  await expectDialogAccessible(page);
});

test('whoever completes second, in another window, reads that it is done', async ({ openAs, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const pedido = await inHand(api, client);
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  await row(asignados(page), pedido.numero_orden).getByRole('button', { name: 'Completar' }).click();
  await complete(client, pedido.id, 'manual');
  const completing = dialog(page, 'Completar Entrega');
  await completing.getByRole('radio', { name: 'Otro' }).click();
  await completing.getByRole('button', { name: 'Completar sin número' }).click();
  await expect(page.getByText('El pedido ya está en estado «Completado»')).toBeVisible();
  await expect(completing).toBeHidden();
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();
});

test('with one thumb: from the list to «Completado» in at most four taps on large targets', { tag: '@phone' }, async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const pedido = await inHand(api, client);
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  let taps = 0;
  const tap = async (target: Locator) => {
    const box = await target.boundingBox();
    expect(box?.height, `height of ${target}`).toBeGreaterThanOrEqual(44);
    await expect(target).toBeInViewport({ ratio: 1 });
    await target.tap();
    taps += 1;
  };
  await tap(row(asignados(page), pedido.numero_orden).getByRole('button', { name: 'Completar' }));
  const completing = dialog(page, 'Completar Entrega');
  await tap(completing.getByRole('radio', { name: 'Entrega manual' }));
  await tap(completing.getByRole('button', { name: 'Completar sin número' }));
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  expect(taps).toBeLessThanOrEqual(4);
});

test('no screen of a carrier, nor any byte behind it, has a price', async ({ openAs, api }) => {
  // An amount that nothing else looks like.
  const pack = await api.pack({ pack_price: 7391.46 });
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const available = await api.pedido({ pack_id: pack.id });
  const mine = await inHand(api, client, { pack_id: pack.id }, 'en_ruta');
  const done = await inHand(api, client, { pack_id: pack.id });
  await complete(client, done.id, 'fedex');
  expect(available.precio_total).toBe(7391.46);

  const page = await openAs(carrier);
  const answers: Promise<string>[] = [];
  // The live stream never ends, so it has no whole text; what it says are the names of what changed.
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('json')) answers.push(response.text().catch(() => ''));
  });
  const PRICE = /7\.?391|precio|€|payment_link|\/pagar\//i;
  const clean = () => expect(page.locator('body')).not.toContainText(PRICE);

  await page.goto('/transportista-dashboard');
  await expect(page.getByText('Rendimiento del Mes')).toBeVisible();
  await clean();
  await page.goto(`/pedidos-disponibles?search=${available.numero_orden}`);
  await expect(row(disponibles(page), available.numero_orden)).toBeVisible();
  await clean();
  await row(disponibles(page), available.numero_orden).getByRole('button', { name: 'Tomar Pedido' }).click();
  await dialog(page, 'Tomar Pedido').getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText(/asignado exitosamente/).first()).toBeVisible();
  await clean();
  await page.goto('/pedidos-asignados');
  await details(page, row(asignados(page), mine.numero_orden));
  await expect(dialog(page, /Detalles del Pedido/)).toContainText('Cantidad');
  await clean();
  await page.keyboard.press('Escape');
  await step(page, row(asignados(page), mine.numero_orden), 'Completar');
  await expect(dialog(page, 'Completar Entrega')).toBeVisible();
  await clean();
  await page.goto('/pedidos-asignados?estado=completado');
  await expect(row(asignados(page), done.numero_orden)).toBeVisible();
  await clean();

  const bytes = (await Promise.all(answers)).join('\n');
  expect(bytes).toContain(mine.numero_orden);
  expect(bytes).not.toMatch(PRICE);
});

test('when the list does not load there is a way to try again', async ({ openAs, api, allowErrors }) => {
  allowErrors(/status of 500/);
  const page = await openAs(await api.user('transportista'));
  await page.route(
    '**/api/transportista/pedidos-disponibles*',
    (route) => route.fulfill({ status: 500, json: { message: 'Algo ha fallado' } }),
    {
      times: 1,
    },
  );
  await page.goto('/pedidos-disponibles');
  await expect(page.getByRole('alert')).toContainText('Error al cargar los pedidos disponibles');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByText(/^Mostrando/)).toBeVisible();
});
