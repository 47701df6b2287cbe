import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { deshacerPaso } from '../../contract/deshacer/deshacer.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getPedido, listPedidos, type Pedido, type PedidoTransportista, setEstado } from '../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { expectAccessible, onPhone, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { passTime } from '../../test/web/waits.ts';
import { queryClient } from '../api.ts';
import { dropSuspended } from '../session/suspended.ts';

/* A carrier takes the own last step back: two taps, also without coverage. */

const me = person('transportista');
const onItsWay = (fields: Partial<Pedido> = {}): PedidoTransportista =>
  pedidoTransportista.parse(aPedido({ estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name, ...fields }));
afterEach(dropSuspended);
let mine: PedidoTransportista[];
const become = (id: string, fields: Partial<PedidoTransportista>) => {
  mine = mine.map((pedido) => (pedido.id === id ? { ...pedido, ...fields } : pedido));
  return mine.find((pedido) => pedido.id === id) ?? onItsWay();
};
beforeEach(async () => {
  mine = [onItsWay()];
  await onPhone();
  server.reply(listPedidos, ({ query }) => pageOf(mine.filter(({ estado }) => query.estado?.split(',').includes(estado))));
  server.reply(getPedido, ({ params }) => ({ data: mine.find(({ id }) => id === params.id) ?? onItsWay() }));
  server.reply(setEstado, ({ params, body }) =>
    asDone('Estado actualizado', become(params.id, { estado: body.estado, fecha_completado: new Date().toISOString() })),
  );
  server.reply(deshacerPaso, ({ params }) => asDone('Entrega deshecha', become(params.id, { estado: 'en_ruta', fecha_completado: null })));
});

const only = () => row(mine[0]?.numero_orden ?? '');
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
async function complete() {
  await press(/^Completar /);
  const dialog = page.getByRole('dialog', { name: 'Completar Entrega' });
  await dialog.getByRole('radio', { name: 'Reparto propio' }).click();
  await dialog.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
}
const undone = () => server.asked(deshacerPaso).map(({ body }) => body);
const question = page.getByRole('dialog', { name: 'Deshacer la entrega' });

test('after completing the wrong order, «Deshacer» and a reason put it back', async () => {
  open('/pedidos-asignados', 'transportista');
  await complete();
  await press('Deshacer');
  await expect.element(question).toBeVisible();
  await expectAccessible();
  await question.getByRole('button', { name: 'Era otro pedido' }).click();
  await expect.element(page.getByText(/: entrega deshecha$/)).toBeVisible();
  await expect.element(only()).toMatchTextContent('En Ruta');
  expect(undone()).toMatchObject([{ paso: 'deshacer_entrega', motivo: 'Era otro pedido', ocurrido: expect.stringMatching(/^\d{4}-/) }]);
});

test('a delivery that never left the telephone is taken back without a trace', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open('/pedidos-asignados', 'transportista');
  await expect.element(only()).toBeVisible();
  server.offline(true);
  await complete();
  await expect.element(only()).toMatchTextContent('Completado');
  await press('Deshacer');
  await question.getByRole('button', { name: 'Lo he pulsado sin querer' }).click();
  await expect.element(page.getByText(/No había salido de este teléfono$/)).toBeVisible();
  await expect.element(only()).toMatchTextContent('En Ruta');
  const before = server.asked(setEstado).length;
  server.offline(false);
  passTime(6_000);
  await queryClient.invalidateQueries();
  expect([server.asked(setEstado).length, undone()]).toEqual([before, []]);
});

test('a delivery that may have reached the server is followed by its way back, with the time of the tap', async () => {
  open('/pedidos-asignados', 'transportista');
  await expect.element(only()).toBeVisible();
  server.lose(setEstado);
  await complete();
  server.offline(true);
  await press('Deshacer');
  await question.getByRole('button', { name: 'Era otro pedido' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(only()).toMatchTextContent('Pendiente de enviar');
  expect(undone()).toEqual([]);
  const at = Date.now();
  server.reply(setEstado, ({ params }) => asDone('Estado actualizado', become(params.id, { estado: 'completado' })));
  server.offline(false);
  passTime(6_000);
  await expect.poll(() => undone().length).toBe(1);
  expect(server.asked(setEstado).at(-1)?.body.estado).toBe('completado');
  expect(Date.parse(String((undone()[0] as { ocurrido: string }).ocurrido))).toBeLessThanOrEqual(at);
  await expect.element(only()).toMatchTextContent('En Ruta');
});

test('an order that did not leave goes back to the warehouse, with a reason and no failed attempt', async () => {
  open('/pedidos-asignados', 'transportista');
  await press(/^Más acciones/);
  await page.getByRole('menuitem', { name: 'Vuelve al almacén' }).click();
  await page.getByRole('dialog', { name: 'Vuelve al almacén' }).getByRole('button', { name: 'Es para otro día' }).click();
  await expect.poll(undone).toMatchObject([{ paso: 'volver_de_ruta', motivo: 'Es para otro día' }]);
  expect(server.asked(setEstado)).toEqual([]);
});
