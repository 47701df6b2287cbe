import { beforeEach, expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { asDone, type QueryIn } from '../../../contract/kit/endpoint.ts';
import { pedidosQuery } from '../../../contract/pedidos/filters.schemas.ts';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import {
  aplazarPedido,
  calcularTotal,
  getPedido,
  listPedidos,
  type Pedido,
  setEstado,
  setLineas,
  updatePedido,
} from '../../../contract/pedidos/pedidos.ts';
import { listPacks, type Pack } from '../../../contract/products/products.ts';
import { revendedorStats } from '../../../contract/stats/stats.ts';
import { address, expectAccessible, onPhone, open, person, reload } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { row, rows, textsOf } from '../../../test/web/list.ts';
import { aPack, aPedido, aTotal, listed, pageOf } from '../../../test/web/samples.ts';

/* «Mis Pedidos»: a reseller's own orders. */

const anOrder = (fields: Partial<Pedido> = {}) =>
  aPedido({ revendedor_id: person('revendedor').id, estado: 'pendiente_pago', payment_link: '/pagar/una-llave', ...fields });

let orders: Pedido[];
let packs: Pack[];
const change = (id: string, fields: Partial<Pedido>) => {
  orders = orders.map((pedido) => (pedido.id === id ? { ...pedido, ...fields } : pedido));
  return orders.find((pedido) => pedido.id === id) as Pedido;
};
beforeEach(() => {
  [orders, packs] = [[], []];
  const fits = (pedido: Pedido, { estado, search }: QueryIn<typeof listPedidos>) =>
    (!estado || estado.split(',').includes(pedido.estado)) && (!search || pedido.cliente_nombre.toLowerCase().includes(search));
  // The server lists orders without their lines.
  server.reply(listPedidos, ({ query }) =>
    pageOf(orders.filter((pedido) => fits(pedido, query)).map(({ lineas: _, ...pedido }) => pedido)),
  );
  server.reply(getPedido, ({ params }) => ({ data: change(params.id, {}) }));
  server.reply(setEstado, ({ params, body }) => asDone('Estado actualizado', change(params.id, { estado: body.estado })));
  server.reply(updatePedido, ({ params, body: { cliente_nombre, cliente_direccion } }) => ({
    ...asDone('El pedido se actualizó correctamente', change(params.id, { cliente_nombre, cliente_direccion })),
    avisos: [],
  }));
  server.reply(listPacks, () => listed(packs));
  server.reply(calcularTotal, ({ body }) => aTotal(body, packs));
});

const see = (search = '') => open(`/mis-pedidos${search}`, 'revendedor');
const order = ({ numero_orden }: Pedido) => row(numero_orden);
const press = (name: string, within: Pick<Locator, 'getByRole'> = page) => within.getByRole('button', { name, exact: true }).click();
const numberOf = ({ numero_orden }: Pedido) => page.getByRole('link', { name: numero_orden, exact: true });
const look = (pedido: Pedido) => numberOf(pedido).click();
async function fromMenu({ numero_orden }: Pedido, name: string) {
  await press(`Acciones del pedido ${numero_orden}`);
  await page.getByRole('menuitem', { name, exact: true }).click();
}
/** Takes a step of the open order that is folded under «Más». */
async function takeFolded(name: string, pedido: Pedido) {
  await press('Más', details(pedido));
  await page.getByRole('menuitem', { name }).click();
}
const details = (pedido: Pedido) => page.getByRole('dialog', { name: `Detalles del Pedido ${pedido.numero_orden}` });
const card = (label: string) => page.getByRole('link', { name: new RegExp(`^${label} ?\\d`) });
const field = (label: string) => page.getByLabelText(new RegExp(`^${label}( \\*)?$`));
const picker = (name: string) => page.getByRole('combobox', { name, exact: true });
const amount = (name: string) => page.getByRole('textbox', { name, exact: true });

test('an empty list invites the reseller to create the first order', async () => {
  see();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Mis Pedidos' })).toBeVisible();
  await expect.element(page.getByText('Todavía no tienes pedidos')).toBeVisible();
  await expectAccessible();
});

test('each order shows its carrier and tracking, and only an unpaid order can be paid or cancelled', async () => {
  const unpaid = anOrder({ precio_total: 40, payment_link: 'https://enruta.test/pagar/una-llave' });
  const paid = anOrder({ estado: 'pendiente', pagado: 25 });
  const taken = anOrder({ estado: 'asignado', transportista_nombre: 'Tomás Gil', pagado: 25 });
  const seguimiento_url = 'https://www.mrw.es/seguimiento/MRW-99';
  const tracked = anOrder({ estado: 'completado', numero_seguimiento: 'MRW-99', seguimiento_url, pagado: 25 });
  const untracked = anOrder({ estado: 'completado', pagado: 25 });
  orders = [unpaid, paid, taken, tracked, untracked];
  see();
  await expect.element(order(paid)).toMatchTextContent('En espera del transportista');
  await expect.element(order(taken)).toMatchTextContent('En espera del transportistaLo lleva Tomás Gil');
  await expect.element(order(unpaid)).toMatchTextContent('En espera del transportista');
  await expect.element(order(tracked)).toMatchTextContent('Núm. seguimiento MRW-99');
  const follow = order(tracked).getByRole('link', { name: 'Seguir el envío MRW-99' });
  await expect.element(follow).toHaveAttribute('href', seguimiento_url);
  await expect.element(follow).toHaveAttribute('target', '_blank');
  await expect.element(order(untracked)).toMatchTextContent('Sin seguimiento');
  await expect.element(order(unpaid)).toMatchTextContent(/40,00\s€/);
  await expect.element(order(unpaid).getByRole('link', { name: /^Pagar/ })).toHaveAttribute('href', 'https://enruta.test/pagar/una-llave');
  expect(
    rows()
      .getByRole('link', { name: /^Pagar/ })
      .elements(),
  ).toHaveLength(1);
  await expectAccessible();
});

test('the details show the whole order with its lines, and open at their own address', async () => {
  const known = { cliente_nombre: 'Olga Sur', cliente_telefono: '600 11 22 33', cliente_ciudad: 'Soria', instrucciones: 'Tercer timbre' };
  const pedido = anOrder({ ...known, cantidad: 2, precio_unitario: 40, precio_total: 80 });
  const aceite = aPack({ product_name: 'Aceite', name: 'Garrafa', pack_price: 10 });
  const vino = aPack({ product_name: 'Vino', name: 'Estuche', pack_price: 30 });
  const several = anOrder({ num_lineas: 2, cantidad: 5, precio_total: 90, lineas: [aLine(aceite, 3, 1), aLine(vino, 2, 2)] });
  const delivered = anOrder({ estado: 'completado', metodo_entrega: 'mrw', empresa_transporte: 'mrw', pagado: 25 });
  orders = [pedido, several, delivered];
  see();
  await look(pedido);
  const dialog = details(pedido);
  for (const text of ['Pendiente Pago', /80,00\s€/, /40,00\s€/, 'Olga Sur', 'Soria', 'Tercer timbre'])
    await expect.element(dialog).toMatchTextContent(text);
  await expect.element(dialog.getByRole('link', { name: '600 112 233' })).toHaveAttribute('href', 'tel:600112233');
  await expect.element(dialog).not.toMatchTextContent('Envío');
  await expect.element(dialog).not.toMatchTextContent('Piso / Puerta / Oficina');
  await expect.element(dialog.getByRole('button', { name: 'Pagar ahora' })).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(numberOf(pedido)).toHaveFocus();

  await look(several);
  const lines = details(several).getByRole('table', { name: 'Líneas del pedido' }).getByRole('row');
  const say = (words: RegExp) => expect.stringMatching(words);
  await expect
    .poll(() => textsOf(lines))
    .toEqual([say(/^Producto/), say(/^Aceite – Garrafa.*30,00\s€$/), say(/^Vino – Estuche.*60,00\s€$/), say(/^Total90,00\s€$/)]);
  await expectAccessible();

  await expect.poll(address).toBe(`/mis-pedidos?pedido=${several.id}`);
  reload('revendedor');
  await expect.element(details(several)).toBeVisible();
  history.back();
  await expect.element(details(several)).not.toBeInTheDocument();
  await expect.poll(address).toBe('/mis-pedidos');

  await look(delivered);
  await expect.element(details(delivered)).toMatchTextContent('Sin información de seguimiento disponible');
  await expect.element(details(delivered)).toMatchTextContent('MRW');
  await expect.element(details(delivered).getByRole('button', { name: 'Pagar ahora' })).not.toBeInTheDocument();
});

const aLine = (pack: Pack, cantidad: number, numero: number): Linea => {
  const { pack_quantity: each, pack_price: precio_unitario } = pack;
  const producto = `${pack.product_name} – ${pack.name}`;
  return {
    numero,
    pack_id: pack.id,
    producto,
    cantidad,
    precio_unitario,
    precio_total: precio_unitario * cantidad,
    unidades: each * cantidad,
  };
};

test('the details of another reseller’s order do not open', async () => {
  server.refuse(getPedido, 404, { message: 'Pedido no encontrado' });
  see('?search=Rita&pedido=00000000-0000-4000-8000-00000000ffff');
  await expect.element(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await expect.poll(() => server.asked(getPedido)).toHaveLength(1);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a reseller can correct the address of an unpaid order, but not of a paid order', async () => {
  const pedido = anOrder({ cliente_direccion: 'Calle Mal, 1', referencia_externa: 'WEB-7' });
  const paid = anOrder({ estado: 'pendiente', payment_link: null });
  orders = [pedido, paid];
  see();
  await look(pedido);
  await takeFolded('Corregir los datos', pedido);
  const form = page.getByRole('form', { name: `Editar el pedido ${pedido.numero_orden}` });
  const street = form.getByLabelText(/ Dirección( \*)?$/);
  await expect.element(street).toHaveValue('Calle Mal, 1');
  await expect.element(form.getByLabelText(/Fecha estimada/)).not.toBeInTheDocument();
  // The office's reference is read-only.
  await expect.element(form.getByLabelText('Referencia externa')).toHaveAttribute('readonly');
  await street.fill('Calle Bien, 2');
  await expectAccessible();
  await press('Guardar cambios', form);
  await expect.element(page.getByText('El pedido se actualizó correctamente')).toBeVisible();
  expect(server.asked(updatePedido)[0]).toMatchObject({
    params: { id: pedido.id },
    body: { cliente_direccion: 'Calle Bien, 2', version: 1 },
  });
  await expect.element(details(pedido)).toMatchTextContent('Calle Bien, 2');
  await userEvent.keyboard('{Escape}');

  await look(paid);
  await expect.element(details(paid).getByRole('button', { name: 'Repetir pedido' })).toBeVisible();
  await expect.element(details(paid).getByRole('button', { name: 'Corregir los datos' })).not.toBeInTheDocument();
  await expect.element(details(paid).getByRole('button', { name: 'Cambiar productos' })).not.toBeInTheDocument();
});

test('repeating an order fills in the form of a new order, and asks before replacing a draft', async () => {
  const miel = aPack({ product_name: 'Miel', name: 'Tarro', available: true, quedan: 50 });
  packs = [miel];
  const pedido = anOrder({
    cliente_nombre: 'Olga Repite',
    cliente_ciudad: 'Soria',
    referencia_externa: 'WEB-7',
    cantidad: 3,
    lineas: [aLine(miel, 3, 1)],
  });
  orders = [pedido];
  see();
  await look(pedido);
  await takeFolded('Repetir pedido', pedido);
  await expect.poll(address).toBe('/pedidos/nuevo');
  await expect.element(page.getByText(new RegExp(`Copiado del pedido ${pedido.numero_orden}`))).toBeVisible();
  await expect.element(field('Nombre')).toHaveValue('Olga Repite');
  await expect.element(field('Ciudad')).toHaveValue('Soria');
  await expect.element(field('Referencia externa')).not.toBeInTheDocument();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('WEB-7');
  await expect.element(amount('Cantidad')).toHaveValue('3');
  await expect.element(picker('Pack')).toHaveValue('Miel – Tarro');
  await field('Ciudad').fill('Ávila');

  // Goes back to the order's dialog, which has its own address.
  history.back();
  await takeFolded('Repetir pedido', pedido);
  await press('Sustituir el borrador');
  await expect.element(field('Ciudad')).toHaveValue('Soria');
});

test('repeating an order keeps only the lines whose packs are still sold', async () => {
  await onPhone();
  const aceite = aPack({ product_name: 'Aceite', name: 'Lata', available: true, quedan: 50 });
  const gone = aPack({ product_name: 'Vino', name: 'Caja retirada' });
  const miel = aPack({ product_name: 'Miel', name: 'Tarro', available: true, quedan: 50 });
  packs = [aceite, gone, miel];
  const pedido = anOrder({ num_lineas: 3, cantidad: 6, lineas: [aLine(aceite, 2, 1), aLine(gone, 1, 2), aLine(miel, 3, 3)] });
  orders = [pedido];
  see();
  await look(pedido);
  await takeFolded('Repetir pedido', pedido);
  await expect.element(page.getByText('Ya no se vende: Vino – Caja retirada')).toBeVisible();
  await expect.element(picker('Pack')).toHaveValue('Aceite – Lata');
  await expect.element(picker('Pack 2')).toHaveValue('Miel – Tarro');
  await expect.element(amount('Cantidad 2')).toHaveValue('3');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
});

test('a reseller can remove and change lines of an unpaid order on a phone', async () => {
  await onPhone();
  const aceite = aPack({ product_name: 'Aceite', name: 'Lata', pack_price: 10, available: true, quedan: 50 });
  const miel = aPack({ product_name: 'Miel', name: 'Tarro', pack_price: 7, available: true, quedan: 50 });
  packs = [aceite, miel];
  const lineas = [aLine(aceite, 2, 1), aLine(aPack({ name: 'Caja retirada' }), 1, 2), aLine(miel, 3, 3)];
  const pedido = anOrder({ num_lineas: 3, cantidad: 6, lineas });
  orders = [pedido];
  server.reply(setLineas, () => asDone('Pedido actualizado: el total es 27,00 €', change(pedido.id, { precio_total: 27 })));
  see(`?pedido=${pedido.id}`);
  await takeFolded('Cambiar productos', pedido);
  const dialog = page.getByRole('dialog', { name: 'Cambiar productos' });
  const remove = dialog.getByRole('button', { name: 'Quitar la línea 2' });
  await expect.element(remove).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
  await expectAccessible();
  await remove.click();
  await amount('Cantidad 2').fill('1');
  await press('Guardar cambios', dialog);
  await expect.element(page.getByText('Pedido actualizado: el total es 27,00 €')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(setLineas)[0]?.body.lineas).toMatchObject([
    { numero: 1, cantidad: 2 },
    { numero: 3, cantidad: 1 },
  ]);
});

test('an unpaid order is cancelled after confirmation, unless it has been paid meanwhile', async () => {
  const pedido = anOrder();
  const paid = anOrder();
  orders = [pedido, paid];
  see();
  const dialog = page.getByRole('dialog', { name: 'Cancelar pedido' });
  const ask = () => fromMenu(pedido, 'Cancelar pedido');
  await ask();
  await expect.element(dialog).toMatchTextContent(pedido.numero_orden);
  await expect.element(dialog).toMatchTextContent('El pedido quedará cancelado y sus unidades');
  await expectAccessible();
  await press('Volver', dialog);
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(order(pedido)).toMatchTextContent('Pend. pago');
  await ask();
  await press('Cancelar pedido', dialog);
  await expect.element(page.getByText(`${pedido.numero_orden}: Cancelado`)).toBeVisible();
  await expect.element(order(pedido)).toMatchTextContent('Cancelado');
  await expect.element(order(pedido).getByRole('link', { name: /^Pagar/ })).not.toBeInTheDocument();

  await fromMenu(paid, 'Cancelar pedido');
  change(paid.id, { estado: 'pendiente' });
  server.refuse(setEstado, 409, { message: 'El pedido ya está en estado «Pendiente»' });
  await press('Cancelar pedido', dialog);
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(order(paid)).toMatchTextContent('Pendiente');
  await press(`Acciones del pedido ${paid.numero_orden}`);
  await expect.element(page.getByRole('menuitem', { name: 'Ver' })).toBeVisible();
  await expect.element(page.getByRole('menuitem', { name: 'Cancelar pedido' })).not.toBeInTheDocument();
});

test('filters are kept in the address, so they survive a reload and the back button', async () => {
  const olga = anOrder({ cliente_nombre: 'Olga Sur' });
  const paid = anOrder({ cliente_nombre: 'Quique Norte', estado: 'pendiente' });
  orders = [olga, paid];
  see();
  await expect.poll(() => rows().elements()).toHaveLength(2);
  await page.getByRole('combobox', { name: 'Estado' }).click();
  await expect
    .poll(() => textsOf(page.getByRole('option')))
    .toEqual([
      'Todos los estados',
      'Pendiente Pago',
      'Pendiente',
      'Asignado',
      'Completado',
      'Cancelado',
      'En Proceso',
      'En Ruta',
      'Con transportista',
      'Ventas (pagados)',
    ]);
  await page.getByRole('option', { name: 'Pendiente', exact: true }).click();
  await expect.element(order(olga)).not.toBeInTheDocument();
  await expect.element(order(paid)).toBeVisible();
  expect(address()).toBe('/mis-pedidos?estado=pendiente');
  reload('revendedor');
  await expect.element(order(paid)).toBeVisible();
  await expect.element(order(olga)).not.toBeInTheDocument();
  history.back();
  await expect.element(order(olga)).toBeVisible();

  await page.getByRole('searchbox').fill('quique');
  await expect.element(order(olga)).not.toBeInTheDocument();
  await page.getByRole('searchbox').fill('nadie así');
  await expect.element(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await press('Quitar los filtros');
  await expect.poll(() => rows().elements()).toHaveLength(2);
});

test('an invalid value in the address is ignored', async () => {
  orders = [anOrder()];
  see('?estado=x&fecha_desde=2026-02-30&sort=y&page=0');
  await expect.poll(() => rows().elements()).toHaveLength(1);
  const query = pedidosQuery.parse(server.asked(listPedidos)[0]?.query);
  expect(query).toMatchObject({ page: 1, sort: 'fecha_pedido' });
  for (const name of ['estado', 'fecha_desde']) expect(query).not.toHaveProperty(name);
});

test('each figure links to the orders that it counts', async () => {
  orders = (['pendiente_pago', 'pendiente', 'asignado', 'en_ruta', 'completado'] as const).map((estado) => anOrder({ estado }));
  const estado = { pendiente_pago: 1, pendiente: 1, asignado: 2, completado: 1, cancelado: 0 };
  server.answer(revendedorStats, { data: { totalPedidos: 5, ingresos: 240, estado } });
  see();
  for (const [label, figure, count, asked] of [
    ['Total', '5', 5, undefined],
    ['Pendientes', '1', 1, 'pendiente'],
    ['Asignados', '2', 2, 'asignado,en_proceso,en_ruta'],
    ['Completados', '1', 1, 'completado'],
    ['Ventas', /240,00\s€/, 4, 'pendiente,asignado,en_proceso,en_ruta,completado'],
  ] as const) {
    await expect.element(card(label)).toMatchTextContent(figure);
    await card(label).click();
    await expect.element(page.getByText(`Mostrando ${count} de ${count} pedidos`)).toBeVisible();
    expect(rows().elements()).toHaveLength(count);
    expect(server.asked(listPedidos).at(-1)?.query.estado?.split(',').sort()).toEqual(asked?.split(',').sort());
  }
});

test('«Siguiente» opens the next page of a long list', async () => {
  const first = anOrder({ cliente_nombre: 'La primera de todas' });
  orders = Array.from({ length: 20 }, () => anOrder());
  server.reply(listPedidos, ({ query }) => ({
    ...pageOf(String(query.page) === '2' ? [first] : orders, 21),
    current_page: Number(query.page),
  }));
  see();
  await expect.element(page.getByText('Mostrando 20 de 21 pedidos')).toBeVisible();
  await expect.element(order(first)).not.toBeInTheDocument();
  await press('Siguiente');
  await expect.element(row('La primera de todas')).toBeVisible();
  await expect.poll(address).toBe('/mis-pedidos?page=2');
});

const top = (locator: Locator) => Math.round(locator.element().getBoundingClientRect().top);

test('the first order is in the upper half of a telephone, below filters that share a line', async () => {
  await onPhone();
  orders = [anOrder()];
  const half = () => expect.poll(() => top(rows())).toBeLessThan(innerHeight / 2);
  for (const search of ['', '?fecha_desde=2026-11-01&fecha_hasta=2026-11-20&estado=pendiente_pago']) {
    see(search);
    const [estado, days] = [page.getByRole('combobox', { name: 'Estado' }), page.getByRole('button', { name: /^Fechas/ })];
    await expect.element(rows()).toBeVisible();
    await expect.element(estado).toBeVisible();
    await expect.poll(() => top(estado) - top(days), { message: search }).toBe(0);
    if (search) continue;
    await expect.element(card('Total')).toBeVisible();
    await half();
  }
});

test('a reseller postpones a delivery, and the order shows the new day', async () => {
  const way = anOrder({ estado: 'en_ruta', transportista_nombre: 'Tomás Gil' });
  orders = [way];
  const aviso_cliente = 'Entregar el jueves 26 de noviembre. Está de viaje';
  server.reply(aplazarPedido, ({ params }) => asDone('Entrega aplazada', change(params.id, { aviso_cliente })));
  see();
  await look(way);
  await press('Aplazar la entrega', details(way));
  const form = page.getByRole('dialog', { name: 'Aplazar la entrega' });
  await form.getByLabelText(/^Nuevo día/).fill('2026-11-26');
  await form.getByLabelText(/^Nota para el transportista/).fill('Está de viaje');
  await press('Aplazar la entrega', form);
  await expect.element(details(way)).toMatchTextContent(aviso_cliente);
});

test('an order shows its situation with at most a filled and two pale buttons, and offers no step that the server refuses', async () => {
  const announced = anOrder({ cliente_nombre: 'Ana Avisa', transferencia_avisada_at: '2026-11-20T10:00:00Z' });
  const absent = anOrder({ estado: 'asignado', pagado: 25, incidencia_at: '2026-11-20T10:00:00Z', motivo: 'Ausente' });
  const unpaid = anOrder();
  orders = [announced, absent, unpaid];
  see();
  await expect.element(order(announced)).toMatchTextContent('Dice que ha pagado');
  await expect.element(order(announced).getByRole('link', { name: /^Pagar/ })).not.toBeInTheDocument();
  await expect.element(order(absent)).toMatchTextContent('Por decidir: Ausente');
  await press(`Responder al pedido ${absent.numero_orden}`);
  await expect.element(page.getByRole('dialog', { name: '¿Qué hacemos con este pedido?' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await look(unpaid);
  await expect.element(details(unpaid).getByRole('region', { name: 'Situación' })).toMatchTextContent('Por cobrar desde');
  const steps = details(unpaid).getByRole('group', { name: 'Acciones del pedido' }).getByRole('button');
  await expect.poll(() => textsOf(steps)).toEqual(['Pedir el pago', 'Pagar ahora', 'Copiar enlace', 'Más']);
});
