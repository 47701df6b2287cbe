import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import {
  deletePedido,
  getHistorial,
  getPedido,
  type HistoryEntry,
  listPedidos,
  type Pedido,
  restorePedido,
  updatePedido,
} from '../../../contract/pedidos/pedidos.ts';
import { historyEntry } from '../../../contract/pedidos/schemas.ts';
import { getEntrega } from '../../../contract/pruebas/pruebas.ts';
import { address, expectAccessible, open } from '../../../test/web/app.tsx';
import { emptyOf } from '../../../test/web/empty-answer.ts';
import { server } from '../../../test/web/fake-server.ts';
import { factOf, row, textsOf } from '../../../test/web/list.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';
import { queryClient } from '../../api.ts';

/* An open order in its dialog and on its page: viewing, editing, history. */

const CLIENTE = {
  cliente_nombre: 'Inés Editada',
  cliente_direccion: 'Calle Vieja, 1',
  cliente_ciudad: 'Toledo',
  cliente_telefono: '600112233',
  instrucciones: 'Dejar en portería',
};

let stored: Pedido;
let history: HistoryEntry[];
const change = (fields: Partial<Pedido>) => {
  stored = { ...stored, ...fields, version: stored.version + 1 };
  return stored;
};
const takeEdits = () =>
  server.reply(updatePedido, ({ body }) => ({
    ...asDone('El pedido se actualizó correctamente', change(body as Partial<Pedido>)),
    avisos: [],
  }));
beforeEach(() => {
  stored = aPedido(CLIENTE);
  history = [];
  server.reply(listPedidos, () => pageOf(stored.deleted_at ? [] : [stored]));
  server.reply(getPedido, () => ({ data: stored }));
  server.reply(getHistorial, () => ({ data: history }));
  takeEdits();
});

const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog');
const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
const past = page.getByRole('region', { name: 'Historia y comentarios' });
const choice = (campo: string) => page.getByRole('group', { name: campo, exact: true });
const save = () => button('Guardar cambios').click();
const edited = () => server.asked(updatePedido).map(({ body }) => body);
const entry = (fields: Partial<HistoryEntry>): HistoryEntry => ({
  ...(emptyOf(historyEntry) as HistoryEntry),
  created_at: new Date().toISOString(),
  actor_nombre: 'Ada Ruiz',
  actor_role: 'superadmin',
  ...fields,
});
async function openDialog() {
  open('/pedidos');
  await row(stored.numero_orden).getByText(stored.cliente_nombre).click();
  await expect.element(dialog).toBeVisible();
}
async function openForm() {
  open(`/pedidos/${stored.id}/editar`);
  await expect.element(field('Ciudad')).toHaveValue('Toledo');
}

test('the dialog of an order shows the history, and returns the focus on closing', async () => {
  change({ cantidad: 3, precio_total: 75, pendiente: 75, fecha_estimada: '2026-11-24T11:00:00Z' });
  history = [entry({ accion: 'Pedido creado', estado_nuevo: 'pendiente' })];
  const list = `/pedidos?search=${stored.numero_orden}`;
  open(list);
  const link = row(stored.numero_orden).getByRole('link');
  await link.click();
  await expect.element(dialog).toBeVisible();
  await expect.element(page.getByRole('dialog', { name: new RegExp(`^Inés Editada · .* Pedido ${stored.numero_orden}$`) })).toBeVisible();
  await expect.poll(() => factOf('Número de orden')).toBe(stored.numero_orden);
  await expect.element(dialog.getByText('Pendiente', { exact: true }).first()).toBeVisible();
  await expect
    .poll(() => textsOf(dialog.getByRole('table', { name: 'Líneas del pedido' }).getByRole('row')))
    .toEqual([
      'ProductoCantidadPrecio unitarioImporte',
      expect.stringMatching(/^Aceite – Caja.*325,00\s€75,00\s€$/),
      expect.stringMatching(/^Total75,00\s€$/),
      expect.stringMatching(/^Por cobrar75,00\s€$/),
    ]);
  expect(factOf('Fecha estimada')).toBe('24/11/2026');
  expect(factOf('Fecha de pedido')).toMatch(/^\d\d\/\d\d\/\d{4}/);
  expect(factOf('Cliente - Nombre')).toBe('Inés Editada');
  // What cannot be changed is no stop of the tabulator.
  expect(dialog.element().querySelectorAll('input')).toHaveLength(0);
  await expect.element(past).toMatchTextContent(/Pedido creado.*Pendiente.*Ada Ruiz \(Administrador\).*ahora/);
  // The full date stands under the pointer, and readers hear the date.
  expect(past.element().querySelector('time')?.title).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/);
  await expectAccessible();

  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(link).toHaveFocus();

  await link.click();
  await page.getByRole('link', { name: 'Abrir en su página' }).click();
  await expect.poll(address).toBe(`/pedidos/${stored.id}`);
  await expect.element(page.getByRole('heading', { level: 1, name: new RegExp(`Pedido ${stored.numero_orden}$`) })).toBeVisible();
  await expectAccessible();
  await button('Volver').click();
  await expect.poll(address).toBe(list);
});

test('a row opens by keyboard, and gets the focus back when the dialog closes', async () => {
  open('/pedidos');
  await expect.element(row(stored.numero_orden)).toBeVisible();
  (row(stored.numero_orden).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(row(stored.numero_orden)).toHaveFocus();
});

const line = (fields: Partial<Linea>): Linea => ({
  numero: 1,
  pack_id: null,
  producto: 'Aceite – Lata',
  cantidad: 3,
  precio_unitario: 10,
  precio_total: 30,
  unidades: 3,
  ...fields,
});

test('an order with several lines shows them in a table with shipping and discount', async () => {
  const wine = line({ numero: 2, producto: 'Vino – Caja', cantidad: 2, precio_unitario: 30, precio_total: 60 });
  const lineas = [line({}), wine];
  change({ num_lineas: 2, cantidad: 5, envio: 4.95, descuento: 2, precio_total: 92.95, pagado: 50, pendiente: 42.95 });
  server.reply(getPedido, () => ({ data: { ...stored, lineas } }));
  await openDialog();
  const lines = dialog.getByRole('table', { name: 'Líneas del pedido' });
  await expect
    .poll(() => textsOf(lines.getByRole('row')))
    .toEqual([
      expect.stringMatching(/Producto.*Importe/),
      expect.stringMatching(/– Lata.*30,00\s€/),
      expect.stringMatching(/– Caja.*60,00\s€/),
      expect.stringMatching(/Envío4,95\s€/),
      expect.stringMatching(/Descuento−2,00\s€/),
      expect.stringMatching(/Total92,95\s€/),
      expect.stringMatching(/Pagado−50,00\s€/),
      expect.stringMatching(/Por cobrar42,95\s€/),
    ]);
  // The unit price appears once: in its column or, on narrow screens, under the name.
  const each = lines.getByText(/^(3 × )?10,00\s€$/);
  expect(each.elements().filter((element) => element.checkVisibility())).toHaveLength(1);
  for (const label of ['Producto', 'Cantidad', 'Precio unitario', 'Total']) await expect.element(field(label)).not.toBeInTheDocument();
  await expectAccessible();
});

test('the summary of the lines is shown if the lines cannot be loaded', async () => {
  change({ num_lineas: 2, producto: 'Aceite – Lata y 1 más' });
  server.refuse(getPedido, 403, { message: 'No puedes' });
  open('/entregas');
  await page.getByRole('link', { name: stored.numero_orden }).click();
  const details = page.getByRole('dialog', { name: `Detalles del Pedido ${stored.numero_orden}` });
  await expect.element(details.getByRole('definition').filter({ hasText: 'Aceite – Lata y 1 más' })).toBeVisible();
  await expect.element(details.getByRole('table')).not.toBeInTheDocument();
});

test('the history shows the author and values of each change, with former lines and missing proof', async () => {
  change({ cantidad: 3, precio_unitario: 10, precio_total: 30, pagado: 92.95, pendiente: 0, por_reembolsar: 62.95 });
  const url = '/api/pruebas/1/fichero';
  const pruebas = [
    { tipo: 'firma', enviada: true, url },
    { tipo: 'foto', enviada: false, url: null },
  ] as const;
  history = [
    entry({
      accion: 'Pedido editado',
      cambios: {
        cliente_nombre: ['Inés Editada', 'Inés Corregida'],
        cliente_ciudad: ['Toledo', null],
        fecha_estimada: [null, '2026-12-31T11:00:00.000Z'],
        incidencia_at: [null, '2026-11-26T01:54:47.950Z'],
      },
    }),
    entry({ accion: 'Líneas cambiadas', nota: '3 × Aceite – Lata' }),
    entry({ accion: 'Sin registrar: Completar', pruebas: [...pruebas] }),
  ];
  open(`/pedidos/${stored.id}`);
  await expect.element(past).toMatchTextContent(/Ada Ruiz \(Administrador\)/);
  // What was edited is folded behind its line.
  const edit = past.getByText('Pedido editado').element().closest('details');
  expect(edit?.open).toBe(false);
  await past.getByText('Pedido editado').click();
  expect(edit?.open).toBe(true);
  await expect.element(past).toMatchTextContent(/Nombre:\s*Inés Editada\s*Inés Corregida/);
  await expect.element(past).toMatchTextContent(/Ciudad:\s*Toledo\s*ya no tiene/);
  await expect.element(past).toMatchTextContent(/Fecha estimada:\s*no tenía\s*31\/12\/2026/);
  await expect.element(past).toMatchTextContent(/Espera respuesta desde:\s*no tenía\s*26\/11\/2026 02:54/);

  await expect.element(page.getByRole('row', { name: /^Pagado −92,95/ })).toBeVisible();
  await expect.element(page.getByRole('row', { name: /^Por reembolsar 62,95/ })).toBeVisible();
  await expect.element(past).toMatchTextContent(/Líneas cambiadas.*«3 × Aceite – Lata»/);

  await expect.element(past).toMatchTextContent('Falta por llegar: foto');
  await expect.element(past.getByRole('link', { name: /^Firma del paso sin registrar/ })).toHaveAttribute('href', url);

  await button('Volver').click();
  await expect.poll(address).toBe('/pedidos');
});

test('the edit dialog asks before discarding text, and a saved change appears in the list', async () => {
  await openDialog();
  await dialog.getByRole('button', { name: 'Editar' }).click();
  await field('Ciudad').fill('Ávila');
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(field('Ciudad')).toHaveValue('Ávila');
  // Escape opens the question, and a second Escape resumes editing. The dialog then ignores keys for a moment, so retry.
  const ask = () =>
    expect
      .poll(async () => {
        if (question.elements().length === 0) await userEvent.keyboard('{Escape}');
        return question.elements();
      })
      .toHaveLength(1);
  await ask();
  await expect.element(question).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  // The question no longer covers the field.
  await field('Ciudad').click();
  await expect.element(field('Ciudad')).toHaveValue('Ávila');
  await ask();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(edited()).toEqual([]);

  await row(stored.numero_orden).getByText(stored.cliente_nombre).click();
  await dialog.getByRole('button', { name: 'Editar' }).click();
  await field('Cliente - Nombre').fill('  ');
  await save();
  await expect.element(field('Cliente - Nombre')).toHaveAccessibleDescription('Completa los campos obligatorios');
  await expect.element(field('Cliente - Nombre')).toHaveFocus();
  await expectAccessible();
  await field('Cliente - Nombre').fill('Inés Corregida');
  await field('Ciudad').fill('');
  await save();
  await expect.element(page.getByText('Guardado', { exact: true })).toBeVisible();
  await expect.element(page.getByText('El pedido se actualizó correctamente')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(row(stored.numero_orden)).toMatchTextContent('Inés Corregida');
  expect(edited()).toEqual([expect.objectContaining({ cliente_nombre: 'Inés Corregida', cliente_ciudad: null, version: 1 })]);
});

test('the edit page asks before discarding text, and keeps the text after a failed save', async () => {
  change({ fecha_estimada: '2026-11-24T11:00:00Z' });
  await openForm();
  await field('Ciudad').fill('Ávila');
  await button('Volver').click();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(field('Ciudad')).toHaveValue('Ávila');
  await button('Cancelar').click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.poll(address).toBe(`/pedidos/${stored.id}`);
  await expect.poll(() => factOf('Ciudad')).toBe('Toledo');

  await button('Editar').click();
  await expect.poll(address).toBe(`/pedidos/${stored.id}/editar`);
  await expect.element(field('Cliente - Nombre')).toHaveFocus();
  server.refuse(updatePedido, 500, { message: 'Ha ocurrido un error inesperado' });
  await field('Ciudad').fill('Soria');
  await field('Instrucciones').fill('Llamar antes');
  expect(factOf('Fecha estimada')).toBe('24/11/2026');
  await expect.element(page.getByLabelText('Fecha estimada')).not.toBeInTheDocument();
  await expectAccessible();
  await save();
  await expect.element(page.getByRole('alert').filter({ hasText: 'No se pudo guardar el pedido' })).toBeVisible();
  await expect.element(field('Ciudad')).toHaveValue('Soria');
  expect(address()).toBe(`/pedidos/${stored.id}/editar`);

  takeEdits();
  await save();
  await expect.poll(address).toBe('/pedidos');
  const sent = { cliente_ciudad: 'Soria', instrucciones: 'Llamar antes', version: 2 };
  expect(edited().at(-1)).toEqual(expect.objectContaining(sent));
});

test('a completed order allows editing only its instructions', async () => {
  change({ estado: 'completado', metodo_entrega: 'manual' });
  await openForm();
  await expect.element(page.getByText('El pedido está completado: solo se pueden cambiar las instrucciones.')).toBeVisible();
  await expect.element(field('Cliente - Dirección')).toHaveAttribute('readonly');
  await field('Instrucciones').fill('Recogió la vecina');
  await save();
  await expect.poll(address).toBe('/pedidos');
  expect(edited()).toEqual([expect.objectContaining({ instrucciones: 'Recogió la vecina', cliente_direccion: 'Calle Vieja, 1' })]);
});

test('a completed order with a tax number says that the tax number can be edited too, and begins at the instructions', async () => {
  change({ estado: 'completado', metodo_entrega: 'manual', cliente_nif: 'B12345674' });
  await openForm();
  const because = 'El pedido está completado: solo se pueden cambiar las instrucciones y el NIF.';
  await expect.element(page.getByText(because)).toBeVisible();
  await expect.element(field('Instrucciones')).toHaveFocus();
  await expect.element(field('NIF')).not.toHaveAttribute('readonly');
});

test('a cancelled order cannot be edited', async () => {
  change({ estado: 'cancelado' });
  await openForm();
  await expect.element(page.getByText('El pedido está cancelado: no se puede modificar.')).toBeVisible();
  await expect.element(field('Instrucciones')).toHaveAttribute('readonly');
  await expect.element(button('Guardar cambios')).toBeDisabled();
  open(`/pedidos/${stored.id}`);
  await expect.poll(() => factOf('Ciudad')).toBe('Toledo');
  await expect.element(button('Editar')).not.toBeInTheDocument();
});

const STALE = { message: 'Otra persona ha cambiado este pedido', code: 'version' };

test('an editing conflict is resolved field by field without losing either version', async () => {
  await openForm();
  await field('Cliente - Dirección').fill('Calle Mía, 3');
  await field('Ciudad').fill('Segovia');
  await field('Instrucciones').fill('Mías');
  change({ cliente_telefono: '911 000 000', cliente_direccion: 'Calle Nueva, 2', cliente_ciudad: 'Madrid' });
  server.refuse(updatePedido, 409, STALE);
  await save();
  await expect.element(page.getByText('Otra persona ha cambiado este pedido mientras lo editabas')).toBeVisible();
  await expectAccessible();
  await expect.element(choice('Dirección')).toMatchTextContent('Calle Mía, 3');
  await expect.element(choice('Dirección')).toMatchTextContent('Calle Nueva, 2');
  await expect.element(choice('Dirección').getByRole('button', { name: 'Mantener lo mío' })).toHaveAttribute('aria-pressed', 'true');
  // Only the other person changed the phone, so the form has the stored phone.
  await expect.element(field('Cliente - Teléfono')).toHaveValue('911 000 000');
  await choice('Ciudad').getByRole('button', { name: 'Usar lo guardado' }).click();
  await expect.element(field('Ciudad')).toHaveValue('Madrid');
  await choice('Teléfono').getByRole('button', { name: 'Volver a lo que había' }).click();
  await expect.element(field('Cliente - Teléfono')).toHaveValue('600112233');
  await choice('Teléfono').getByRole('button', { name: 'Usar lo guardado' }).click();
  takeEdits();
  await save();
  await expect.poll(address).toBe('/pedidos');
  expect(edited().at(-1)).toMatchObject({
    cliente_direccion: 'Calle Mía, 3',
    cliente_ciudad: 'Madrid',
    cliente_telefono: '911 000 000',
    instrucciones: 'Mías',
    version: 2,
  });
});

test('another person’s change appears in an untouched form', async () => {
  open('/pedidos');
  const edit = async () => {
    await page.getByRole('button', { name: `Acciones del pedido ${stored.numero_orden}` }).click();
    await page.getByRole('menuitem', { name: 'Editar' }).click();
  };
  await edit();
  await expect.element(field('Ciudad')).toHaveValue('Toledo');
  await dialog.getByRole('button', { name: 'Cancelar', exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  change({ cliente_ciudad: 'Lugo' });
  await queryClient.invalidateQueries();
  await edit();
  await expect.element(field('Ciudad')).toHaveValue('Lugo');
  // An open, untouched form takes over a change too.
  change({ cliente_ciudad: 'Vigo' });
  await queryClient.invalidateQueries();
  await expect.element(field('Ciudad')).toHaveValue('Vigo');
  await field('Instrucciones').fill('Con prisa');
  await save();
  await expect.element(page.getByText('El pedido se actualizó correctamente')).toBeVisible();
  expect(edited()).toEqual([expect.objectContaining({ cliente_ciudad: 'Vigo', instrucciones: 'Con prisa', version: 3 })]);
});

test('an edit restores the locked fields of an order completed meanwhile, and still shows the typed values', async () => {
  await openForm();
  await field('Ciudad').fill('Cuenca');
  await field('Instrucciones').fill('Con cuidado');
  change({ estado: 'completado', metodo_entrega: 'otro' });
  server.refuse(updatePedido, 409, { message: 'El pedido está completado: solo se pueden cambiar las instrucciones' });
  await save();
  await expect.element(page.getByText('El pedido está completado: solo se pueden cambiar las instrucciones.')).toBeVisible();
  await expect.element(field('Ciudad')).toHaveValue('Toledo');
  await expect.element(field('Instrucciones')).toHaveValue('Con cuidado');
  // Values that cannot be saved stay readable.
  await expect.element(choice('Ciudad')).toMatchTextContent('Cuenca');
  await expect.element(page.getByText(/^Lo que habías escrito ya no se puede guardar/)).toBeVisible();
  await expectAccessible();
  takeEdits();
  await save();
  await expect.poll(address).toBe('/pedidos');
  expect(edited().at(-1)).toMatchObject({ cliente_ciudad: 'Toledo', instrucciones: 'Con cuidado', version: 2 });
});

test('the page of a missing order shows an error', async () => {
  server.refuse(getPedido, 404, { message: 'No encontrado' });
  open('/pedidos/00000000-0000-4000-8000-000000000000');
  await expect.element(page.getByRole('alert').filter({ hasText: 'No se pudo cargar el pedido' })).toBeVisible();
  await expect.element(button('Volver')).toBeVisible();
});

const deleteIt = () => change({ deleted_at: new Date().toISOString() });
const takeRestore = () => server.reply(restorePedido, () => asDone('Pedido restaurado', change({ deleted_at: null })));

test('a deleted order stays at its address and can be restored there', async () => {
  server.reply(deletePedido, () => asDone('Pedido eliminado', deleteIt()));
  takeRestore();
  open(`/pedidos/${stored.id}`);
  await button('Más').click();
  await page.getByRole('menuitem', { name: 'Eliminar' }).click();
  await expect.element(page.getByText(/^Eliminado el/)).toBeVisible();
  await expectAccessible();
  await button('Restaurar').click();
  await expect.element(page.getByText(/^Eliminado el/)).not.toBeInTheDocument();
  await expect.element(page.getByText('Pedido restaurado')).toBeVisible();
  expect(server.asked(restorePedido).map(({ params }) => params.id)).toEqual([stored.id]);
});

test('an order deleted during an edit can be restored without losing the typed values', async () => {
  takeRestore();
  await openForm();
  await field('Ciudad').fill('Soria');
  deleteIt();
  server.refuse(updatePedido, 409, { message: 'El pedido está eliminado' });
  await save();
  await expect.element(page.getByText('El pedido está eliminado: no se puede modificar.')).toBeVisible();
  await button('Restaurar').click();
  await expect.element(page.getByText('El pedido está eliminado: no se puede modificar.')).not.toBeInTheDocument();
  await choice('Ciudad').getByRole('button', { name: 'Mantener lo mío' }).click();
  takeEdits();
  await save();
  await expect.poll(address).toBe('/pedidos');
  expect(edited().at(-1)).toMatchObject({ cliente_ciudad: 'Soria', version: 3 });
});

test('a delivered order shows its proof, and which proof is still missing', async () => {
  const prueba = {
    id: '00000000-0000-4000-8000-0000000000c1',
    tipo: 'firma',
    sha256: 'a',
    bytes: 9,
    created_at: '2026-11-24T10:00:00.000Z',
  } as const;
  const entrega = { forma_entrega: 'otra_persona', receptor_nombre: 'Luis Gil', receptor_relacion: 'portero', pin_correcto: null } as const;
  server.answer(getEntrega, {
    data: { ...entrega, pin_fallos: 3, sin_comprobar: [], pruebas: [{ ...prueba, url: '/favicon.svg' }], faltan: ['foto'] },
  });
  change({ estado: 'completado', metodo_entrega: 'manual' });
  await openDialog();
  const proof = page.getByRole('region', { name: 'Entrega', exact: true });
  await expect.element(proof).toMatchTextContent(/A otra persona: Luis Gil \(portero\).*Sin PIN, tras 3 intentos fallidos.*Falta la foto/);
  await expect.element(proof.getByRole('img', { name: /^Firma de la entrega/ })).toBeVisible();
  await expectAccessible(proof.element());
});

test('a delivery without proof has no proof section', async () => {
  server.answer(getEntrega, { data: null });
  change({ estado: 'completado', metodo_entrega: 'manual' });
  await openDialog();
  await expect.poll(() => server.asked(getEntrega).length).toBe(1);
  expect(page.getByRole('region', { name: 'Entrega', exact: true }).elements()).toEqual([]);
});
