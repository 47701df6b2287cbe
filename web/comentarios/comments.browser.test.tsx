import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addComentario, type Comentario, listComentarios } from '../../contract/comentarios/comentarios.ts';
import { comentario } from '../../contract/comentarios/schemas.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getPedido, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { expectAccessible, open, person } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row, textsOf } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';

/* Comments on an order. */

let written: Comentario[];
let personas: string[];
let pedido: Pedido;
const write = (fields: Partial<Comentario>) => {
  const comment = { ...(emptyOf(comentario) as Comentario), created_at: `2026-11-20T1${written.length + 1}:00:00Z`, ...fields };
  written = [...written, comment];
  return comment;
};
beforeEach(() => {
  [written, personas] = [[], ['Ada Ruiz', 'Ana Manda']];
  pedido = aPedido({ revendedor_id: person('revendedor').id, cliente_nombre: 'Elena Prieto' });
  server.reply(listPedidos, () => pageOf([pedido]));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(listComentarios, () => ({ data: written, personas }));
  server.reply(addComentario, ({ body }) =>
    asDone('Comentario guardado', write({ autor_nombre: 'Rita Sanz', autor_role: 'revendedor', ...body })),
  );
});

const dialog = page.getByRole('dialog');
const field = page.getByRole('textbox', { name: 'Escribe un comentario' });
const submit = page.getByRole('button', { name: 'Comentar', exact: true });
const list = page.getByRole('list', { name: 'Historia y comentarios' });
const offered = () => textsOf(page.getByRole('button', { name: /^Avisar a / }));
const sent = () => server.asked(addComentario).map(({ body }) => body.texto);
async function openDialog() {
  await row('Elena Prieto').getByText('Elena Prieto').click();
  await expect.element(dialog).toBeVisible();
}

test('a new comment stands first, and unsent text is kept when the order is closed', async () => {
  write({ autor_nombre: 'Ana Manda', autor_role: 'superadmin', texto: 'Sale mañana' });
  open('/mis-pedidos', 'revendedor');
  await openDialog();
  await expect.element(list).toMatchTextContent(/Ana Manda \(Administrador\).*20\/11\/2026.*Sale mañana/);
  // The button comes with the first use of the field.
  await expect.element(submit).not.toBeInTheDocument();
  await field.click();
  await submit.click();
  await expect.element(field).toHaveAccessibleDescription('Escribe el comentario');
  await expectAccessible();
  await field.fill('  ¿Cuándo sale?  ');
  await submit.click();
  await expect
    .poll(() => textsOf(list.getByRole('listitem')))
    .toEqual([expect.stringMatching(/Rita Sanz \(Revendedor\).*¿Cuándo sale\?/), expect.stringContaining('Sale mañana')]);
  await expect.element(field).toHaveValue('');
  expect(sent()).toEqual(['¿Cuándo sale?']);
  await expectAccessible();

  await field.fill('¿Cuándo sale?');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await openDialog();
  await expect.element(field).toHaveValue('¿Cuándo sale?');
});

test('people to mention are filtered by the typed letters, without people already mentioned', async () => {
  open('/mis-pedidos', 'revendedor');
  await openDialog();
  await field.fill('Gracias, @an');
  await expect.poll(offered).toEqual(['@Ana Manda']);
  await page.getByRole('button', { name: 'Avisar a Ana Manda' }).click();
  await expect.element(field).toHaveValue('Gracias, @Ana Manda ');

  await field.fill('¿Cuándo sale?');
  await expect.poll(offered).toEqual(['@Ada Ruiz', '@Ana Manda']);
  await page.getByRole('button', { name: 'Avisar a Ada Ruiz' }).click();
  await expect.element(field).toHaveValue('¿Cuándo sale? @Ada Ruiz ');
  await expect.element(field).toHaveFocus();
  await field.fill('¿Cuándo sale? @Ada Ruiz y @');
  await expect.poll(offered).toEqual(['@Ana Manda']);
  await field.fill('¿Cuándo sale? @Ada Ruiz');
  await submit.click();
  await expect.poll(sent).toEqual(['¿Cuándo sale? @Ada Ruiz']);
});

test('a comment that cannot be saved keeps its text', async () => {
  server.refuse(addComentario, 500, { message: 'Ha ocurrido un error inesperado' });
  open(`/pedidos/${pedido.id}`);
  await field.fill('Mañana a primera hora');
  await submit.click();
  await expect.element(page.getByRole('alert').filter({ hasText: 'No se pudo guardar el comentario' })).toBeVisible();
  await expect.element(field).toHaveValue('Mañana a primera hora');
});

test('a carrier can comment, but is offered no people to mention', async () => {
  personas = [];
  pedido = { ...pedido, estado: 'asignado', transportista_id: person('transportista').id };
  open('/pedidos-asignados', 'transportista');
  await page.getByText('Elena Prieto').first().click();
  await expect.element(dialog.getByRole('textbox', { name: 'Escribe un comentario' })).toBeVisible();
  expect(offered()).toEqual([]);
});
