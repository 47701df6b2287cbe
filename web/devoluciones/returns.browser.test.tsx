import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  anularDevolucion,
  createDevolucion,
  type Devolucion,
  listDevoluciones,
  moverDevolucion,
  pedirResto,
  reembolsarDevolucion,
  retenerDevolucion,
} from '../../contract/devoluciones/devoluciones.ts';
import { devolucion } from '../../contract/devoluciones/schemas.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import type { Linea } from '../../contract/pedidos/lineas.ts';
import { getPedido, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { expectAccessible, open, person } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row, textsOf } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';

/* Returns after delivery. */

const line = (fields: Partial<Linea> = {}): Linea => ({
  numero: 1,
  pack_id: null,
  producto: 'Aceite – Caja',
  cantidad: 3,
  precio_unitario: 10,
  precio_total: 30,
  unidades: 6,
  ...fields,
});

let pedido: Pedido;
let returned: Devolucion[];
const aReturn = (fields: Partial<Devolucion> = {}): Devolucion => ({
  ...(emptyOf(devolucion) as Devolucion),
  motivo: 'danado',
  actor_nombre: 'Ada Ruiz',
  created_at: '2026-11-20T11:00:00Z',
  ...fields,
});
beforeEach(() => {
  returned = [];
  pedido = aPedido({
    estado: 'completado',
    metodo_entrega: 'manual',
    cliente_nombre: 'Delia Devuelve',
    revendedor_id: person('revendedor').id,
    cantidad: 3,
    precio_unitario: 10,
    precio_total: 30,
    lineas: [line()],
  });
  server.reply(listPedidos, () => pageOf([pedido]));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(listDevoluciones, () => ({ success: true as const, data: returned }));
  server.reply(createDevolucion, ({ body: { lineas, motivo, nota = null, reembolso, referencia = null } }) => {
    const named = lineas.map((linea) => ({
      ...linea,
      producto: pedido.lineas?.find(({ numero }) => numero === linea.numero)?.producto ?? '',
    }));
    const made = aReturn({ motivo, nota, referencia, reembolso: Number(reembolso ?? 0), lineas: named });
    returned = [made, ...returned];
    return asDone('Devolución registrada', made);
  });
});

const section = page.getByRole('region', { name: 'Devoluciones' });
const form = page.getByRole('form', { name: 'Registrar devolución' });
const many = (of = 3, producto = 'Aceite – Caja') =>
  form.getByRole('group', { name: producto }).getByRole('textbox', { name: `Devueltos (de ${of})` });
const refund = form.getByRole('textbox', { name: 'Reembolso (€)' });
const register = () => form.getByRole('button', { name: 'Registrar devolución' }).click();
const entries = section.getByRole('list', { name: 'Devoluciones' }).getByRole('listitem');
const sent = () => server.asked(createDevolucion).map(({ body }) => body);
const steps = page.getByRole('group', { name: 'Acciones del pedido' });
async function openForm() {
  open(`/pedidos/${pedido.id}`);
  await steps.getByRole('button', { name: 'Registrar devolución' }).click();
}
/** Chooses an act in the menu of the first return. */
async function choose(act: string) {
  await section
    .getByRole('button', { name: /^Acciones de la devolución/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: act }).click();
}
const because = (motivo: string) => form.getByRole('radio', { name: motivo }).click();

test('a return can be registered for a delivered order, but not for an order on the way', async () => {
  open(`/pedidos/${pedido.id}`);
  await expect.element(steps.getByRole('button', { name: 'Registrar devolución' })).toBeVisible();
  // An order without returns says nothing about them.
  await expect.element(section).not.toBeInTheDocument();
  pedido = { ...pedido, estado: 'en_ruta' };
  open(`/pedidos/${pedido.id}?`);
  await expect.element(steps.getByRole('button', { name: 'Completar' })).toBeVisible();
  await steps.getByRole('button', { name: 'Más' }).click();
  await expect.element(page.getByRole('menuitem').first()).toBeVisible();
  expect(page.getByRole('menuitem', { name: 'Registrar devolución' }).elements()).toHaveLength(0);
});

test('a return needs a reason and at most the delivered units, and shows the price of the units', async () => {
  await openForm();
  await expect.element(many()).toHaveFocus();
  await expect.element(many()).toHaveValue('3');
  await many().fill('4');
  await register();
  await expect.element(many()).toHaveAccessibleDescription(/Entre 0 y 3/);
  await expect.element(many()).toHaveFocus();
  await expect.element(form.getByText('Elige el motivo', { exact: true })).toBeVisible();
  await expectAccessible();
  await many().fill('2');
  await expect.element(form).toMatchTextContent(/Lo devuelto costó 20,00\s€/);
  await register();
  await expect.element(form.getByRole('radio').first()).toHaveFocus();
  await because('Llegó dañado');
  await refund.fill('20');
  await form.getByRole('textbox', { name: 'Referencia' }).fill('TRF-9');
  await form.getByRole('textbox', { name: 'Nota (opcional)' }).fill('La caja venía abierta');
  await register();
  await expect.element(page.getByText('Devolución registrada').first()).toBeVisible();
  await expect.element(form).not.toBeInTheDocument();
  const words = [
    /Llegó dañado/,
    /2 × Aceite – Caja: vuelve al stock/,
    /Reembolso de 20,00\s€ · Ref\. TRF-9/,
    /«La caja venía abierta»/,
    /Ada Ruiz/,
  ];
  for (const text of words) await expect.element(entries.first()).toMatchTextContent(text);
  expect(sent()).toEqual([
    {
      lineas: [{ numero: 1, cantidad: 2, destino: 'stock' }],
      motivo: 'danado',
      nota: 'La caja venía abierta',
      reembolso: 20,
      referencia: 'TRF-9',
      version: 1,
    },
  ]);
});

test('the form suggests a refund of at most the amount paid, until the person types an amount', async () => {
  pedido = { ...pedido, pagado: 25 };
  await openForm();
  await expect.element(refund).toHaveValue('25,00');
  await many().fill('2');
  await expect.element(refund).toHaveValue('20,00');
  await refund.fill('5');
  await many().fill('1');
  await expect.element(refund).toHaveValue('5,00');
});

test('Escape asks before discarding a half-filled return', async () => {
  open('/pedidos');
  await row('Delia Devuelve').getByText('Delia Devuelve').click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`Pedido ${pedido.numero_orden}$`) });
  await dialog.getByRole('group', { name: 'Acciones del pedido' }).getByRole('button', { name: 'Registrar devolución' }).click();
  await form.getByRole('textbox', { name: 'Nota (opcional)' }).fill('Venía abierta');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(form.getByRole('textbox', { name: 'Nota (opcional)' })).toHaveValue('Venía abierta');
});

test('a refund that the server refuses has the error in its field', async () => {
  await openForm();
  await because('Llegó dañado');
  await refund.fill('35');
  server.refuse(createDevolucion, 422, { message: 'Revisa los datos', errors: { reembolso: ['Del pedido quedan 30,00 €'] } });
  await register();
  await expect.element(refund).toHaveAccessibleDescription(/Del pedido quedan 30,00/);
  await expect.element(refund).toHaveValue('35,00');
  await expect.element(refund).toHaveFocus();
});

test('only the returned lines are sent, and an error is shown at the line concerned', async () => {
  pedido = {
    ...pedido,
    num_lineas: 3,
    lineas: [line(), line({ numero: 2, producto: 'Queso – Rueda', cantidad: 2 }), line({ numero: 3, producto: 'Portes', unidades: 0 })],
  };
  await openForm();
  await register();
  await expect.element(many()).toHaveAccessibleDescription(/Indica qué se devuelve/);
  // A line with «0» is not sent either.
  await many().fill('0');
  await many(2, 'Queso – Rueda').fill('1');
  await form.getByRole('group', { name: 'Queso – Rueda' }).getByRole('combobox', { name: 'Destino' }).click();
  await page.getByRole('option', { name: 'Se da de baja' }).click();
  // A line that took no stock has no destination.
  await expect.element(form.getByRole('group', { name: 'Portes' }).getByRole('combobox')).not.toBeInTheDocument();
  await because('Está defectuoso');
  server.refuse(createDevolucion, 422, { message: 'Revisa los datos', errors: { 'lineas.0.cantidad': ['Quedan 0 por devolver'] } });
  await register();
  // The first line sent is the second of the form.
  await expect.element(many(2, 'Queso – Rueda')).toHaveAccessibleDescription(/Quedan 0 por devolver/);
  expect(sent()[0]?.lineas).toEqual([{ numero: 2, cantidad: 1, destino: 'baja' }]);
});

test('units already returned cannot be returned again', async () => {
  returned = [aReturn({ lineas: [{ numero: 1, producto: 'Aceite – Caja', cantidad: 2, destino: 'stock' }] })];
  await openForm();
  await expect.element(many(1)).toHaveValue('1');
  returned = [aReturn({ lineas: [{ numero: 1, producto: 'Aceite – Caja', cantidad: 3, destino: 'baja' }] })];
  await openForm();
  await expect.element(page.getByText('Ya se ha devuelto todo lo que se entregó.')).toBeVisible();
});

test('a return registered by mistake is annulled with a reason', async () => {
  const wrong = aReturn({ lineas: [{ numero: 1, producto: 'Aceite – Caja', cantidad: 2, destino: 'stock' }] });
  returned = [wrong];
  pedido = { ...pedido, cantidad_devuelta: 2 };
  server.reply(anularDevolucion, ({ body }) => {
    returned = [{ ...wrong, anulada_at: '2026-11-21T11:00:00Z', anulada_motivo: body.motivo }];
    return asDone('Devolución anulada', returned[0] as Devolucion);
  });
  open(`/pedidos/${pedido.id}`);
  await choose('Anular');
  const reason = section.getByRole('textbox', { name: 'Motivo' });
  await expect.element(reason).toHaveFocus();
  await section.getByRole('button', { name: 'Anular la devolución' }).click();
  await expect.element(reason).toHaveAccessibleDescription(/Indica el motivo/);
  await expectAccessible();
  await reason.fill('Era otro pedido');
  await section.getByRole('button', { name: 'Anular la devolución' }).click();
  await expect.element(entries.first()).toMatchTextContent(/Anulada el 21\/11\/2026.*«Era otro pedido»/);
  await expect.element(section.getByRole('button', { name: /^Acciones de la devolución/ })).not.toBeInTheDocument();
  expect(server.asked(anularDevolucion).map(({ params }) => params.id)).toEqual([wrong.id]);
});

test('the reseller of an order sees its returns, but cannot register any', async () => {
  pedido = { ...pedido, cantidad_devuelta: 2, reembolsado: 20 };
  returned = [aReturn({ reembolso: 20, lineas: [{ numero: 1, producto: 'Aceite – Caja', cantidad: 2, destino: 'stock' }] })];
  open('/mis-pedidos', 'revendedor');
  await row('Delia Devuelve').getByText('Delia Devuelve').click();
  const dialog = page.getByRole('dialog');
  await expect
    .poll(() => textsOf(dialog.getByRole('list', { name: 'Devoluciones' })))
    .toEqual([expect.stringContaining('Reembolso de 20,00')]);
  await expect.element(dialog.getByRole('button', { name: 'Registrar devolución' })).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('button', { name: /^Acciones de la devolución/ })).not.toBeInTheDocument();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
});

const partial = (fields: Partial<Devolucion> = {}) =>
  aReturn({
    motivo: 'entrega_parcial',
    resto_pedido_id: null,
    lineas: [{ numero: 1, producto: 'Aceite – Caja', cantidad: 1, destino: 'baja', parte: 'danado' }],
    ...fields,
  });

test('undelivered goods show the reason, and their refund can be registered', async () => {
  pedido = { ...pedido, entrega_parcial: true, cantidad_devuelta: 1, pagado: 30, por_reembolsar: 10 };
  returned = [partial({ por_reembolsar: 10 })];
  server.reply(reembolsarDevolucion, () => asDone('Reembolso anotado', partial({ reembolso: 10 })));
  open(`/pedidos/${pedido.id}`);
  await expect.element(entries.first()).toMatchTextContent(/No entregado.*1 × Aceite – Caja: está dañado; se da de baja/);
  await choose('Anotar el reembolso');
  const refunding = section.getByRole('form', { name: 'Anotar el reembolso' });
  await expect.element(refunding.getByRole('textbox', { name: 'Reembolso (€)' })).toHaveValue('10,00');
  await refunding.getByRole('textbox', { name: 'Referencia' }).fill('TRF 7');
  await expectAccessible();
  await refunding.getByRole('button', { name: 'Anotar el reembolso' }).click();
  await expect.poll(() => server.asked(reembolsarDevolucion).map(({ body }) => body)).toEqual([{ reembolso: 10, referencia: 'TRF 7' }]);
  await expect.element(refunding).not.toBeInTheDocument();
});

test('the refund form suggests the remaining amount after a partial refund', async () => {
  pedido = { ...pedido, entrega_parcial: true, cantidad_devuelta: 1, pagado: 30, reembolsado: 15, por_reembolsar: 5 };
  returned = [partial({ reembolso: 15, por_reembolsar: 5, referencia: 'TRF 7' })];
  open(`/pedidos/${pedido.id}`);
  await choose('Anotar el reembolso');
  const refunding = section.getByRole('form', { name: 'Anotar el reembolso' });
  await expect.element(refunding.getByRole('textbox', { name: 'Reembolso (€)' })).toHaveValue('5,00');
});

test('undelivered goods can be sent with a second order, which the pending refund pays for', async () => {
  pedido = { ...pedido, entrega_parcial: true, cantidad_devuelta: 1, pagado: 30, por_reembolsar: 10 };
  returned = [partial({ por_reembolsar: 10 })];
  server.reply(pedirResto, () => {
    returned = [partial({ resto_pedido_id: '00000000-0000-4000-8000-0000000000d1' })];
    return asDone('Pedido ORD-2 creado para el resto', pedido);
  });
  open(`/pedidos/${pedido.id}`);
  await choose('Entregar el resto');
  const asking = page.getByRole('dialog', { name: 'Entregar el resto' });
  await expect.element(asking).toMatchTextContent(/Los 10,00\s€ por reembolsar pasan al pedido nuevo/);
  await asking.getByRole('button', { name: 'Crear el pedido' }).click();
  await expect.element(section.getByRole('link', { name: 'Ver el pedido del resto' })).toBeVisible();
});

test('an unrefunded return shows the amount due, and a part can be kept with a reason', async () => {
  pedido = { ...pedido, cantidad_devuelta: 1, pagado: 30, por_reembolsar: 10 };
  returned = [aReturn({ por_reembolsar: 10 })];
  server.reply(retenerDevolucion, ({ body }) => {
    returned = [aReturn({ por_reembolsar: 5, retenido: Number(body.importe), retenido_motivo: body.motivo })];
    return asDone('Anotado', returned[0] as Devolucion);
  });
  open(`/pedidos/${pedido.id}`);
  await expect.element(entries.first()).toMatchTextContent(/Por reembolsar: 10,00/);
  await choose('No se reembolsa');
  const keeping = section.getByRole('form', { name: 'No se reembolsa' });
  await keeping.getByRole('textbox', { name: 'Importe (€)' }).fill('5');
  await keeping.getByRole('button', { name: 'No se reembolsa' }).click();
  const reason = keeping.getByRole('textbox', { name: 'Motivo' });
  await expect.element(reason).toHaveAccessibleDescription(/Indica por qué no se reembolsa/);
  await reason.fill('Gastos de envío');
  await expectAccessible();
  await keeping.getByRole('button', { name: 'No se reembolsa' }).click();
  await expect.element(entries.first()).toMatchTextContent(/No se reembolsan 5,00.*«Gastos de envío»/);
  expect(server.asked(retenerDevolucion).map(({ body }) => body)).toEqual([{ importe: 5, motivo: 'Gastos de envío' }]);
});

test('the money of a return pays for another order', async () => {
  pedido = { ...pedido, cantidad_devuelta: 1, pagado: 30, por_reembolsar: 10 };
  returned = [aReturn({ por_reembolsar: 10 })];
  server.answer(moverDevolucion, asDone('Anotado', aReturn()));
  open(`/pedidos/${pedido.id}`);
  await choose('Pasar a otro pedido');
  const moving = section.getByRole('form', { name: 'Pasar a otro pedido' });
  await moving.getByRole('textbox', { name: /^Número del pedido/ }).fill('ORD-2026000002');
  await moving.getByRole('button', { name: 'Pasar el dinero' }).click();
  await expect.poll(() => server.asked(moverDevolucion).map(({ body }) => body)).toEqual([{ numero_orden: 'ORD-2026000002' }]);
});
