import type { Page, Route } from '@playwright/test';
import { avisarTransferencia } from '../contract/pagar.ts';
import { getPedido, listPedidos, setEstado } from '../contract/pedidos.ts';
import { getUser } from '../contract/session.ts';
import { updateSettings } from '../contract/settings.ts';
import { autoAsignar } from '../contract/transportista.ts';
import { type Arranger, expect, row, SUPERADMIN, signIn, test } from './fixtures.ts';
import { asignados, dialog, disponibles, inHand, step } from './transportista.ts';

/* A network that fails is said and never traps; one's own success is never an error. */

/** As the person is promised it of a network that is not there. */
const SOON = { timeout: 2000 };
const LIMIT = 15_000;
const UNANSWERED = 'No ha llegado respuesta. Puede que se haya guardado: compruébalo antes de repetir.';
const OFFLINE = 'Sin conexión a Internet: no se ha enviado. Vuelve a intentarlo cuando la haya.';
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const glob = (path: string) => `**${path.replace(/:\w+/g, '*')}`;

/** The server does what is asked, and its answer is lost on the way. */
const answerLost = async (route: Route) => {
  await route.fetch();
  await route.abort('failed');
};
/** The server does what is asked, and never says so. */
const neverAnswered = (route: Route) => route.fetch().then(() => undefined);

test.beforeEach(({ allowErrors }) => allowErrors(/net::ERR_(FAILED|INTERNET_DISCONNECTED)/, /status of (404|409)/));

/** A carrier with an order in hand, on the list. */
async function carrierOf(api: Arranger, page: Page, ...steps: ('en_proceso' | 'en_ruta')[]) {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const pedido = await inHand(api, client, {}, ...steps);
  await signIn(page, carrier.email, carrier.password);
  await page.goto('/pedidos-asignados');
  const mine = row(asignados(page), pedido.numero_orden);
  await expect(mine).toBeVisible();
  const now = async () => (await client.call(getPedido, { params: { id: pedido.id } })).body.data;
  return { pedido, mine, now, client };
}
/** Fills «Completar Entrega» up to its button. */
async function completing(page: Page, mine: ReturnType<typeof row>) {
  await step(page, mine, 'Completar');
  const open = dialog(page, 'Completar Entrega');
  await open.getByRole('radio', { name: 'MRW' }).click();
  await open.getByLabel(/^Núm.* seguimiento|seguimiento/i).fill('PQ-778');
  return { open, send: open.getByRole('button', { name: 'Completar entrega' }) };
}
/** Sends `click` into a request that gets no answer within the time it has. */
async function pastTheLimit(page: Page, path: string, click: () => Promise<void>) {
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && new RegExp(path.replace(/:\w+/g, '[^/]+')).test(request.url()),
  );
  await click();
  await sent;
  await page.clock.fastForward(LIMIT + 500);
}

test('offline, a delivery says at once that it was not sent, keeps what was typed, closes, and is sent later', async ({ page, api }) => {
  const { pedido, mine, now } = await carrierOf(api, page);
  const { open, send } = await completing(page, mine);
  await page.context().setOffline(true);
  await send.click();
  await expect(alert(page, OFFLINE)).toBeVisible(SOON);
  await expect(send).toBeEnabled();
  await expect(open.getByLabel(/seguimiento/i)).toHaveValue('PQ-778');

  await page.context().setOffline(false);
  await send.click();
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  await expect(open).toBeHidden();
  expect((await now()).estado).toBe('completado');
  await expect(row(asignados(page), pedido.numero_orden)).toBeHidden();
});

test('offline, «Tomar» and «Salir a reparto» say so at once and can be tried again', async ({ page, api }) => {
  const { mine, now } = await carrierOf(api, page, 'en_proceso');
  await page.context().setOffline(true);
  await step(page, mine, 'Salir a reparto');
  await expect(alert(page, OFFLINE)).toBeVisible(SOON);
  await page.context().setOffline(false);
  await step(page, mine, 'Salir a reparto');
  await expect(mine).toContainText('En Ruta');
  expect((await now()).estado).toBe('en_ruta');

  const available = await api.pedido();
  await page.goto('/pedidos-disponibles');
  await row(disponibles(page), available.numero_orden).getByRole('button', { name: 'Tomar Pedido' }).click();
  await page.context().setOffline(true);
  const question = dialog(page, 'Tomar Pedido');
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect(alert(page, OFFLINE)).toBeVisible(SOON);
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(question).toBeHidden();
});

test('a delivery that gets no answer says so after fifteen seconds, and its repeat is a success', async ({ page, api }) => {
  await page.clock.install();
  const { mine, now } = await carrierOf(api, page);
  const { open, send } = await completing(page, mine);
  await page.route(glob(setEstado.path), neverAnswered, { times: 1 });
  await pastTheLimit(page, setEstado.path, () => send.click());
  await expect(alert(page, UNANSWERED)).toBeVisible();
  await expect(open.getByLabel(/seguimiento/i)).toHaveValue('PQ-778');
  expect((await now()).estado).toBe('completado');

  await send.click();
  await expect(page.getByText('Ya estaba completado por ti')).toBeVisible();
  await expect(open).toBeHidden();
  await expect(alert(page, 'completado')).toHaveCount(0);
});

test('a delivery whose answer was lost is a success, for it is done', async ({ page, api }) => {
  const { mine } = await carrierOf(api, page);
  const { open, send } = await completing(page, mine);
  await page.route(glob(setEstado.path), answerLost, { times: 1 });
  await send.click();
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  await expect(open).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a taking whose answer was lost is a success; another carrier’s is not', async ({ page, api }) => {
  const [mine, theirs] = [await api.pedido(), await api.pedido()];
  const carrier = await api.user('transportista');
  await signIn(page, carrier.email, carrier.password);
  await page.goto('/pedidos-disponibles');
  const question = dialog(page, 'Tomar Pedido');
  const take = async (pedido: typeof mine) => {
    await row(disponibles(page), pedido.numero_orden).getByRole('button', { name: 'Tomar Pedido' }).click();
    await question.getByRole('button', { name: 'Confirmar' }).click();
  };
  await page.route(glob(autoAsignar.path), answerLost, { times: 1 });
  await take(mine);
  await expect(page.getByText(`Pedido #${mine.numero_orden} asignado exitosamente`)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  const other = await api.as(await api.user('transportista'));
  await page.route(
    glob(autoAsignar.path),
    async (route) => {
      await other.call(autoAsignar, { params: { id: theirs.id }, body: {} });
      await route.continue();
    },
    { times: 1 },
  );
  await take(theirs);
  await expect(alert(page, 'Otro transportista ya ha tomado este pedido')).toBeVisible();
  await expect(question).toBeHidden();
});

test('a dialog closes while its answer, or another’s, is on the way', async ({ page, api }) => {
  const { mine, client } = await carrierOf(api, page);
  const other = await inHand(api, client);
  await page.reload();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(glob(setEstado.path), async (route) => {
    await held;
    await route.continue();
  });
  await step(page, row(asignados(page), other.numero_orden), 'Empezar a preparar');
  await step(page, mine, 'Completar');
  const open = dialog(page, 'Completar Entrega');
  await page.keyboard.press('Escape');
  await expect(open).toBeHidden();

  const { send } = await completing(page, mine);
  await send.click();
  await page.keyboard.press('Escape');
  await expect(open).toBeHidden();
  answer();
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
});

test('an order that gets no answer is sent again and made once', async ({ page, api }) => {
  await page.clock.install();
  const pack = await api.pack();
  const rita = await api.user('revendedor');
  await signIn(page, rita.email, rita.password);
  await page.goto('/pedidos/nuevo');
  await page.getByLabel('Nombre').fill('Ana Ruiz');
  await page.getByLabel('Dirección').fill('Calle Mayor 3');
  await page.getByRole('combobox', { name: 'Pack' }).click();
  await page.getByRole('option', { name: new RegExp(pack.name) }).click();
  const send = page.getByRole('button', { name: 'Crear Pedido' });
  await page.route('**/api/pedidos', neverAnswered, { times: 1 });
  await pastTheLimit(page, '/api/pedidos$', () => send.click());
  await expect(alert(page, 'No ha llegado respuesta. Puedes enviarlo otra vez: no se guardará dos veces.')).toBeVisible();
  await expect(page.getByLabel('Nombre')).toHaveValue('Ana Ruiz');
  await send.click();
  await expect(dialog(page, 'Pedido creado')).toBeVisible();
  expect((await (await api.as(rita)).call(listPedidos)).body.total).toBe(1);
});

test('a list that gets no answer says so and is asked for once more by hand', async ({ page }) => {
  await page.clock.install();
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/');
  const asked = page.waitForRequest('**/api/pedidos?*');
  await page.route('**/api/pedidos?*', () => undefined);
  await page.getByRole('link', { name: 'Pedidos', exact: true }).click();
  await asked;
  await page.clock.fastForward(LIMIT + 500);
  await expect(alert(page, 'No se pudieron cargar los pedidos')).toContainText('El servidor no ha respondido a tiempo');
  await page.unroute('**/api/pedidos?*');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(alert(page, 'No se pudieron cargar los pedidos')).toHaveCount(0);
});

test.describe('pressed twice, sent once', () => {
  /** Counts what is sent while `press` presses the same button twice before anything is answered. */
  async function twice(page: Page, path: string, press: () => Promise<void>) {
    let sent = 0;
    await page.route(glob(path), async (route) => {
      sent += 1;
      await route.continue();
    });
    await press();
    return () => sent;
  }

  test('«Salir a reparto»', async ({ page, api }) => {
    const { mine } = await carrierOf(api, page, 'en_proceso');
    const sent = await twice(page, setEstado.path, () => mine.getByRole('button', { name: 'Salir a reparto' }).dblclick());
    await expect(mine).toContainText('En Ruta');
    expect(sent()).toBe(1);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('«Ya he hecho la transferencia» and «Simular pago»', async ({ page, api }) => {
    const account = { companyName: 'Alacena', companyEmail: 'hola@alacena.test', companyIban: 'ES9121000418450200051332' };
    expect((await api.admin.call(updateSettings, { body: account })).status).toBe(200);
    const pedido = await api.pedido({}, await api.as(await api.user('revendedor')));
    await page.route('**/api/pagar/*', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, simulador: data.estado === 'pendiente_pago' } } });
    });
    await page.goto(new URL(pedido.payment_link ?? '').pathname);
    const said = await twice(page, avisarTransferencia.path, () =>
      page.getByRole('button', { name: 'Ya he hecho la transferencia' }).dblclick(),
    );
    await expect(page.getByText(/Nos has dicho que ya has hecho la transferencia/)).toBeVisible();
    expect(said()).toBe(1);

    let paid = 0;
    await page.route('**/api/pagar/*/simular', async (route) => {
      paid += 1;
      await api.admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'pendiente', referencia: 'SIM' } });
      await route.fulfill({ json: { success: true, message: 'Pago simulado' } });
    });
    await page.getByRole('button', { name: 'Simular pago (demo)' }).dblclick();
    await expect(page.getByRole('heading', { level: 1, name: 'Pago recibido' })).toBeVisible();
    expect(paid).toBe(1);
  });
});

test('a screen that could not be loaded says so, and comes by itself when the network is back', async ({ page, allowErrors }) => {
  allowErrors(/Sin conexión a Internet/);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');
  await expect(page.getByRole('heading', { level: 1, name: 'Gestión de Pedidos' })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Configuración' }).click();
  await expect(alert(page, 'Esta pantalla no se ha podido cargar')).toContainText('Sin conexión');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(alert(page, 'Esta pantalla no se ha podido cargar')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Configuración' })).toBeVisible();
});

test('without an answer about who is signed in nobody is signed out', async ({ page, allowErrors }) => {
  allowErrors(/Error al conectar con el servidor/);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.route(glob(getUser.path), (route) => route.abort('failed'));
  await page.goto('/pedidos');
  await expect(alert(page, 'Esta pantalla no se ha podido cargar')).toBeVisible();
  await expect(page).toHaveURL('/pedidos');
  await page.unroute(glob(getUser.path));
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestión de Pedidos' })).toBeVisible();
});

test('a list says since when there is no connection, and no more once it is back', async ({ page, api }) => {
  await page.clock.install({ time: new Date('2026-03-02T09:42:10Z') });
  await carrierOf(api, page);
  await page.context().setOffline(true);
  const since = page.getByRole('status').filter({ hasText: 'Sin conexión desde las 10:42: puede haber cambios' });
  // The window hears of its network a moment later, and only then are there timers to wind on.
  const soon = (check: () => Promise<void>) =>
    expect(async () => {
      await page.clock.fastForward(6_000);
      await check();
    }).toPass();
  await soon(() => expect(since).toBeVisible({ timeout: 500 }));
  await page.clock.fastForward(60_000);
  await expect(since).toBeVisible();
  await page.context().setOffline(false);
  await soon(() => expect(since).toBeHidden({ timeout: 500 }));
});
