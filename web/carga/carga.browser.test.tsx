import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { cargarPedido, escanearPedido } from '../../contract/etiquetas/etiquetas.ts';
import { matchesLabel } from '../../contract/etiquetas/fields.ts';
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
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { expectAccessible, onPhone, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';

/* A carrier finds orders by their last digits, and loads, takes or completes them; e2e tests the camera. */

const me = person('transportista');
const own = (numero_orden: string, fields: Partial<Pedido> = {}): PedidoTransportista =>
  pedidoTransportista.parse(
    aPedido({ numero_orden, estado: 'asignado', transportista_id: me.id, transportista_nombre: me.full_name, ...fields }),
  );
const free = (numero_orden: string): PedidoDisponible => pedidoDisponible.parse(aPedido({ numero_orden, estado: 'pendiente' }));

let mine: PedidoTransportista[];
let offered: PedidoDisponible[];
beforeEach(async () => {
  await onPhone();
  localStorage.setItem('enruta-metodo-entrega', 'manual');
  mine = [];
  offered = [];
  server.reply(listPedidos, ({ query }) => pageOf(mine.filter(({ estado }) => query.estado?.split(',').includes(estado))));
  server.reply(getPedido, ({ params }) => ({ data: mine.find(({ id }) => id === params.id) as PedidoTransportista }));
  server.reply(escanearPedido, ({ query }) => ({
    pedidos: [...mine, ...offered].filter(({ numero_orden }) => matchesLabel(numero_orden, query.codigo)),
  }));
  const change = (id: string, set: Partial<PedidoTransportista>) => {
    mine = mine.map((pedido) => (pedido.id === id ? { ...pedido, ...set } : pedido));
    return mine.find((pedido) => pedido.id === id) as PedidoTransportista;
  };
  server.reply(cargarPedido, ({ params, body }) =>
    asDone('Pedido cargado', change(params.id, { cargado_at: body.cargado ? (body.ocurrido ?? null) : null })),
  );
  server.reply(setEstado, ({ params, body }) => asDone('Estado actualizado', change(params.id, { estado: body.estado })));
});

const dialog = page.getByRole('dialog', { name: 'Escanear' });
const button = (name: string | RegExp) => dialog.getByRole('button', { name });
async function openScan(first: PedidoTransportista | undefined = mine[0]) {
  open('/pedidos-asignados', 'transportista', { etiquetas: true });
  if (first) await expect.element(row(first.numero_orden)).toBeVisible();
  await page.getByRole('button', { name: 'Escanear' }).click();
  await expect.element(dialog).toBeVisible();
}
async function type(code: string) {
  await dialog.getByRole('textbox', { name: /últimas cuatro cifras/ }).fill(code);
  await button('Buscar').click();
}
const found = (numero: string) => dialog.getByRole('group', { name: `Pedido ${numero}` });
const part = (name: string) => dialog.getByRole('region', { name });

test('each scanned code loads its order before departure, and the missing orders stay in sight', async () => {
  mine = [own('ORD-2026001111'), own('ORD-2026002222')];
  await openScan();
  await expect.element(dialog.getByRole('radio', { name: 'Cargar' })).toBeChecked();
  await expect.element(part('Faltan')).toMatchTextContent('Faltan (2)');
  await type('2222');
  await expect.element(dialog).toMatchTextContent('ORD-2026002222 cargado');
  await expect.element(part('Faltan')).toMatchTextContent('ORD-2026001111');
  await expect.element(part('Cargados')).toMatchTextContent('Cargados (1)ORD-2026002222');
  await expectAccessible();
  await expect.poll(() => server.asked(cargarPedido).map(({ body }) => body.cargado)).toEqual([true]);
  await type('2222');
  await expect.element(dialog).toMatchTextContent('ORD-2026002222 ya estaba cargado');
  expect(server.asked(cargarPedido)).toHaveLength(1);

  await button(/^Salir a reparto con el cargado/).click();
  await page.getByRole('button', { name: 'Salir con los cargados' }).click();
  await expect.element(part('Cargados')).toMatchTextContent('Cargados (0)');
  // The list changes as soon as the phone has stored the step, before the request.
  const sent = () => server.asked(setEstado).map(({ params, body }) => [params.id, body.paso]);
  await expect.poll(sent).toEqual([[mine[1]?.id, 'salir']]);
});

test('a scanned order that waits for an answer is not loaded, but shown with its situation', async () => {
  mine = [own('ORD-2026001111'), own('ORD-2026002222', { incidencia_at: '2026-11-20T10:00:00Z', motivo: 'Ausente' })];
  await openScan();
  await type('2222');
  await expect.element(found('ORD-2026002222')).toMatchTextContent('Por decidir desde el 20/11: Ausente');
  await expect.element(found('ORD-2026002222').getByRole('button', { name: /^Cargar / })).not.toBeInTheDocument();
  expect(server.asked(cargarPedido)).toHaveLength(0);
});

test('an order loaded without coverage is sent later with the original time', async () => {
  mine = [own('ORD-2026001111')];
  await openScan();
  await expect.element(part('Faltan')).toMatchTextContent('Faltan (1)');
  server.offline(true);
  await type('1111');
  await expect.element(part('Cargados')).toMatchTextContent('Cargados (1)');
  expect(server.asked(cargarPedido)).toHaveLength(0);
  server.offline(false);
  await expect.poll(() => server.asked(cargarPedido).length).toBe(1);
  expect(server.asked(cargarPedido)[0]?.body.ocurrido).toBeDefined();
  await expect.poll(() => mine[0]?.cargado_at).not.toBeNull();
});

test('an order on the way is completed by a scan and two taps', async () => {
  mine = [own('ORD-2026001111', { estado: 'en_ruta' })];
  await openScan();
  await expect.element(dialog.getByRole('radio', { name: 'Abrir el pedido' })).toBeChecked();
  await type('ord-2026001111');
  await found('ORD-2026001111')
    .getByRole('button', { name: /^Completar / })
    .click();
  const complete = page.getByRole('dialog', { name: 'Completar Entrega' });
  await complete.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.poll(() => server.asked(setEstado).map(({ body }) => body.estado)).toEqual(['completado']);
  await expect.element(dialog).not.toBeInTheDocument();
});

test('digits that match two own orders offer both, but another carrier’s order is not revealed', async () => {
  mine = [own('ORD-2026011234'), own('ORD-2026021234')];
  server.refuse(escanearPedido, 404, { message: 'Este pedido no es tuyo', code: 'not_found' });
  await openScan();
  await type('ORD-2026999999');
  await expect.element(dialog).toMatchTextContent('Este pedido no es tuyo');
  await type('234');
  await expect.element(dialog).toMatchTextContent('Escribe al menos las últimas cuatro cifras');
  await type('1234');
  await expect.element(dialog).toMatchTextContent('2 pedidos acaban así: elige uno');
  for (const { numero_orden } of mine) await expect.element(found(numero_orden)).toBeVisible();
  expect(server.asked(cargarPedido)).toHaveLength(0);
  await found('ORD-2026021234')
    .getByRole('button', { name: /^Cargar / })
    .click();
  await expect.poll(() => server.asked(cargarPedido).map(({ params }) => params.id)).toEqual([mine[1]?.id]);
});

test('an unassigned order with the same last digits as an own order can be found and taken', async () => {
  mine = [own('ORD-2026011234', { estado: 'en_ruta' })];
  offered = [free('ORD-2026021234')];
  server.reply(autoAsignar, ({ params }) => {
    const taken = own('ORD-2026021234', { id: params.id });
    mine = [...mine, taken];
    return { message: 'Pedido asignado exitosamente', pedido: taken };
  });
  await openScan();
  await type('1234');
  await expect.element(found('ORD-2026011234')).toBeVisible();
  expect(server.asked(escanearPedido)).toHaveLength(0);
  await button('No es ninguno de estos').click();
  await found('ORD-2026021234').getByRole('button', { name: 'Tomar pedido' }).click();
  await expect.element(found('ORD-2026021234')).toMatchTextContent('Asignado');
  await expect.element(found('ORD-2026021234').getByRole('button', { name: /^Cargar / })).toBeVisible();
});

test('a shop without labels has no «Escanear» button', async () => {
  mine = [own('ORD-2026011234')];
  open('/pedidos-asignados', 'transportista');
  await expect.element(row('ORD-2026011234')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Escanear' })).not.toBeInTheDocument();
});
