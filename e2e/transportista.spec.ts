import type { Locator } from '@playwright/test';
import { expect, expectAccessible, row, test } from './fixtures.ts';
import { asignados, complete, details, dialog, disponibles, expectDialogAccessible, inHand, step } from './transportista.ts';

/* A carrier's lists: what can be taken, what is in hand, what was delivered. Never a price. */

test('with nothing pending, the list says that all has been assigned', async ({ openAs, api }) => {
  const page = await openAs(await api.user('transportista'));
  await page.goto('/pedidos-disponibles');
  await expect(page.getByRole('heading', { level: 1, name: 'Pedidos Disponibles' })).toBeVisible();
  await expect(page.getByText('Todos los pedidos pendientes han sido asignados')).toBeVisible();
  await expectAccessible(page);
});

test('@phone a list names in its head what a telephone shows, and nothing that opens over it', async ({ openAs, api }) => {
  const { request } = await openAs(await api.user('transportista'));
  for (const path of ['/pedidos-disponibles', '/pedidos-asignados']) {
    const html = await (await request.get(path)).text();
    const named = html.match(/<(?:script|link)[^>]*\/assets\/[^>]*>/g)?.filter((tag) => !tag.includes('media=')) ?? [];
    const sizes = named.map(async (tag) => {
      const file = await request.get(tag.match(/\/assets\/[^"]+/)?.[0] ?? '', { headers: { 'accept-encoding': 'br' } });
      return Number(file.headers()['content-length']);
    });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes, path).toBeGreaterThan(100_000);
    expect(bytes, path).toBeLessThan(170_000);
  }
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
  await page.goto('/');
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
  // The phone in any spelling, yet never three digits that an id may hold as well.
  const secrets = /Puerta 4-B|611[\s-]*222|Llamar dos veces/;
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

test('of an order of several lines all are said: before taking it alone, in its details and at the door; never a price', async ({
  openAs,
  api,
}) => {
  const [oil, wine] = [await api.pack({ name: 'Bidón', pack_price: 7391.46 }), await api.pack({ name: 'Barrica', pack_price: 7391.46 })];
  const lineas = [
    { pack_id: oil.id, cantidad: 3 },
    { pack_id: wine.id, cantidad: 2 },
  ];
  const [pedido, other] = [await api.pedido({ cliente_nombre: 'Ana Varias', lineas }), await api.pedido({ cliente_nombre: 'Eva Varias' })];
  const page = await openAs(await api.user('transportista'));
  const answers: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('json')) answers.push(response.text().catch(() => ''));
  });
  const both = [/^3 × .* – Bidón$/, /^2 × .* – Barrica$/];
  const inList = (name: string) => dialog(page, name).getByRole('list', { name: 'Líneas del pedido' }).getByRole('listitem');
  await page.goto('/pedidos-disponibles?search=Varias');
  const available = row(disponibles(page), pedido.numero_orden);
  await expect(available).toContainText('– Bidón y 1 más');
  for (const { numero_orden } of [pedido, other]) await row(disponibles(page), numero_orden).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Tomar 2' }).click();
  // Many at once are told by their summaries.
  await expect(dialog(page, 'Tomar Pedidos')).toContainText('– Bidón y 1 más (5 en total)');
  await expect(dialog(page, 'Tomar Pedidos')).toContainText(other.producto);
  await page.keyboard.press('Escape');
  await available.getByRole('button', { name: 'Tomar Pedido' }).click();
  await expect(inList('Tomar Pedido')).toHaveText(both);
  await expectDialogAccessible(page);
  await dialog(page, 'Tomar Pedido').getByRole('button', { name: 'Confirmar' }).click();
  await page.getByRole('button', { name: 'Ver mis pedidos' }).click();

  const mine = row(asignados(page), pedido.numero_orden);
  await expect(mine).toContainText('– Bidón y 1 más (5 en total)');
  await details(page, mine);
  await expect(
    dialog(page, /Detalles del Pedido/)
      .getByRole('table', { name: 'Líneas del pedido' })
      .getByRole('row'),
  ).toHaveText(['ProductoCantidad', /– Bidón3$/, /– Barrica2$/]);
  await expectDialogAccessible(page);
  await page.keyboard.press('Escape');
  await step(page, mine, 'Completar');
  await expect(inList('Completar Entrega')).toHaveText(both);
  const bytes = (await Promise.all(answers)).join('\n');
  expect(bytes).toContain('Barrica');
  expect(bytes).not.toMatch(/7\.?391|precio|€|envio|descuento/i);
});

test('two carriers want the same order: one has it, the other reads why and no longer sees it @desktop', async ({
  openAs,
  api,
  allowErrors,
}) => {
  // Who was late looks whether the order is theirs after all, and is told that there is none.
  allowErrors(/status of (409|404)/);
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

test('no screen of a carrier, nor any byte behind it, has a price @desktop', async ({ openAs, api }) => {
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
  await tap(completing.getByRole('button', { name: 'Completar entrega' }));
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  expect(taps).toBeLessThanOrEqual(4);
});

test('the late order comes first and says so; its loudest button is its own next step', async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const soon = await inHand(api, client, { fecha_estimada: '2999-01-01' });
  const late = await inHand(api, client, { fecha_estimada: '2020-01-01' }, 'en_ruta');
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  for (const { numero_orden } of [soon, late]) await expect(row(asignados(page), numero_orden)).toBeVisible();
  const text = await asignados(page).innerText();
  expect(text.indexOf(late.numero_orden)).toBeLessThan(text.indexOf(soon.numero_orden));
  await expect(row(asignados(page), late.numero_orden)).toContainText('Atrasado: entrega 01/01/2020');
  await expect(row(asignados(page), soon.numero_orden)).not.toContainText('Atrasado');
  const filled = (pedido: Locator) => pedido.getByRole('button').and(page.locator('[data-variant="filled"]'));
  await expect(filled(row(asignados(page), late.numero_orden))).toHaveText('Completar');
  await expect(filled(row(asignados(page), soon.numero_orden))).toHaveText('Salir a reparto');
});

test('two assigned orders fit on the screen of a phone', { tag: '@phone' }, async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  for (let i = 0; i < 3; i += 1) await inHand(api, client, { cliente_telefono: '611 222 333', cliente_ciudad: 'Reus' });
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  const cards = asignados(page).getByRole('listitem');
  await expect(cards).toHaveCount(3);
  for (const i of [0, 1]) await expect(cards.nth(i)).toBeInViewport({ ratio: 1 });
});

test('orders of one town are taken together; which and where is said before', async ({ openAs, api }) => {
  const wanted = [
    await api.pedido({ cliente_nombre: 'Uno', cliente_ciudad: 'Teruel', cliente_direccion: 'Calle Alta 1' }),
    await api.pedido({ cliente_nombre: 'Dos', cliente_ciudad: 'Teruel', cliente_direccion: 'Calle Baja 2' }),
  ];
  const other = await api.pedido({ cliente_ciudad: 'Soria' });
  const page = await openAs(await api.user('transportista'));
  await page.goto('/pedidos-disponibles');
  await page.getByRole('combobox', { name: 'Ciudad' }).fill('teru');
  await page.getByRole('option', { name: 'Teruel (2)' }).click();
  await expect(page).toHaveURL(/ciudad=Teruel/);
  await expect(row(disponibles(page), other.numero_orden)).toBeHidden();
  for (const { numero_orden } of wanted) await row(disponibles(page), numero_orden).getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: 'Tomar 2' }).click();
  await expect(dialog(page, 'Tomar Pedidos')).toContainText('Calle Alta 1');
  await expect(dialog(page, 'Tomar Pedidos')).toContainText('Calle Baja 2');
  await dialog(page, 'Tomar Pedidos').getByRole('button', { name: 'Tomar 2' }).click();
  await expect(page.getByText('2 pedidos asignados')).toBeVisible();
  await page.goto('/pedidos-asignados');
  for (const { numero_orden } of wanted) await expect(row(asignados(page), numero_orden)).toBeVisible();
});

test('delivered by hand, no tracking number is asked for', async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const pedido = await inHand(api, await api.as(carrier));
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  await step(page, row(asignados(page), pedido.numero_orden), 'Completar');
  const completing = dialog(page, 'Completar Entrega');
  await completing.getByRole('radio', { name: 'MRW' }).click();
  await expect(completing.getByLabel(/Número de seguimiento/)).toBeVisible();
  await completing.getByRole('radio', { name: 'Entrega manual' }).click();
  await expect(completing.getByLabel(/Número de seguimiento/)).toBeHidden();
  await completing.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
});

for (const [path, list] of [
  ['/pedidos-disponibles', '/api/transportista/pedidos-disponibles'],
  ['/pedidos-asignados', '/api/pedidos'],
] as const) {
  test(`${path} has its session and its orders on their way with the program, and asks for each once @desktop`, async ({ openAs, api }) => {
    const carrier = await api.user('transportista');
    await inHand(api, await api.as(carrier));
    await api.pedido();
    const page = await openAs(carrier);
    const html = await (await page.request.get(path)).text();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().slice(new URL(request.url()).origin.length)));
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('row').or(page.getByRole('main').getByRole('listitem')).last()).toBeVisible();
    for (const wanted of ['/api/user', `${list}?`]) {
      const found = asked.filter((address) => address.startsWith(wanted));
      expect(found, wanted).toHaveLength(1);
      expect(html).toContain(`href="${found[0]?.replaceAll('&', '&amp;')}"`);
    }
    // And nothing of it where the address asks for something else.
    expect(await (await page.request.get(`${path}?search=garcia`)).text()).not.toContain(list);
  });
}
