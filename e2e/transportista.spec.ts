import { guardarRuta } from '../contract/ruta/ruta.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { expect, row, test } from './fixtures.ts';
import { asignados, details, dialog, disponibles, inHand, step } from './transportista.ts';

/* A carrier's day, and the requests of its lists. The screens themselves are tested in web/transportista/transportista.browser.test.tsx. */

test('a carrier takes an order through every step without receiving its price in any response', async ({ openAs, api }) => {
  // An amount unlike any other number on the page.
  const pack = await api.pack({ pack_price: 7391.46 });
  const known = {
    cliente_nombre: 'Nuria Vidal',
    cliente_direccion: 'Rambla del Mar 3',
    cliente_direccion2: 'Puerta 4-B',
    cliente_telefono: '611 222 333',
  };
  const pedido = await api.pedido({ pack_id: pack.id, ...known });
  expect(pedido.precio_total).toBe(7391.46);
  const page = await openAs(await api.user('transportista'));
  const answers: Promise<string>[] = [];
  // The live stream never ends, so its text cannot be read; it carries only names of topics.
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('json')) answers.push(response.text().catch(() => ''));
  });
  const bytes = async () => (await Promise.all(answers)).join('\n');
  const PRICE = /7\.?391|precio|€|payment_link|\/pagar\//i;
  const clean = () => expect(page.locator('body')).not.toContainText(PRICE);

  await page.goto('/');
  await expect(page).toHaveURL('/transportista-dashboard');
  await expect(page.getByRole('link', { name: /^Disponibles ?1/ })).toBeVisible();
  await clean();
  await page.goto('/pedidos-disponibles');
  const available = row(disponibles(page), pedido.numero_orden);
  await expect(available).toContainText('Rambla del Mar 3');
  // Matches the phone number in any notation; three digits alone could be part of an id.
  expect(await bytes()).not.toMatch(/Puerta 4-B|611[\s-]*222/);
  await clean();
  await available.getByRole('button', { name: 'Tomar Pedido' }).click();
  await dialog(page, 'Tomar Pedido').getByRole('button', { name: 'Confirmar' }).click();
  await page.getByRole('button', { name: 'Ver mis pedidos' }).click();

  const mine = row(asignados(page), pedido.numero_orden);
  await expect(mine).toContainText('Puerta 4-B');
  await step(page, mine, 'Empezar a preparar');
  await expect(mine).toContainText('En Proceso');
  await step(page, mine, 'Salir a reparto');
  await expect(mine).toContainText('En Ruta');
  await clean();
  await step(page, mine, 'Intento fallido');
  const failed = dialog(page, 'Intento fallido');
  await failed.getByRole('radio', { name: 'Ausente' }).click();
  await failed.getByRole('button', { name: 'Registrar intento fallido' }).click();
  await expect(mine).toContainText(/1\.er intento.*: Ausente/);
  await step(page, mine, 'Salir a reparto');
  await expect(mine).toContainText('En Ruta');
  await step(page, mine, 'Completar');
  const completing = dialog(page, 'Completar Entrega');
  await completing.getByRole('button', { name: 'Cambiar el método de entrega' }).click();
  await completing.getByRole('radio', { name: 'FedEx' }).click();
  const tracking = completing.getByLabel('Número de seguimiento (opcional)');
  await tracking.fill('FX-900');
  // Simulates a killed tab.
  await page.reload();
  await expect(tracking).toHaveValue('FX-900');
  await expect(completing.getByRole('radio', { name: 'FedEx' })).toBeChecked();
  await clean();
  await completing.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();

  await page.goto('/pedidos-asignados?estado=completado');
  await expect(mine).toContainText('FedEx · FX-900');
  await details(page, mine);
  await expect(dialog(page, /Detalles del Pedido/)).toContainText('FX-900');
  await clean();
  await page.goto('/transportista-dashboard');
  await expect(page.getByText('1 de 1 pedidos de este mes')).toBeVisible();
  expect(await bytes()).toContain(pedido.numero_orden);
  expect(await bytes()).not.toMatch(PRICE);
});

test('a carrier who takes an order too late is told why and no longer sees the order @desktop', async ({ openAs, api, allowErrors }) => {
  // The second browser checks whether the order is assigned to its carrier after all, and gets a 404.
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

test('@phone a stop dragged by a thumb stays where it was dropped', async ({ openAs, api }) => {
  expect((await api.admin.call(updateSettings, { body: { dayRoute: true } })).status).toBe(200);
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const first = await inHand(api, client);
  const second = await inHand(api, client);
  const third = await inHand(api, client);
  const pedidos = [first.id, second.id, third.id];
  await client.call(guardarRuta, { body: { pedidos, primera: null, ultima: null, ocurrido: new Date(Date.now() - 60_000).toISOString() } });

  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  await page.getByRole('button', { name: 'Ruta', exact: true }).click();
  const stops = page.getByRole('list', { name: 'Ruta' }).getByRole('listitem');
  await expect(stops).toHaveCount(3);
  await stops.nth(2).scrollIntoViewIfNeeded();
  const middle = async (at: number) => {
    const box = await stops
      .nth(at)
      .getByRole('button', { name: /^Mover/ })
      .boundingBox();
    if (!box) throw new Error('The stop is not on the screen');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await middle(2), await middle(0)];
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const saved = page.waitForResponse((response) => response.url().endsWith(guardarRuta.path) && response.request().method() === 'PUT');
  await send('touchStart', [from]);
  for (let step = 1; step <= 10; step += 1) await send('touchMove', [{ x: from.x, y: from.y + ((to.y - 15 - from.y) * step) / 10 }]);
  await send('touchEnd', []);
  expect((await saved).status()).toBe(200);
  const numbers = [third, first, second].map(({ numero_orden }) => new RegExp(numero_orden));
  await expect(stops).toHaveText(numbers);
  await page.reload();
  await expect(stops).toHaveText(numbers);
  // Other tests of this file need a shop without routes. An open page would still request its route.
  await page.close();
  await api.admin.call(updateSettings, { body: { dayRoute: false } });
});

for (const [path, list] of [
  ['/pedidos-disponibles', '/api/transportista/pedidos-disponibles'],
  ['/pedidos-asignados', '/api/pedidos'],
] as const) {
  test(`${path} brings session and orders with the page @desktop`, async ({ openAs, api }) => {
    const carrier = await api.user('transportista');
    await inHand(api, await api.as(carrier));
    await api.pedido();
    const page = await openAs(carrier);
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(request.url().slice(new URL(request.url()).origin.length)));
    // A busy server may name the calls instead.
    let html = '';
    await expect
      .poll(async () => {
        asked.clear();
        html = (await (await page.goto(path))?.text()) ?? '';
        return html;
      })
      .toContain('id="respuestas"');
    await expect(page.getByRole('main').getByRole('row').or(page.getByRole('main').getByRole('listitem')).last()).toBeVisible();
    // What the screen shows first stands in the page and is not asked for.
    for (const wanted of ['/api/user', `${list}?`]) {
      expect(html).toContain(`"${wanted}`);
      expect([...asked].filter((address) => address.startsWith(wanted))).toEqual([]);
    }
    // A page that another program fetches only names the calls.
    expect(await (await page.request.get(path)).text()).toContain(`href="${list}?`);
    // A list with filters in its address is not preloaded.
    expect(await (await page.request.get(`${path}?search=garcia`)).text()).not.toContain(list);
  });
}
