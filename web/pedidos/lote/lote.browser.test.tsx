import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { deshacerVarios, verDeshacerVarios } from '../../../contract/deshacer/deshacer.ts';
import { createExport, type ExportRecord } from '../../../contract/exports/exports.ts';
import { exportRecord } from '../../../contract/exports/schemas.ts';
import { asDone, type BodyOut } from '../../../contract/kit/endpoint.ts';
import { calcularDevolucion, lotePedidos } from '../../../contract/pedidos/lote.ts';
import { listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { address, expectAccessible, open } from '../../../test/web/app.tsx';
import { emptyOf } from '../../../test/web/empty-answer.ts';
import { server } from '../../../test/web/fake-server.ts';
import { row, textsOf } from '../../../test/web/list.ts';
import { aPedido, aUser, listed, pedidosAsked } from '../../../test/web/samples.ts';

/* Bulk actions: choosing orders and acting on them. */

type Accion = BodyOut<typeof lotePedidos>['accion'];
let pedidos: Pedido[];
const carrier = aUser('transportista', { full_name: 'Celia Reparte' });
const former = aUser('transportista', { full_name: 'Fermín Antes' });

/** Returns the changes that an action makes to an order, or the reason for its failure. */
function outcome(pedido: Pedido, accion: Accion): Partial<Pedido> | string {
  if (pedido.estado === 'completado') return 'El pedido está en estado «Completado»';
  switch (accion.tipo) {
    case 'asignar': {
      const to = [carrier, former].find(({ id }) => id === accion.transportista_id);
      return { estado: to ? 'asignado' : 'pendiente', transportista_id: to?.id ?? null, transportista_nombre: to?.full_name ?? null };
    }
    case 'cancelar':
      return { estado: 'cancelado' };
    case 'eliminar':
      return { deleted_at: '2026-11-20T10:00:00Z' };
    case 'restaurar':
      return { deleted_at: null };
    case 'pagar':
      return { pagado: pedido.precio_total, pendiente: 0 };
    case 'preparar':
      return pedido.transportista_id ? { estado: 'en_proceso' } : 'El pedido no tiene transportista';
    case 'volver':
      return { estado: 'asignado' };
    case 'salir':
      return { estado: 'en_ruta' };
    case 'completar':
      return { estado: 'completado' };
  }
}

beforeEach(() => {
  pedidos = [];
  server.reply(listPedidos, ({ query }) => pedidosAsked(pedidos, query));
  server.answer(listUsers, listed([carrier, former]));
  server.answer(calcularDevolucion, { pagados: 0, importe: 0 });
  server.reply(lotePedidos, ({ body: { pedidos: which, accion } }) => {
    const isFound = (name: string) => !('filtro' in which) || name.toLowerCase().includes(which.filtro.search ?? '');
    const chosen = pedidos.filter(({ id, cliente_nombre }) => ('ids' in which ? which.ids.includes(id) : isFound(cliente_nombre)));
    const data = chosen.map((pedido) => {
      const made = outcome(pedido, accion);
      if (typeof made !== 'string') pedidos = pedidos.map((each) => (each.id === pedido.id ? { ...each, ...made } : each));
      const { id, numero_orden } = pedido;
      return typeof made === 'string' ? { id, numero_orden, ok: false, message: made } : { id, numero_orden, ok: true, message: 'Hecho' };
    });
    return { message: 'Hecho', hechos: data.filter(({ ok }) => ok).length, data };
  });
});

const bar = page.getByRole('region', { name: 'Pedidos elegidos' });
const inBar = (name: string) => bar.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog');
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).last().click();
const tickOf = (text: string) => row(text).getByRole('checkbox');
async function tick(...texts: string[]) {
  for (const text of texts) await tickOf(text).click();
}
async function step(name: string) {
  await inBar('Cambiar estado').click();
  // Says after its name for how many of the chosen orders the step is.
  await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
}
const many = (name: string, n: number, fields: Partial<Pedido> = {}) =>
  Array.from({ length: n }, (_, i) => aPedido({ cliente_nombre: `${name} ${n - i}`, ...fields }));
/** Bulk actions received by the server, in order. */
const asked = () => server.asked(lotePedidos).map(({ body }) => body);

test('a bulk assignment can be undone, and refused orders say why and stay selected', async () => {
  const theirs = { transportista_id: former.id, transportista_nombre: former.full_name };
  pedidos = [
    ...many('Suya', 1, { estado: 'asignado', ...theirs }),
    ...many('Libre', 2, { transportista_id: null }),
    ...many('Hecha', 1, { estado: 'completado' }),
  ];
  const [suya, libre2, libre1, hecha] = pedidos.map(({ id }) => id) as [string, string, string, string];
  open('/pedidos');
  await expect.element(row('Suya 1')).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  await tick('Suya 1', 'Libre 1', 'Libre 2');
  await expect.element(bar).toMatchTextContent('3 pedidos elegidos');
  await expectAccessible();
  await inBar('Asignar').click();
  await expect.element(dialog).toMatchTextContent('Se asignarán 3 pedidos');
  await press('Asignar 3 pedidos');
  await expect.element(dialog).toMatchTextContent('Elige un transportista');
  const chooseCelia = async () => {
    await dialog.getByRole('combobox', { name: 'Transportista' }).click();
    await page.getByRole('option', { name: 'Celia Reparte' }).click();
  };
  await chooseCelia();
  await press('Asignar 3 pedidos');
  const toast = page.getByRole('status').filter({ hasText: '3 pedidos para Celia Reparte' });
  await toast.getByRole('button', { name: 'Deshacer' }).click();
  await expect.element(page.getByText('2 pedidos como antes')).toBeVisible();
  const back = asked()
    .slice(1)
    .map(({ pedidos: which, accion }) => ['ids' in which && which.ids.toSorted(), accion]);
  expect(back).toHaveLength(2);
  expect(back).toEqual(
    expect.arrayContaining([
      [[suya], { tipo: 'asignar', transportista_id: former.id, empresa_transporte: null }],
      [[libre1, libre2].toSorted(), { tipo: 'asignar', transportista_id: null, empresa_transporte: null }],
    ]),
  );

  await expect.element(row('Libre 1')).toMatchTextContent('Sin asignar');
  await tick('Libre 1', 'Libre 2', 'Hecha 1');
  await inBar('Asignar').click();
  await chooseCelia();
  await press('Asignar 3 pedidos');
  await expect.element(dialog).toMatchTextContent('Hecho: 2 de 3 pedidos. 1 no se pudo cambiar.');
  const results = page.getByRole('list', { name: 'Resultado de cada pedido' }).getByRole('listitem');
  expect(textsOf(results)).toHaveLength(3);
  const numero = pedidos.find(({ id }) => id === hecha)?.numero_orden;
  expect(textsOf(results)[0]).toBe(`${numero}El pedido está en estado «Completado»`);
  await expectAccessible();
  expect(asked().at(-1)).toEqual({
    pedidos: { ids: [libre1, libre2, hecha] },
    accion: { tipo: 'asignar', transportista_id: carrier.id, empresa_transporte: null },
  });
  await expect.element(dialog.getByRole('button', { name: 'Deshacer los 2 que se hicieron' })).toBeVisible();
  await press('Cerrar');
  await expect.element(bar).toMatchTextContent('1 pedido elegido');
  await expect.element(tickOf('Hecha 1')).toBeChecked();
  await expect.element(row('Libre 1')).toMatchTextContent('Celia Reparte');
});

test('a bulk cancellation is confirmed with the number of orders, the amount to refund and a reason', async () => {
  pedidos = many('Imprenta', 3);
  const chosen = pedidos.map(({ id }) => id).toReversed();
  server.answer(calcularDevolucion, { pagados: 2, importe: 21 });
  open('/pedidos');
  await tick('Imprenta 1', 'Imprenta 2', 'Imprenta 3');
  await inBar('Cancelar pedidos').click();
  await expect.element(dialog).toMatchTextContent('¿Cancelar 3 pedidos?');
  await press('Volver');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(asked()).toEqual([]);

  await inBar('Cancelar pedidos').click();
  await expect.element(dialog.getByRole('note')).toMatchTextContent('Habrá que reembolsar 21,00');
  expect(server.asked(calcularDevolucion).at(-1)?.body.pedidos).toEqual({ ids: chosen });
  await dialog.getByLabelText('Motivo (opcional)').fill('La máquina se ha roto');
  await expectAccessible();
  await press('Cancelar 3 pedidos');
  await expect.element(dialog).toMatchTextContent('Hecho: 3 pedidos.');
  expect(asked().map(({ accion }) => accion)).toEqual([{ tipo: 'cancelar', motivo: 'La máquina se ha roto' }]);
  await press('Cerrar');
  await expect.element(row('Imprenta 1')).toMatchTextContent('Cancelado');
  await expect.element(bar).not.toBeInTheDocument();
});

test('a payment of chosen orders is noted with its reference, and preparing can be undone', async () => {
  const assigned = { estado: 'asignado', transportista_id: carrier.id } as const;
  pedidos = [...many('Tomada', 2, assigned), ...many('Libre', 1)];
  open('/pedidos');
  await tick('Tomada 1', 'Libre 1');
  await step('Empezar a preparar');
  await expect.element(dialog).toMatchTextContent('Hecho: 1 de 2 pedidos. 1 no se pudo cambiar.');
  await press('Deshacer el que se hizo');
  await expect.element(dialog).not.toBeInTheDocument();
  // The order that could not be prepared stays selected.
  await expect.element(bar).toMatchTextContent('1 pedido elegido');
  await expect.element(tickOf('Libre 1')).toBeChecked();
  await expect.element(row('Tomada 1')).toMatchTextContent('Asignado');
  await expect.element(page.getByText('1 pedido asignado otra vez')).toBeVisible();
  await tick('Libre 1');

  await tick('Tomada 1', 'Tomada 2');
  await step('Anotar pago');
  await dialog.getByLabelText('Referencia (opcional)').fill(' Remesa 7 ');
  await expectAccessible();
  await press('Cobrar 2 pedidos');
  await expect.element(dialog).toMatchTextContent('Hecho: 2 pedidos.');
  await press('Cerrar');
  await expect.element(row('Tomada 2')).toMatchTextContent('Pagado');
  await expect.element(bar).not.toBeInTheDocument();
  const [prepared, takenBack, paid] = asked().map(({ accion }) => accion);
  expect([prepared?.tipo, takenBack?.tipo]).toEqual(['preparar', 'volver']);
  expect(paid).toMatchObject({ tipo: 'pagar', referencia: 'Remesa 7' });
});

test('a bulk completion asks for the delivery method unless the shop’s own van delivers all orders', async () => {
  pedidos = [
    ...many('Propia', 2, { estado: 'en_ruta', empresa_transporte: 'manual' }),
    ...many('Ajena', 1, { estado: 'en_ruta', empresa_transporte: 'mrw' }),
  ];
  open('/pedidos');
  await tick('Propia 1', 'Ajena 1');
  await step('Completar');
  await press('Completar 2 pedidos');
  await expect.element(dialog).toMatchTextContent('Por favor, selecciona un método de entrega');
  await expectAccessible();
  await press('Cancelar');
  await tick('Ajena 1', 'Propia 2');
  await step('Completar');
  await expect.element(dialog).toMatchTextContent('Método de entrega: Reparto propio');
  await expect.element(dialog.getByRole('combobox', { name: 'Método de entrega' })).not.toBeInTheDocument();
  await press('Completar 2 pedidos');
  await expect.element(dialog).toMatchTextContent('Hecho: 2 pedidos.');
  expect(asked().map(({ accion }) => accion)).toEqual([{ tipo: 'completar', metodo_entrega: 'manual' }]);
});

test('a bulk deletion needs no confirmation, and is undone by a button or by Ctrl+Z on any screen', async () => {
  pedidos = many('Herrería', 3);
  open('/pedidos');
  const notice = page.getByRole('status').filter({ hasText: '2 pedidos eliminados' });
  const remove = async () => {
    await tick('Herrería 1', 'Herrería 2');
    await inBar('Eliminar').click();
    await expect.element(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
  };
  await remove();
  await notice.getByRole('button', { name: 'Deshacer' }).click();
  await expect.element(page.getByText('Mostrando 3 de 3 pedidos')).toBeVisible();
  await expect.element(notice).not.toBeInTheDocument();
  const restored = page.getByText('2 pedidos restaurados');
  await expect.element(restored).toBeVisible();
  await page.getByRole('status').filter({ has: restored }).getByRole('button', { name: 'Cerrar aviso' }).click();
  await expect.element(restored).not.toBeInTheDocument();

  await remove();
  await notice.getByRole('button', { name: 'Cerrar aviso' }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Control de Stock' }).first().click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Control de Stock' })).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(restored).toBeVisible();
  history.back();
  await expect.element(row('Herrería 1')).toBeVisible();
});

test('deleted orders are listed in «Eliminados», where they can only be restored', async () => {
  pedidos = [...many('Herrería', 2, { deleted_at: '2026-11-20T10:00:00Z' }), ...many('Viva', 1)];
  open('/pedidos');
  await expect.element(row('Viva 1')).toBeVisible();
  await page.getByRole('button', { name: 'Estado: Todos' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Eliminados' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.poll(address).toContain('eliminados=si');
  await expect.element(row('Viva 1')).not.toBeInTheDocument();
  await tick('Herrería 1', 'Herrería 2');
  for (const name of ['Asignar', 'Cambiar estado', 'Cancelar pedidos', 'Eliminar'])
    await expect.element(inBar(name)).not.toBeInTheDocument();
  await expectAccessible();
  await inBar('Restaurar').click();
  await expect.element(dialog).toMatchTextContent('Hecho: 2 pedidos.');
  await press('Cerrar');
  await expect.element(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar filtro: Eliminados' }).click();
  await expect.element(row('Herrería 2')).toBeVisible();
});

test('a selection can span pages or all matching orders, and is cleared by a new filter', async () => {
  pedidos = many('Colmado', 22);
  open('/pedidos?search=colmado');
  await expect.element(row('Colmado 21')).toBeVisible();
  const arrive = server.hold(listPedidos);
  await page.getByRole('button', { name: 'Siguiente' }).click();
  for (const name of ['Colmado 21', 'Colmado 20']) {
    await tick(name);
    await expect.element(tickOf(name)).toBeChecked();
  }
  arrive();
  await expect.element(row('Colmado 1')).toBeVisible();
  await expect.element(row('Colmado 21')).not.toBeInTheDocument();
  await expect.element(bar).toMatchTextContent('2 pedidos elegidos');
  await tick('Colmado 1');
  await expect.element(bar).toMatchTextContent('3 pedidos elegidos');
  await page.getByRole('searchbox').fill('colmado 2');
  await expect.element(bar).not.toBeInTheDocument();

  await expect.element(page.getByText('Mostrando 4 de 4 pedidos')).toBeVisible();
  await tick('Colmado 21');
  await inBar('Seleccionar los 4 que coinciden').click();
  await expect.element(bar).toMatchTextContent('4 pedidos elegidos');
  await expect.element(tickOf('Colmado 20')).toBeChecked();
  await expect.element(bar.getByRole('link', { name: 'Exportar' })).toHaveAttribute('href', '/exportar-datos?search=colmado+2');
  await expect.element(bar.getByRole('link', { name: 'Imprimir' })).toHaveAttribute('href', '/pedidos/imprimir?todos=si&search=colmado+2');
  await inBar('Cancelar pedidos').click();
  await press('Cancelar 4 pedidos');
  await expect.element(dialog).toMatchTextContent('Hecho: 4 pedidos.');
  expect(asked()).toEqual([{ pedidos: { filtro: { search: 'colmado 2' }, esperados: 4 }, accion: { tipo: 'cancelar', motivo: null } }]);
});

test('an export of selected orders contains only these orders', async () => {
  pedidos = many('Mercería', 3);
  server.answer(createExport, asDone('En marcha', { ...(emptyOf(exportRecord) as ExportRecord), created_at: '2026-11-20T10:00:00Z' }));
  open('/pedidos');
  await tick('Mercería 1', 'Mercería 3');
  await bar.getByRole('link', { name: 'Exportar' }).click();
  await expect.element(page.getByText('Se exportan solo los pedidos elegidos en la tabla.')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Exportar', exact: true }).click();
  await expect.poll(() => server.asked(createExport)).toHaveLength(1);
  const { conjuntos, filtro } = server.asked(createExport)[0]?.body ?? {};
  expect(conjuntos).toEqual(['pedidos', 'lineas']);
  expect(filtro?.ids?.toSorted()).toEqual([pedidos[0]?.id, pedidos[2]?.id].sort());
});

test('a bulk action by filter is refused if the number of matching orders has changed', async () => {
  pedidos = many('Taller', 2);
  open('/pedidos?search=taller');
  await tick('Taller 1');
  await inBar('Seleccionar los 2 que coinciden').click();
  pedidos = [...many('Taller Tres', 1), ...pedidos];
  const message = 'La lista ha cambiado mientras tanto: vuelve a mirarla antes de seguir';
  server.refuse(lotePedidos, 409, { message });
  await inBar('Cancelar pedidos').click();
  await press('Cancelar 2 pedidos');
  await expect.element(page.getByText(message)).toBeVisible();
  await expect.element(row('Taller Tres')).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
});

test('the office takes several orders back at once, and reads beforehand what of each', async () => {
  pedidos = [...many('Vecina', 2, { estado: 'completado' }), ...many('Libre', 1)];
  const [second, first, free] = pedidos as [Pedido, Pedido, Pedido];
  const delivery = { paso: 'deshacer_entrega' as const, vuelve_a: 'en_ruta' as const, con_motivo: true, rechazo: null };
  const nothing = { paso: null, vuelve_a: null, con_motivo: false, consecuencias: [], rechazo: null };
  const named = ({ id, numero_orden }: Pedido) => ({ id, numero_orden });
  server.answer(verDeshacerVarios, {
    data: [
      { ...named(first), ...delivery, consecuencias: ['Los 25,00 € salen de lo cobrado por Celia'] },
      { ...named(second), ...delivery, consecuencias: ['La prueba de entrega deja de valer'] },
      { ...named(free), ...nothing },
    ],
  });
  server.answer(deshacerVarios, {
    ...{ message: '', hechos: 1 },
    data: [
      { ...named(first), ok: true, message: 'Entrega deshecha' },
      { ...named(second), ok: false, message: 'La liquidación L-1 ya está pagada' },
    ],
  });
  open('/pedidos');
  await tick('Vecina 1', 'Vecina 2', 'Libre 1');
  await step('Deshacer…');
  const list = dialog.getByRole('list', { name: 'Qué se deshace' });
  await expect.element(list).toMatchTextContent('Los 25,00 € salen de lo cobrado por Celia');
  await expect.element(list).toMatchTextContent('Se queda como está: Su último paso no se puede deshacer');
  await expectAccessible();
  await press('Deshacer en 2 pedidos');
  await expect.element(dialog).toMatchTextContent('Indica el motivo');
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('Era del vecino');
  await press('Deshacer en 2 pedidos');
  await expect.element(dialog).toMatchTextContent('Hecho: 1 de 2 pedidos. 1 no se pudo cambiar.');
  await expect.element(dialog).toMatchTextContent('La liquidación L-1 ya está pagada');
  expect(server.asked(deshacerVarios).map(({ body }) => body)).toEqual([
    {
      pedidos: [first, second].map(({ id }) => ({ id, paso: 'deshacer_entrega' })),
      motivo: 'Era del vecino',
    },
  ]);
  await press('Cerrar');
  await expect.element(bar).toMatchTextContent('1 pedido elegido');
});
