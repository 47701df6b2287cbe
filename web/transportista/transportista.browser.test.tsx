import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import {
  getPedido,
  listPedidos,
  type Pedido,
  type PedidoDisponible,
  type PedidoTransportista,
  setEstado,
} from '../../contract/pedidos/pedidos.ts';
import { pedidoDisponible, pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { autoAsignar, listCiudades, listDisponibles, tomarPedidos } from '../../contract/transportista/transportista.ts';
import { address, expectAccessible, onPhone, open, person, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row, rows, textsOf } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { queryClient } from '../api.ts';
import { openStore } from '../outbox/store.ts';

/* A carrier's screens: dashboard, available orders, orders in hand, deliveries. Never a price. */

const me = person('transportista');
const IN_HAND = { estado: 'asignado', transportista_id: me.id, transportista_nombre: me.full_name } as const;
const forTaking = (fields: Partial<Pedido> = {}): PedidoDisponible => pedidoDisponible.parse(aPedido(fields));
const inHand = (fields: Partial<Pedido> = {}): PedidoTransportista => pedidoTransportista.parse(aPedido({ ...IN_HAND, ...fields }));
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

let available: PedidoDisponible[];
let mine: PedidoTransportista[];
beforeEach(() => {
  [available, mine] = [[], []];
  server.reply(listDisponibles, ({ query }) => {
    const { search = '', ciudad } = query;
    const found = available.filter((pedido) => plain(pedido.cliente_nombre).includes(plain(search)));
    return pageOf(found.filter(({ cliente_ciudad }) => !ciudad || cliente_ciudad === ciudad));
  });
  server.reply(listPedidos, ({ query }) => pageOf(mine.filter(({ estado }) => query.estado?.split(',').includes(estado))));
  server.reply(getPedido, ({ params }) => ({ data: mine.find(({ id }) => id === params.id) ?? inHand() }));
  server.reply(setEstado, ({ params, body }) => {
    const changed = {
      ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
      ...(body.paso === 'fallar' && { intento_at: new Date().toISOString(), intentos: 1 }),
    };
    mine = mine.map((pedido) => (pedido.id === params.id ? pedidoTransportista.parse({ ...pedido, ...changed }) : pedido));
    const data = mine.find(({ id }) => id === params.id) ?? inHand();
    if (body.estado === 'pendiente') mine = mine.filter(({ id }) => id !== params.id);
    return asDone('Estado actualizado', data);
  });
});
function lets(taken: PedidoTransportista) {
  server.reply(autoAsignar, ({ params }) => {
    available = available.filter(({ id }) => id !== params.id);
    mine = [taken];
    return { message: '', pedido: taken };
  });
}

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
// The accessible name of a button in the list includes the order number.
const button = (name: string, within: Pick<Locator, 'getByRole'> = page) =>
  within.getByRole('button', { name: new RegExp(`^${name}( ORD-\\S+)?$`) });
const press = (name: string, within?: Pick<Locator, 'getByRole'>) => button(name, within).click();
const order = ({ numero_orden }: PedidoDisponible) => row(numero_orden);
async function fromMenu(pedido: PedidoDisponible, name: string) {
  await press(`Más acciones del pedido ${pedido.numero_orden}`, order(pedido));
  await page.getByRole('menuitem', { name }).click();
}
const details = (pedido: PedidoDisponible) => press(`Ver detalles del pedido ${pedido.numero_orden}`, order(pedido));
const box = (locator: Locator) => locator.element().getBoundingClientRect();

test('a card shows the amount to collect, and completing needs a reason if part of the amount is missing', async () => {
  const pedido = inHand({ estado: 'en_ruta', contra_reembolso: true, por_cobrar: 34.5 });
  mine = [pedido, inHand({ contra_reembolso: true, por_cobrar: 0 })];
  await onPhone();
  open('/pedidos-asignados', 'transportista', { contra_reembolso: true });
  await expect.element(page.getByText('Cobrar 34,50 €')).toBeVisible();
  expect(page.getByText(/^Cobrar/).elements()).toHaveLength(1);
  expect(page.getByText('No hay nada que cobrar').elements()).toHaveLength(1);
  await press('Completar', order(pedido));
  const form = dialog('Completar Entrega');
  await expect.element(form.getByLabelText('Cobrar 34,50 €').getByRole('textbox')).toHaveValue('34,50');
  await form.getByRole('radio', { name: 'MRW' }).click();
  await expect.element(form.getByRole('radio', { name: 'Lo cobra MRW' })).toBeVisible();
  await form.getByRole('radio', { name: 'Reparto propio' }).click();
  await expect.element(form.getByRole('radio', { name: /^Lo cobra/ })).not.toBeInTheDocument();
  await form.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.element(form.getByText('Elige cómo te han pagado')).toBeVisible();
  await form.getByRole('radio', { name: 'Efectivo' }).click();
  await form.getByLabelText('Cobrar 34,50 €').getByRole('textbox').first().fill('30');
  await form.getByLabelText(/^Por qué no has cobrado todo/).fill('No tenía más');
  await expectAccessible();
  await page.viewport(1440, 844);
  await expect.element(form.getByLabelText(/^Por qué no has cobrado todo/)).toHaveValue('No tenía más');
  await expectAccessible();
  await form.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.poll(() => server.asked(setEstado).length).toBe(1);
  expect(server.asked(setEstado)[0]?.body).toMatchObject({ cobrado: 30, cobrado_metodo: 'efectivo', cobrado_motivo: 'No tenía más' });
});

test.each([
  [['Miel', 'Outlet'], ' · Outlet'],
  [undefined, ''],
])('a card names the web shop of its order where there are two: %s', async (tiendas, words) => {
  const pedido = inHand({ tienda: 'Outlet' });
  mine = [pedido];
  await onPhone();
  open('/pedidos-asignados', 'transportista', tiendas && { tiendas });
  await expect.element(order(pedido).getByText(`${pedido.numero_orden}${words}`, { exact: true })).toBeVisible();
});

test('the dashboard shows the figures of the day and links to the lists', async () => {
  const figures = {
    disponibles: 5,
    disponiblesSemana: 3,
    asignados: 1,
    porEntregar: 2,
    completadasHoy: 4,
    hoy: { toca: 1, calle: 1, hecho: 4, decidir: 0 },
  };
  server.answer(transportistaStats, { data: { ...figures, mes: { entregados: 1, total: 3 } } });
  mine = [inHand(), inHand({ estado: 'en_ruta' }), inHand({ estado: 'completado', metodo_entrega: 'manual' })];
  open('/', 'transportista');
  await expect.poll(address).toBe('/transportista-dashboard');
  const main = page.getByRole('main');
  const card = (label: string) => main.getByRole('link', { name: new RegExp(`^${label} ?\\d`) });
  await expect.element(card('Disponibles')).toMatchTextContent('Disponibles5');
  await expect.element(card('Mis Asignados')).toMatchTextContent('Mis Asignados1');
  await expect.element(card('Pendientes')).toMatchTextContent('Pendientes2');
  await expect.element(main).toMatchTextContent('Completadas Hoy4');
  const month = page.getByRole('region', { name: 'Rendimiento del Mes' });
  for (const text of ['33 %', '1 de 3 pedidos de este mes', 'Total de entregas: 1']) await expect.element(month).toMatchTextContent(text);
  await expectAccessible();

  await card('Mis Asignados').click();
  await expect.poll(address).toBe('/pedidos-asignados?estado=asignado');
  await expect.element(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
  history.back();
  await card('Pendientes').click();
  await expect.element(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await expect.element(row('En Ruta')).toBeVisible();
  history.back();
  await page.getByRole('link', { name: 'Ver entregas completadas' }).click();
  await expect.element(row('Reparto propio')).toBeVisible();
});

test('the list of available orders recovers from a failure, and drops an order that another carrier took', async () => {
  server.refuse(listDisponibles, 500, { message: 'Algo ha fallado' });
  open('/pedidos-disponibles', 'transportista');
  await expect.element(page.getByRole('alert')).toMatchTextContent('Error al cargar los pedidos disponibles');
  available = [forTaking()];
  server.reply(listDisponibles, () => pageOf(available));
  await press('Reintentar');
  await expect.element(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();

  await press('Tomar Pedido');
  available = [];
  server.refuse(autoAsignar, 409, { message: 'Otro transportista ya ha tomado este pedido' });
  server.refuse(getPedido, 404, { message: 'Pedido no encontrado' });
  await press('Confirmar', dialog('Tomar Pedido'));
  await expect.element(page.getByText('Otro transportista ya ha tomado este pedido')).toBeVisible();
  await expect.element(dialog('Tomar Pedido')).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Pedidos Disponibles' })).toBeVisible();
  await expect.element(page.getByText('Todos los pedidos pendientes han sido asignados')).toBeVisible();
  await expectAccessible();
});

test('the address keeps search and date of available orders, and the list says when no order matches', async () => {
  // 00:30 of the 21st in Madrid.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T23:30:00Z') });
  const wanted = forTaking({ cliente_nombre: 'Begoña Ibáñez', cliente_direccion: 'Travesía del Olmo 9' });
  const other = forTaking({ cliente_nombre: 'Otro Cliente' });
  available = [wanted, other];
  open('/pedidos-disponibles', 'transportista');
  await expect.element(order(other)).toBeVisible();
  const search = page.getByRole('searchbox');
  await search.fill('begona');
  await expect.element(order(other)).not.toBeInTheDocument();
  await expect.element(order(wanted)).toMatchTextContent('Travesía del Olmo 9');
  await page.getByRole('combobox', { name: 'Fecha' }).click();
  await page.getByRole('option', { name: 'Hoy' }).click();
  await expect.poll(address).toBe('/pedidos-disponibles?search=begona&fecha=hoy');
  await expect
    .poll(() => server.asked(listDisponibles).at(-1)?.query)
    .toMatchObject({ search: 'begona', fecha_desde: '2026-11-21', fecha_hasta: '2026-11-21' });
  reload('transportista');
  await expect.element(search).toHaveValue('begona');
  await expect.element(page.getByRole('combobox', { name: 'Fecha' })).toHaveValue('Hoy');
  await expect.element(order(wanted)).toBeVisible();

  await search.fill('nadie así');
  await expect.element(page.getByText('No hay pedidos disponibles que coincidan con los filtros')).toBeVisible();
  await press('Quitar los filtros');
  await expect.element(order(other)).toBeVisible();
});

test('a carrier sees the lines of an order before taking it, and telephone and door afterwards', async () => {
  const lineas = [
    { numero: 1, producto: 'Aceite – Bidón', cantidad: 3 },
    { numero: 2, producto: 'Vino – Barrica', cantidad: 2 },
  ];
  const goods = { producto: 'Aceite – Bidón y 1 más', cantidad: 5, num_lineas: 2 };
  const pedido = aPedido({ cliente_nombre: 'Nuria Vidal', cliente_direccion: 'Rambla del Mar 3', cliente_ciudad: 'Reus', ...goods });
  const other = forTaking({ producto: 'Miel – Tarro' });
  available = [pedidoDisponible.parse(pedido), other];
  const taken = inHand({ ...pedido, ...IN_HAND, cliente_direccion2: 'Puerta 4-B', cliente_telefono: '611 222 333' });
  lets(taken);
  server.answer(getPedido, { data: { ...taken, lineas } });
  open('/pedidos-disponibles', 'transportista');
  const map = order(pedido).getByRole('link', { name: /mapa/i });
  await expect
    .element(map)
    .toHaveAttribute('href', `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent('Rambla del Mar 3, Reus')}`);
  await expect.element(order(pedido)).toMatchTextContent('Aceite – Bidón y 1 más');
  for (const each of [pedido, other]) await order(each).getByRole('checkbox').click();
  await press('Tomar 2');
  // Several orders are listed by their summaries.
  await expect.element(dialog('Tomar Pedidos')).toMatchTextContent(/Aceite – Bidón y 1 más \(5 en total\).*1 × Miel – Tarro/);
  await press('Cancelar', dialog('Tomar Pedidos'));

  const both = ['3 × Aceite – Bidón', '2 × Vino – Barrica'];
  const listIn = (name: string) => dialog(name).getByRole('list', { name: 'Líneas del pedido' }).getByRole('listitem');
  const take = () => press('Tomar Pedido', order(pedido));
  await take();
  const question = dialog('Tomar Pedido');
  await expect.element(question).toMatchTextContent(`¿Deseas asignarte el pedido #${pedido.numero_orden} para el cliente Nuria Vidal?`);
  await expect.poll(() => textsOf(listIn('Tomar Pedido'))).toEqual(both);
  await expectAccessible();
  await press('Cancelar', question);
  await expect.element(question).not.toBeInTheDocument();
  await take();
  await press('Confirmar', question);
  await expect.element(page.getByText(new RegExp(`^Pedido #${pedido.numero_orden} asignado exitosamente`))).toBeVisible();
  await expect.element(order(pedido)).not.toBeInTheDocument();

  await press('Ver mis pedidos');
  await expect.poll(address).toBe('/pedidos-asignados');
  await expect.element(order(pedido)).toMatchTextContent('Puerta 4-B');
  await expect.element(order(pedido).getByRole('link', { name: /611/ })).toHaveAttribute('href', 'tel:611222333');
  await expect.element(order(pedido)).toMatchTextContent('Aceite – Bidón y 1 más (5 en total)');
  await expectAccessible();
  await details(pedido);
  const lines = page.getByRole('table', { name: 'Líneas del pedido' }).getByRole('row');
  await expect.poll(() => textsOf(lines)).toEqual(['ProductoCantidad', 'Aceite – Bidón3', 'Vino – Barrica2']);
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await press('Completar', order(pedido));
  await expect.poll(() => textsOf(listIn('Completar Entrega'))).toEqual(both);
});

test('orders of one town are taken together, after a question that names customers and addresses', async () => {
  const wanted = [
    forTaking({ cliente_nombre: 'Uno', cliente_ciudad: 'Teruel', cliente_direccion: 'Calle Alta 1' }),
    forTaking({ cliente_nombre: 'Dos', cliente_ciudad: 'Teruel', cliente_direccion: 'Calle Baja 2' }),
  ];
  const other = forTaking({ cliente_ciudad: 'Soria' });
  available = [...wanted, other];
  const data = [
    { ciudad: 'Soria', pedidos: 1 },
    { ciudad: 'Teruel', pedidos: 2 },
  ];
  server.answer(listCiudades, { data });
  server.reply(tomarPedidos, ({ body }) => ({
    message: '2 pedidos asignados',
    data: body.ids.map((id) => ({ id, ok: true, message: 'Asignado' })),
  }));
  open('/pedidos-disponibles', 'transportista');
  await page.getByRole('combobox', { name: 'Ciudad' }).fill('teru');
  await page.getByRole('option', { name: 'Teruel (2)' }).click();
  await expect.poll(address).toContain('ciudad=Teruel');
  await expect.element(order(other)).not.toBeInTheDocument();
  for (const pedido of wanted) await order(pedido).getByRole('checkbox').click();
  await press('Tomar 2', page.getByRole('region', { name: 'Pedidos elegidos' }));
  const question = dialog('Tomar Pedidos');
  await expect.element(question).toMatchTextContent(/Uno, Calle Alta 1.*Dos, Calle Baja 2/);
  await press('Tomar 2', question);
  await expect.element(page.getByText(/^2 pedidos asignados/)).toBeVisible();
  expect(server.asked(tomarPedidos)[0]?.body.ids).toEqual(wanted.map(({ id }) => id));
});

test('a late order is marked, and the primary button of each order is its next step', async () => {
  const late = inHand({ fecha_estimada: '2020-01-01T11:00:00.000Z', estado: 'en_ruta' });
  const soon = inHand({ fecha_estimada: '2999-01-01T11:00:00.000Z' });
  mine = [late, soon];
  open('/pedidos-asignados', 'transportista');
  await expect
    .poll(() => textsOf(rows()))
    .toEqual([expect.stringContaining(late.numero_orden), expect.stringContaining(soon.numero_orden)]);
  expect(server.asked(listPedidos)[0]?.query).toMatchObject({ estado: 'asignado,en_proceso,en_ruta', sort: 'fecha_estimada', dir: 'asc' });
  await expect.element(order(late)).toMatchTextContent('Atrasado: entrega 01/01/2020');
  // Once: the situation says the same in other words.
  await expect.element(order(late)).not.toMatchTextContent('tarde');
  await expect.element(order(soon)).not.toMatchTextContent('Atrasado');
  const filled = (pedido: PedidoDisponible) =>
    order(pedido)
      .getByRole('button')
      .elements()
      .filter(({ dataset }) => dataset.variant === 'filled')
      .map(({ textContent }) => textContent);
  expect(filled(late)).toEqual(['Completar']);
  expect(filled(soon)).toEqual(['Salir a reparto']);
});

test('steps forward take one click, but a failed attempt needs a reason and a return a confirmation', async () => {
  const pedido = inHand();
  mine = [pedido];
  open('/pedidos-asignados', 'transportista');
  await fromMenu(pedido, 'Empezar a preparar');
  await expect.element(order(pedido)).toMatchTextContent('En Proceso');
  await press('Salir a reparto', order(pedido));
  await expect.element(order(pedido)).toMatchTextContent('En Ruta');
  await expect.poll(() => server.asked(setEstado).map(({ body }) => body.estado)).toEqual(['en_proceso', 'en_ruta']);

  await fromMenu(pedido, 'Intento fallido');
  const failed = dialog('Intento fallido');
  const save = () => press('Registrar intento fallido', failed);
  await save();
  await expect.element(failed).toMatchTextContent('Por favor, selecciona un motivo');
  await failed.getByRole('radio', { name: 'Otro motivo' }).click();
  await save();
  await expect.element(failed).toMatchTextContent('Por favor, explica el motivo');
  await expect.element(failed.getByLabelText(/^Explica el motivo/)).toHaveFocus();
  await expectAccessible();
  await failed.getByRole('radio', { name: 'Ausente' }).click();
  await failed.getByLabelText('Detalles (opcional)').fill('vuelve a las seis');
  await failed.getByRole('radio', { name: 'Al cliente' }).click();
  await userEvent.keyboard('{Escape}');
  await press('Seguir editando', dialog('Descartar los cambios'));
  await save();
  await expect.element(failed).not.toBeInTheDocument();
  expect(server.asked(setEstado)[2]?.body).toMatchObject({ estado: 'asignado', motivo: 'Ausente: vuelve a las seis', llamado: 'cliente' });
  await expect.element(order(pedido)).toMatchTextContent('Asignado');
  await expect.element(order(pedido)).toMatchTextContent('Ausente: vuelve a las seis');

  const question = dialog('Devolver a disponibles');
  await fromMenu(pedido, 'Devolver a disponibles');
  await press('Cancelar', question);
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(order(pedido)).toBeVisible();
  await fromMenu(pedido, 'Devolver a disponibles');
  await press('Devolver', question);
  await expect.element(page.getByText('No tienes pedidos en curso')).toBeVisible();
});

test('a carrier leaves with all orders in one step, after a question that counts those that may leave', async () => {
  mine = [...Array.from({ length: 9 }, () => inHand()), inHand({ recoge_at: '2026-11-20T10:00:00.000Z' })];
  await onPhone();
  open('/pedidos-asignados', 'transportista');
  await expect.poll(() => box(page.getByRole('button', { name: 'Salir con todos (9)' })).bottom).toBeLessThanOrEqual(innerHeight);
  await expectAccessible();
  await press('Salir con todos \\(9\\)');
  await expect.element(dialog('Salir a reparto')).toMatchTextContent('Salen 9 pedidos');
  expect(server.asked(setEstado)).toHaveLength(0);
  await press('Salir con todos', dialog('Salir a reparto'));
  await expect.poll(() => server.asked(setEstado).length).toBe(9);
  expect(server.asked(setEstado).every(({ body }) => body.paso === 'salir')).toBe(true);
  await expect.element(page.getByRole('button', { name: /Salir con todos/ })).not.toBeInTheDocument();
});

test('the dialog to complete an order asks for a method, and closes if the order was completed elsewhere', async () => {
  const [numbered, without, hand, elsewhere] = [inHand(), inHand(), inHand(), inHand()];
  const [own, changed] = [inHand({ empresa_transporte: 'manual' }), inHand({ empresa_transporte: 'manual' })];
  mine = [numbered, without, own, changed, hand, elsewhere];
  open('/pedidos-asignados', 'transportista');
  const completing = dialog('Completar Entrega');
  const method = (name: string) => completing.getByRole('radio', { name });
  const number = completing.getByLabelText('Número de seguimiento (opcional)');
  const start = button('Completar', order(numbered));
  await start.click();
  await expect.poll(() => textsOf(completing.getByRole('radio'))).toEqual(['Correos', 'MRW', 'FedEx', 'Reparto propio', 'Otro']);
  await press('Completar sin número', completing);
  await expect.element(completing).toMatchTextContent('Por favor, selecciona un método de entrega');
  await expect.element(completing).not.toMatchTextContent('Por favor, introduce el número de seguimiento');
  await method('MRW').click();
  await number.fill('   ');
  await press('Completar entrega', completing);
  await expect.element(completing).toMatchTextContent('Por favor, introduce el número de seguimiento');
  await expect.element(number).toHaveFocus();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await press('Descartar', dialog('Descartar los cambios'));
  await expect.element(completing).not.toBeInTheDocument();
  await expect.element(start).toHaveFocus();

  await start.click();
  // A company in the list needs no name.
  await method('MRW').click();
  await expect.element(completing.getByLabelText('Empresa de transporte (opcional)')).not.toBeInTheDocument();
  await method('Otro').click();
  await number.fill('  MRW-900  ');
  await completing.getByLabelText('Empresa de transporte (opcional)').fill(' Rápidos del Sur ');
  await press('Completar entrega', completing);
  await expect.element(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  await expect.element(order(numbered)).not.toBeInTheDocument();
  // The last method is preselected.
  await press('Completar', order(without));
  await expect.element(method('Otro')).toBeChecked();
  await number.fill('no se envía');
  await press('Completar sin número', completing);
  await expect.element(order(without)).not.toBeInTheDocument();

  // The shop's own van counts as a method, and can be changed.
  await press('Completar', order(own));
  await expect.element(completing).toMatchTextContent('Método de entrega: Reparto propio');
  expect(completing.getByRole('radio').elements()).toHaveLength(0);
  await expectAccessible();
  await press('Completar entrega', completing);
  await expect.element(order(own)).not.toBeInTheDocument();
  await press('Completar', order(changed));
  await press('Cambiar el método de entrega', completing);
  await expect.element(method('Reparto propio')).toBeChecked();
  await method('MRW').click();
  await press('Completar sin número', completing);
  await expect.element(order(changed)).not.toBeInTheDocument();

  await press('Completar', order(hand));
  await method('MRW').click();
  await expect.element(number).toBeVisible();
  await method('Reparto propio').click();
  await expect.element(number).not.toBeInTheDocument();
  await press('Completar entrega', completing);
  await expect.element(order(hand)).not.toBeInTheDocument();
  const sent = { estado: 'completado', metodo_entrega: 'otro' };
  expect(server.asked(setEstado).map(({ body }) => body)).toMatchObject([
    { ...sent, numero_seguimiento: 'MRW-900', empresa_transporte: 'Rápidos del Sur' },
    { ...sent, numero_seguimiento: null, empresa_transporte: null },
    { metodo_entrega: 'manual' },
    { metodo_entrega: 'mrw' },
    { metodo_entrega: 'manual', numero_seguimiento: null },
  ]);

  await press('Completar', order(elsewhere));
  mine = [{ ...elsewhere, estado: 'completado', metodo_entrega: 'manual' }];
  server.refuse(setEstado, 409, { message: 'El pedido ya está en estado «Completado»' });
  await method('Otro').click();
  await press('Completar sin número', completing);
  await expect.element(page.getByText('El pedido ya está en estado «Completado»')).toBeVisible();
  await expect.element(completing).not.toBeInTheDocument();
  await expect.element(page.getByText('No tienes pedidos en curso')).toBeVisible();
});

test('a delivered order shows its method and tracking number in the list, and its company in the details', async () => {
  const delivered = {
    estado: 'completado',
    metodo_entrega: 'mrw',
    numero_seguimiento: 'MRW-900',
    empresa_transporte: 'Rápidos del Sur',
  } as const;
  const pedido = inHand({ ...delivered, fecha_completado: '2026-11-20T10:00:00.000Z' });
  mine = [pedido];
  open('/pedidos-asignados?estado=completado', 'transportista');
  await expect.element(order(pedido)).toMatchTextContent('MRW · MRW-900');
  await details(pedido);
  const shown = dialog(`Detalles del Pedido ${pedido.numero_orden}`);
  await expect.element(shown).toMatchTextContent('MRW-900');
  await expect.element(shown).toMatchTextContent('Rápidos del Sur');
  await expectAccessible();
});

test('a phone shows two and a half orders, and an order is completed with three taps on large targets', async () => {
  await onPhone();
  mine = Array.from({ length: 4 }, () => inHand({ cliente_telefono: '611 222 333', cliente_ciudad: 'Reus', cliente_direccion2: '2º B' }));
  open('/pedidos-asignados', 'transportista');
  await expect.poll(() => rows().elements()).toHaveLength(4);
  const third = box(rows().nth(2));
  expect(third.top + third.height / 2).toBeLessThanOrEqual(innerHeight);
  const completing = dialog('Completar Entrega');
  for (const target of [
    button('Completar', rows().first()),
    completing.getByRole('radio', { name: 'Reparto propio' }),
    completing.getByRole('button', { name: 'Completar entrega' }),
  ]) {
    await expect.element(target).toBeVisible();
    expect(box(target).height).toBeGreaterThanOrEqual(44);
    await expect.poll(() => box(target).bottom).toBeLessThanOrEqual(innerHeight);
    await target.click();
  }
  await expect.element(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  await expect.element(completing).not.toBeInTheDocument();

  await expect.element(page.getByRole('combobox', { name: 'Estado' })).not.toBeInTheDocument();
  await press('Filtros');
  await page.getByRole('combobox', { name: 'Estado' }).click();
  await page.getByRole('option', { name: 'Completado' }).click();
  await expect.poll(address).toBe('/pedidos-asignados?estado=completado');
  await expect.element(page.getByRole('button', { name: 'Filtros (1)' })).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible();
});

test('a phone offers the carrier’s actions on card and details, and «Atrás» asks before discarding text', async () => {
  await onPhone();
  const pedido = inHand({ cliente_nombre: 'Nuria Vidal', cliente_telefono: '611 222 333', cliente_direccion: 'Rambla del Mar 3' });
  mine = [pedido, inHand()];
  open('/pedidos-asignados', 'transportista');
  await expect.element(order(pedido).getByRole('link', { name: 'Llamar a Nuria Vidal' })).toHaveAttribute('href', 'tel:611222333');
  const directions = `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent('Rambla del Mar 3')}`;
  await expect.element(order(pedido).getByRole('link', { name: 'Cómo llegar a Rambla del Mar 3' })).toHaveAttribute('href', directions);
  await expectAccessible();
  await fromMenu(pedido, 'Ver detalles');
  const shown = dialog(`Detalles del Pedido ${pedido.numero_orden}`);
  await expect.element(shown.getByRole('link', { name: 'Llamar' })).toHaveAttribute('href', 'tel:611222333');
  await expect.element(shown.getByRole('link', { name: 'Cómo llegar' })).toHaveAttribute('href', expect.stringContaining('maps/dir'));
  await expect.element(shown).toMatchTextContent('Rambla del Mar 3');
  expect(box(shown.getByRole('button', { name: /^Completar/ })).bottom).toBeLessThanOrEqual(innerHeight);
  await expectAccessible();
  await press('Salir a reparto', shown);
  await expect.element(shown).toMatchTextContent('En Ruta');
  history.back();
  await expect.element(shown).not.toBeInTheDocument();
  await expect.poll(address).toBe('/pedidos-asignados');

  await press('Completar', order(pedido));
  const completing = dialog('Completar Entrega');
  await completing.getByRole('radio', { name: 'MRW' }).click();
  await completing.getByLabelText('Número de seguimiento (opcional)').fill('MRW-1');
  history.back();
  await press('Seguir editando', dialog('Descartar los cambios'));
  await expect.element(completing.getByLabelText('Número de seguimiento (opcional)')).toHaveValue('MRW-1');
  await expect.poll(address).toContain('accion=completar');
  // «Atrás» during the question of the X replaces that question.
  const cross = completing.getByRole('button', { name: 'Cerrar' });
  await cross.click();
  await expect.element(dialog('Descartar los cambios')).toBeVisible();
  history.back();
  await press('Seguir editando', dialog('Descartar los cambios'));
  await expect.poll(address).toContain('accion=completar');
  history.back();
  await press('Descartar', dialog('Descartar los cambios'));
  await expect.element(completing).not.toBeInTheDocument();
  await expect.poll(address).toBe('/pedidos-asignados');
});

test('«Atrás» leads from «Completar» to the list, also after a step made in the details', async () => {
  const pedido = inHand();
  mine = [pedido];
  open('/pedidos-disponibles', 'transportista');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Pedidos asignados/ })
    .click();
  await onPhone();
  await fromMenu(pedido, 'Ver detalles');
  const shown = dialog(`Detalles del Pedido ${pedido.numero_orden}`);
  const [before, store] = [server.asked(listPedidos).length, openStore()];
  await press('Salir a reparto', shown);
  await expect.element(shown).toMatchTextContent('En Ruta');
  // Waits for the last redraw of the list behind the details.
  await expect.poll(() => server.asked(listPedidos).length).toBeGreaterThan(before);
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  await expect.poll(async () => (await store.of(me.id)).filter(({ state }) => state === 'pendiente')).toEqual([]);
  store.close();
  history.back();
  await expect.element(shown).not.toBeInTheDocument();
  await press('Completar', order(pedido));
  await expect.element(dialog('Completar Entrega')).toBeVisible();
  history.back();
  await expect.element(dialog('Completar Entrega')).not.toBeInTheDocument();
  await expect.poll(address).toBe('/pedidos-asignados');
});

test('a small laptop shows a table without cutting a button label', async () => {
  await page.viewport(1366, 768);
  mine = [inHand({ estado: 'en_proceso' })];
  open('/pedidos-asignados', 'transportista');
  const table = page.getByRole('table', { name: 'Pedidos asignados' });
  for (const name of [/^Completar ORD/, /^Salir a reparto ORD/]) {
    const button = table.getByRole('button', { name });
    await expect.element(button).toBeVisible();
    const label = button.element().querySelector('span > span') as HTMLElement;
    expect(label.scrollWidth).toBeLessThanOrEqual(label.clientWidth);
  }
});
