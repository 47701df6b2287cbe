import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { deletePedido, getPedido, listPedidos, type Pedido, restorePedido, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { listSinEnviar } from '../../../contract/transportista/transportista.ts';
import { address, expectAccessible, open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { head, row, textsOf } from '../../../test/web/list.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';

/* «Entregas»: lists the orders to deliver and completes them. */

let pedidos: Pedido[];
const find = (id: string) => pedidos.find((pedido) => pedido.id === id) as Pedido;
function change(id: string, fields: Partial<Pedido>): Pedido {
  pedidos = pedidos.map((pedido) => (pedido.id === id ? { ...pedido, ...fields, version: pedido.version + 1 } : pedido));
  return find(id);
}
beforeEach(() => {
  pedidos = [];
  server.reply(listPedidos, ({ query }) => {
    const wanted = query.estado?.split(',') ?? [];
    return pageOf(pedidos.filter(({ deleted_at, estado }) => !deleted_at && (!wanted.length || wanted.includes(estado))));
  });
  server.reply(getPedido, ({ params }) => ({ data: find(params.id) }));
  server.reply(setEstado, ({ params, body: { estado, metodo_entrega = null, numero_seguimiento = null } }) =>
    asDone('Estado actualizado', change(params.id, { estado, metodo_entrega, numero_seguimiento })),
  );
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const completing = ({ numero_orden }: Pedido) => button(`Completar entrega ${numero_orden}`);
const numberOf = ({ numero_orden }: Pedido) => page.getByRole('link', { name: numero_orden, exact: true });
async function fromMenu({ numero_orden }: Pedido, name: string) {
  await button(`Acciones del pedido ${numero_orden}`).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}
const complete = page.getByRole('dialog', { name: 'Completar Entrega' });
const tracking = complete.getByRole('textbox', { name: /^Número de seguimiento/ });
const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
const rowOf = ({ numero_orden }: Pedido) => row(numero_orden);
const completed = () => server.asked(setEstado).map(({ body }) => body);
function put(fields: Partial<Pedido> = {}): Pedido {
  const pedido = aPedido(fields);
  pedidos = [pedido, ...pedidos];
  return pedido;
}
const putAssigned = (fields: Partial<Pedido> = {}) => put({ estado: 'asignado', transportista_nombre: 'Tomás Gil', ...fields });

test('«Entregas» lists unsent deliveries on carriers’ telephones above an empty list', async () => {
  const nuria = { transportista_id: '00000000-0000-4000-8000-0000000000c1', transportista_nombre: 'Nuria', pedidos: 3 };
  // A minute ago is yesterday just after midnight, so the test accepts both formats.
  const desde = new Date(Date.now() - 60_000).toISOString();
  server.answer(listSinEnviar, { data: [{ ...nuria, desde, visto_at: desde }] });
  open('/entregas');
  await expect
    .element(page.getByRole('main'))
    .toMatchTextContent(/Nuria: 3 entregas que su teléfono aún no ha mandado, desde (las \d\d:\d\d|el )/);

  await expect.element(page.getByRole('heading', { level: 1, name: 'Entregas' })).toBeVisible();
  await expect.element(page.getByText('No hay nada por entregar')).toBeVisible();
  await expectAccessible();
});

test('the list of deliveries fits 1440 pixels, and can be searched and filtered by estado', async () => {
  const instrucciones = 'Llamar dos veces';
  const pending = put({ cliente_nombre: 'Delia Detalle', instrucciones });

  const fields = { cliente_nombre: 'Construcciones Hermanos Villanueva', cliente_direccion: 'Avenida de la Constitución, 148, 3.º B' };
  const assigned = putAssigned(fields);
  open('/entregas');
  await expect.element(rowOf(assigned)).toMatchTextContent('Hermanos Villanueva');
  const table = page.getByRole('table', { name: 'Entregas' }).element();
  const frame = table.closest('[data-scrollarea-viewport]') ?? table;
  expect(frame.scrollWidth - frame.clientWidth).toBe(0);
  for (const title of ['Dirección', 'Producto · Cantidad']) {
    expect(head(title).element().closest('th')?.getBoundingClientRect().width, title).toBeGreaterThan(140);
  }

  await expect.element(rowOf(pending)).toMatchTextContent('Sin asignar');
  const [heads] = page.getByRole('table', { name: 'Entregas' }).getByRole('row').elements() as HTMLTableRowElement[];
  expect([...(heads?.cells ?? [])].map(({ textContent }) => textContent)).toEqual([
    '',
    'Pedido · Fecha',
    'Cliente',
    'Dirección',
    'Producto · Cantidad',
    'Total',
    'Estado · Seguimiento',
    'Acciones',
  ]);
  await expectAccessible();

  const see = numberOf(pending);
  await see.click();
  const detail = page.getByRole('dialog', { name: `Detalles del Pedido ${pending.numero_orden}` });
  await expect.element(detail).toMatchTextContent(instrucciones);
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(detail).not.toBeInTheDocument();
  await expect.element(see).toHaveFocus();

  await button('Estado: 4 estados').click();
  await expect
    .poll(() => textsOf(page.getByRole('menuitemcheckbox')))
    .toEqual(['Todos', 'Pendiente', 'Asignado', 'Completado', 'Cancelado', 'Pendiente Pago', 'En Proceso', 'En Ruta']);
  await page.getByRole('menuitemcheckbox', { name: 'Todos' }).click();
  await expect.poll(address).toBe('/entregas?estado=todos');
  await page.getByRole('menuitemcheckbox', { name: 'Asignado' }).click();
  await expect.element(rowOf(pending)).not.toBeInTheDocument();
  await expect.element(rowOf(assigned)).toBeVisible();
  await expect.poll(address).toBe('/entregas?estado=asignado');

  await userEvent.keyboard('{Escape}');
  await page.getByRole('searchbox', { name: 'Buscar por número de orden, cliente o producto' }).fill('cabrales');
  await expect.poll(() => server.asked(listPedidos).at(-1)?.query.search).toBe('cabrales');
  await expect.poll(address).toContain('search=cabrales');
  pedidos = [];
  await page.getByRole('searchbox').fill('nadie');
  await expect.element(page.getByText('Ninguna entrega coincide con los filtros')).toBeVisible();
});

test('the list of deliveries begins with the most overdue order, and chips filter the list', async () => {
  const [done, pending] = [put({ estado: 'completado' }), put()];
  open('/entregas', 'superadmin', { envios: true });
  await expect.element(rowOf(pending)).toBeVisible();
  await expect.element(rowOf(done)).not.toBeInTheDocument();
  const last = () => server.asked(listPedidos).at(-1)?.query;
  expect(last()).toMatchObject({ estado: 'pendiente,asignado,en_proceso,en_ruta', sort: 'fecha_estimada', dir: 'asc' });
  const group = page.getByRole('group', { name: 'Qué entregas' });
  expect(textsOf(group.getByRole('button'))).toEqual(['Toca hoy', 'En la calle', 'Por decidir', 'Hecho hoy', 'Atrasadas', 'Con empresa']);
  const ask = async (label: string, query: object) => {
    await group.getByRole('button', { name: label }).click();
    await expect.poll(last).toMatchObject(query);
    await expect.element(group.getByRole('button', { name: label })).toHaveAttribute('aria-pressed', 'true');
  };
  await ask('Toca hoy', { hoy: 'toca' });
  await ask('Atrasadas', { atrasado: 'si' });
  expect(last()).not.toHaveProperty('hoy');
  await ask('Con empresa', { en_empresa: 'si' });
  await ask('Por decidir', { incidencia: 'si' });
  await ask('Hecho hoy', { estado: 'completado', sort: 'fecha_completado' });
  await expect.element(rowOf(done)).toBeVisible();
  await expectAccessible();
  await group.getByRole('button', { name: 'Hecho hoy' }).click();
  await expect.poll(address).toBe('/entregas');
});

test('a row of «Entregas» with the longest texts is at most five lines high, and the search placeholder is not cut off', async () => {
  await page.viewport(1280, 720);
  const pedido = putAssigned({
    cliente_nombre: 'Construcciones Hermanos Villanueva del Río',
    cliente_direccion: 'Avenida de la Constitución de Cádiz, 148, 3.º B, escalera izquierda',
  });
  open('/entregas?atrasado=si&transportista_id=sin');
  await expect.element(rowOf(pedido)).toBeVisible();
  expect(rowOf(pedido).element().getBoundingClientRect().height).toBeLessThanOrEqual(92);
  const box = page.getByRole('searchbox').element() as HTMLInputElement;
  const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  pen.font = getComputedStyle(box).font;
  const { paddingLeft, paddingRight } = getComputedStyle(box);
  expect(box.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)).toBeGreaterThanOrEqual(
    pen.measureText(box.placeholder).width,
  );
});

test('an order is completed with or without a tracking number, but not twice or after being cancelled', async () => {
  const [byHand, late] = [put(), put()];

  const pedido = putAssigned();
  open('/entregas?estado=todos');
  await completing(pedido).click();
  await expect.element(complete.getByRole('radio').first()).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(complete).not.toBeInTheDocument();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(completing(pedido)).toHaveFocus();

  await completing(pedido).click();
  await tracking.fill('MRW-778');
  await userEvent.keyboard('{Escape}');
  await expect.element(question).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(tracking).toHaveValue('MRW-778');
  await expect.element(tracking).toHaveFocus();
  await complete.getByRole('button', { name: 'Cerrar' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(complete).not.toBeInTheDocument();
  await expect.element(completing(pedido)).toHaveFocus();

  await completing(pedido).click();
  await complete.getByRole('radio', { name: 'MRW' }).click();
  await tracking.fill('MRW-778');
  await expectAccessible();
  await complete.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.element(page.getByText('Pedido marcado como completado', { exact: true })).toBeVisible();
  await expect.element(rowOf(pedido)).toMatchTextContent(/Completado.*MRW.*MRW-778/);
  expect(completed()).toEqual([expect.objectContaining({ estado: 'completado', metodo_entrega: 'mrw', numero_seguimiento: 'MRW-778' })]);

  await expect.element(completing(pedido)).not.toBeInTheDocument();

  await completing(byHand).click();
  await expect.element(tracking).toBeVisible();
  await complete.getByRole('radio', { name: 'Reparto propio' }).click();
  await expect.element(tracking).not.toBeInTheDocument();
  await complete.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.element(rowOf(byHand)).toMatchTextContent('Completado');
  expect(completed().at(-1)).toEqual(expect.objectContaining({ metodo_entrega: 'manual', numero_seguimiento: null }));

  await completing(late).click();
  await complete.getByRole('radio', { name: 'Otro' }).click();
  change(late.id, { estado: 'cancelado' });
  server.refuse(setEstado, 409, { message: 'El pedido está en estado «Cancelado»' });
  await complete.getByRole('button', { name: 'Completar sin número' }).click();
  await expect.element(page.getByRole('alert').filter({ hasText: 'El pedido está en estado «Cancelado»' })).toBeVisible();
  await expect.element(complete).not.toBeInTheDocument();
  await expect.element(rowOf(late)).toMatchTextContent('Cancelado');
});

test('the buttons do not cover the focused field at 200 % zoom', async () => {
  const pedido = putAssigned();
  await page.viewport(720, 450);
  open('/entregas');
  await completing(pedido).click();
  await complete.getByRole('radio', { name: 'Otro' }).click();
  await userEvent.tab();
  await userEvent.tab();
  const company = complete.getByRole('textbox', { name: /^Empresa de transporte/ });
  await expect.element(company).toHaveFocus();
  await expect.element(company).toBeInViewport({ ratio: 1 });
  // The field is topmost at its lower edge, so no button covers the field.
  const { left, bottom } = company.element().getBoundingClientRect();
  expect(document.elementFromPoint(left + 20, bottom - 3)).toBe(company.element());
});

test('completing an order by keyboard moves the focus to the list if the order leaves the filter', async () => {
  const [, pedido] = [put(), put()];
  open('/entregas?estado=pendiente');
  await expect.element(completing(pedido)).toBeVisible();
  (completing(pedido).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await complete.getByRole('radio', { name: 'Otro' }).click();
  const without = complete.getByRole('button', { name: 'Completar sin número' });
  (without.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(rowOf(pedido)).not.toBeInTheDocument();
  await expect.element(page.getByRole('table', { name: 'Entregas' })).toHaveFocus();
});

test('the deletion of an order asks for confirmation and can be undone', async () => {
  const pedido = put();
  server.reply(deletePedido, () => asDone('Pedido eliminado', change(pedido.id, { deleted_at: new Date().toISOString() })));
  server.reply(restorePedido, () => asDone('Pedido restaurado', change(pedido.id, { deleted_at: null })));
  open('/entregas');
  await fromMenu(pedido, 'Eliminar');
  const question = page.getByRole('dialog', { name: 'Eliminar pedido' });
  await expect.element(question).toMatchTextContent(pedido.cliente_nombre);
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(rowOf(pedido)).toBeVisible();
  expect(server.asked(deletePedido)).toEqual([]);
  await fromMenu(pedido, 'Eliminar');
  await question.getByRole('button', { name: 'Eliminar' }).click();
  await expect.element(page.getByRole('status').filter({ hasText: 'Pedido eliminado correctamente' })).toBeVisible();
  await expect.element(rowOf(pedido)).not.toBeInTheDocument();
  await button('Deshacer').click();
  await expect.element(rowOf(pedido)).toBeVisible();
  await expect.element(page.getByText('Pedido restaurado')).toBeVisible();
});

test('the details of a delivery offer its next step, and follow it', async () => {
  const pedido = putAssigned({ cliente_nombre: 'Berta Olmo', transportista_id: '00000000-0000-4000-8000-0000000000c1' });
  open('/entregas');
  await numberOf(pedido).click();
  const detail = page.getByRole('dialog', { name: `Detalles del Pedido ${pedido.numero_orden}` });
  const steps = detail.getByRole('group', { name: 'Acciones del pedido' });
  await expect.element(detail.getByRole('region', { name: 'Situación' })).toMatchTextContent('Asignado');
  await steps.getByRole('button', { name: 'Empezar a preparar' }).click();
  expect(completed()).toMatchObject([{ estado: 'en_proceso' }]);
  await expect.element(detail.getByRole('region', { name: 'Situación' })).toMatchTextContent('En Proceso');
});
