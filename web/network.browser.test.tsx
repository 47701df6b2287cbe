import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { listClientes } from '../contract/clientes/clientes.ts';
import { asDone, type EndpointDef } from '../contract/kit/endpoint.ts';
import { calcularTotal, createPedido, getPedido, listPedidos, type Pedido, setEstado } from '../contract/pedidos/pedidos.ts';
import { listPacks } from '../contract/products/products.ts';
import { autoAsignar, listDisponibles } from '../contract/transportista/transportista.ts';
import { open, person } from '../test/web/app.tsx';
import { server } from '../test/web/fake-server.ts';
import { row } from '../test/web/list.ts';
import { aCliente, aPack, aPedido, aTotal, listed, pageOf } from '../test/web/samples.ts';
import { expectAfter, holdWaits } from '../test/web/waits.ts';
import { queryClient } from './api.ts';

/* A failing network is reported, never traps the person, and never turns a saved change into an error. */

/** Time limit for the report of a lost connection. */
const SOON = { timeout: 2000 };
/** Request timeout of the app, in ms. */
const LIMIT = 15_000;
const UNANSWERED = 'No ha llegado respuesta. Puedes enviarlo otra vez: no se guardará dos veces.';
const OFFLINE = 'Sin conexión a Internet: no se ha enviado. Vuelve a intentarlo cuando la haya.';
const KEPT = 'Guardado en este teléfono: se enviará al volver la cobertura';
const DONE = 'Pedido marcado como completado exitosamente';

const alert = (text: string) => page.getByRole('alert').filter({ hasText: text });
const dialog = (name: string) => page.getByRole('dialog', { name });
const delivery = dialog('Completar Entrega');
const tracking = delivery.getByLabelText(/seguimiento/i);
const send = delivery.getByRole('button', { name: 'Completar entrega' });
const asked = (endpoint: EndpointDef) => expect.poll(() => server.asked(endpoint).length);

const ownOrder = (fields: Partial<Pedido>) => aPedido({ transportista_id: person('transportista').id, ...fields });
let pedidos: Pedido[];
let available: Pedido[];
/** Replies to a step by applying it. */
const stepped = ({ params, body }: { params: { id: string }; body: object }) => {
  pedidos = pedidos.map((pedido) => (pedido.id === params.id ? { ...pedido, ...(body as Partial<Pedido>) } : pedido));
  return asDone(DONE, pedidos.find(({ id }) => id === params.id) as Pedido);
};
const completed = () => ({
  data: { ...(pedidos[0] as Pedido), estado: 'completado', metodo_entrega: 'mrw', numero_seguimiento: 'PQ-778' } as Pedido,
});

beforeEach(() => {
  [pedidos, available] = [[], []];
  server.reply(listPedidos, ({ query }) => pageOf(pedidos.filter(({ estado }) => !query.estado || `${query.estado}`.includes(estado))));
  server.reply(listDisponibles, () => pageOf(available));
  server.reply(setEstado, stepped);
});

/** Opens the list of a carrier who has one order. */
async function carrier(estado: Pedido['estado'] = 'asignado') {
  pedidos = [ownOrder({ cliente_nombre: 'Nuria Vidal', estado })];
  open('/pedidos-asignados', 'transportista');
  const mine = row('Nuria Vidal');
  await expect.element(mine).toBeVisible();
  return mine;
}
/** Fills in «Completar Entrega» without submitting. */
async function completing(mine: Locator) {
  await mine.getByRole('button', { name: /^Completar ORD/ }).click();
  await delivery.getByRole('radio', { name: 'MRW' }).click();
  await tracking.fill('PQ-778');
}

test('«Tomar Pedido» fails at once without a network, and its dialog can be closed', async () => {
  available = [aPedido({ cliente_nombre: 'Berta Olmo' })];
  open('/pedidos-disponibles', 'transportista');
  await row('Berta Olmo')
    .getByRole('button', { name: /^Tomar Pedido ORD/ })
    .click();
  const question = dialog('Tomar Pedido');
  await expect.element(question).toBeVisible();
  server.offline(true);
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(alert(OFFLINE), SOON).toBeVisible();
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(question).not.toBeInTheDocument();
});

test('a delivery without an answer is stored on the phone, and succeeds once the server confirms it', async () => {
  const fifteenSeconds = holdWaits(LIMIT);
  const mine = await carrier();
  await completing(mine);
  server.hold(setEstado);
  await send.click();
  await asked(setEstado).toBe(1);
  await expect.element(page.getByText(KEPT), SOON).toBeVisible();
  await expect.element(delivery).not.toBeInTheDocument();
  await expect.element(mine).toMatchTextContent('Pendiente de enviar');

  server.answer(getPedido, completed());
  // The server repeats the answer stored under the idempotency key.
  server.answer(setEstado, asDone('Pedido completado', completed().data));
  pedidos = [completed().data];
  fifteenSeconds();
  server.offline(true);
  server.offline(false);
  await expect.element(mine).not.toBeInTheDocument();
  await expect.element(alert('no se ha registrado')).not.toBeInTheDocument();
  const keys = server.asked(setEstado).map(({ headers }) => headers.get('idempotency-key'));
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
});

test('taking an order succeeds despite a lost answer, unless another carrier took the order', async () => {
  available = [aPedido({ cliente_nombre: 'Mía Alba' }), aPedido({ cliente_nombre: 'Suyo Bravo' })];
  open('/pedidos-disponibles', 'transportista');
  const question = dialog('Tomar Pedido');
  const take = async (name: string) => {
    await row(name)
      .getByRole('button', { name: /^Tomar Pedido ORD/ })
      .click();
    await question.getByRole('button', { name: 'Confirmar' }).click();
  };
  server.lose(autoAsignar);
  server.answer(getPedido, { data: available[0] as Pedido });
  await take('Mía Alba');
  await expect.element(page.getByText(new RegExp(`Pedido #${available[0]?.numero_orden} asignado exitosamente`))).toBeVisible();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();

  server.refuse(autoAsignar, 409, { message: 'Otro transportista ya ha tomado este pedido', code: 'taken' });
  server.refuse(getPedido, 404, { message: 'Pedido no encontrado' });
  await take('Suyo Bravo');
  await expect.element(alert('Otro transportista ya ha tomado este pedido')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
});

test('a dialog can be closed while requests are pending', async () => {
  const mine = await carrier();
  const other = ownOrder({ cliente_nombre: 'Otra Calle', estado: 'asignado' });
  pedidos = [...pedidos, other];
  open('/pedidos-asignados', 'transportista');
  const answer = server.hold(setEstado);
  await row('Otra Calle')
    .getByRole('button', { name: /^Salir a reparto ORD/ })
    .click();
  await asked(setEstado).toBe(1);
  await mine.getByRole('button', { name: /^Completar ORD/ }).click();
  await expect.element(delivery).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(delivery).not.toBeInTheDocument();

  await completing(mine);
  await send.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(delivery).not.toBeInTheDocument();
  answer();
  await expect.element(mine).not.toBeInTheDocument();
});

test('a new order that gets no answer is sent again with the same idempotency key', async () => {
  const fifteenSeconds = holdWaits(LIMIT);
  const packs = [aPack({ product_name: 'Miel', name: 'Tarro', available: true, quedan: 5 })];
  server.answer(listPacks, listed(packs));
  server.reply(calcularTotal, ({ body }) => aTotal(body, packs));
  open('/pedidos/nuevo', 'revendedor');
  const name = page.getByLabelText(/^Nombre/);
  await name.fill('Ana Ruiz');
  await page.getByLabelText(/^Dirección \*/).fill('Calle Mayor 3');
  await page.getByRole('combobox', { name: 'Pack' }).click();
  await page.getByRole('option', { name: /Tarro/ }).click();
  server.hold(createPedido);
  await page.getByRole('button', { name: 'Crear Pedido' }).click();
  await asked(createPedido).toBe(1);
  fifteenSeconds();
  await expect.element(alert(UNANSWERED)).toBeVisible();
  await expect.element(name).toHaveValue('Ana Ruiz');

  server.answer(createPedido, { ...asDone('Pedido creado', aPedido()), avisos: [], payment_link: null });
  await page.getByRole('button', { name: 'Crear Pedido' }).click();
  await expect.element(dialog('Pedido creado')).toBeVisible();
  const keys = server.asked(createPedido).map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{8,}$/), keys[0]]);
});

test('a list that gets no answer shows an error, and is requested again only by hand', async () => {
  const fifteenSeconds = holdWaits(LIMIT);
  server.hold(listClientes);
  open('/clientes');
  await asked(listClientes).toBe(1);
  fifteenSeconds();
  const failed = alert('No se pudieron cargar los clientes');
  await expect.element(failed).toMatchTextContent('El servidor no ha respondido a tiempo');
  expect(server.asked(listClientes)).toHaveLength(1);
  server.answer(listClientes, pageOf([aCliente({ cliente_nombre: 'Nuria Vidal' })]));
  await failed.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(failed).not.toBeInTheDocument();
  await expect.element(row('Nuria Vidal')).toBeVisible();
});

test('«Salir a reparto», pressed twice, is sent once', async () => {
  const mine = await carrier('en_proceso');
  await mine.getByRole('button', { name: /^Salir a reparto ORD/ }).dblClick();
  await expect.element(mine).toMatchTextContent('En Ruta');
  await expect.element(mine).not.toMatchTextContent('Pendiente de enviar');
  expect(server.asked(setEstado)).toHaveLength(1);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('a list shows since when the connection is lost, until the connection is back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T09:42:10Z') });
  const fourSeconds = holdWaits(4_000);
  await carrier();
  // An answer on its way would say that the server can be reached.
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  server.offline(true);
  const since = page.getByRole('status').filter({ hasText: 'Sin conexión desde las 10:42: puede haber cambios' });
  await expect.element(since).not.toBeInTheDocument();
  await expectAfter(fourSeconds, since);
  vi.setSystemTime(new Date('2026-03-02T09:44:10Z'));
  fourSeconds();
  await expect.element(since).toBeVisible();
  server.offline(false);
  await expect.element(since).not.toBeInTheDocument();
});

test('a lost first request is retried at once, without an error page', async () => {
  const lost = vi.spyOn(window, 'fetch').mockRejectedValueOnce(new TypeError('Failed to fetch'));
  open('/transportista-dashboard', 'transportista');
  await expect.element(page.getByRole('heading', { level: 1 }), { timeout: 3000 }).toBeVisible();
  expect(lost).toHaveBeenCalled();
  await expect.element(page.getByText('Esta pantalla no se ha podido cargar')).not.toBeInTheDocument();
});
