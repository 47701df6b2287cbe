import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { createVista, deleteVista, listVistas, preferVista, updateVista, type Vista } from '../../contract/vistas/vistas.ts';
import { address, expectAccessible, onPhone, open, person, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { head, row, rows } from '../../test/web/list.ts';
import { aPedido, aVista, listed, pedidosAsked } from '../../test/web/samples.ts';
import { queryClient } from '../api.ts';

/* Saved views of a list: saving, choosing, opening by default, sharing. */

let vistas: Vista[];
let pedidos: Pedido[];
const change = (id: string, to: Partial<Vista>) => {
  vistas = vistas.map((vista) => (vista.id === id ? { ...vista, ...to, version: vista.version + 1 } : vista));
  return vistas.find((vista) => vista.id === id) as Vista;
};
/** Drops undefined fields of a body. */
const definedIn = (body: object) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
beforeEach(() => {
  vistas = [];
  pedidos = [
    aPedido({ cliente_nombre: 'Olga Oviedo', cliente_ciudad: 'Oviedo' }),
    aPedido({ cliente_nombre: 'Lola León', cliente_ciudad: 'León' }),
  ];
  server.reply(listPedidos, ({ query }) => pedidosAsked(pedidos, query));
  server.reply(listVistas, ({ query }) => listed(vistas.filter(({ lista }) => lista === query.lista)));
  server.reply(createVista, ({ body }) => {
    const made = aVista({ ...body, columnas: body.columnas ?? null });
    vistas = [...vistas, made];
    return asDone('Vista guardada', made);
  });
  server.reply(updateVista, ({ params, body }) => asDone('Vista actualizada', change(params.id, definedIn(body))));
  server.reply(deleteVista, ({ params }) => {
    vistas = vistas.filter(({ id }) => id !== params.id);
    return { success: true as const, message: 'Vista eliminada' };
  });
  server.reply(preferVista, ({ body }) => {
    vistas = vistas.map((vista) => (vista.lista === body.lista ? { ...vista, al_abrir: vista.id === body.vista_id } : vista));
    return { success: true as const, message: 'La lista se abrirá con esta vista' };
  });
});

const button = page.getByRole('button', { name: /^Vistas/ });
const dialog = page.getByRole('dialog');
const name = dialog.getByRole('textbox', { name: 'Nombre' });
async function choose(role: 'menuitem' | 'menuitemradio' | 'menuitemcheckbox', item: string | RegExp) {
  await button.click();
  await page.getByRole(role, { name: item }).click();
}
async function saveAs(nombre: string, { shared = false } = {}) {
  await choose('menuitem', 'Guardar vista…');
  await name.fill(nombre);
  if (shared) await dialog.getByLabelText('Compartir con todos los administradores').click();
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
}
const addVista = (nombre: string, more: Partial<Vista>) => {
  const vista = aVista({ nombre, ...more });
  vistas = [...vistas, vista];
  return vista.id;
};
const titles = () => {
  const heads = page.getByRole('table').getByRole('row').first().query() as HTMLTableRowElement | null;
  return [...(heads?.cells ?? [])].map(({ textContent }) => textContent);
};
const COLUMNS = ['', 'ID Pedido', 'Cliente', 'Transportista', 'Estado', 'Total', 'Fecha', 'Hora', 'Acciones'];

test('a view is saved under a required name, with its filters, sort order and columns', async () => {
  open('/pedidos?ciudad=Oviedo');
  await expect.element(row('Olga Oviedo')).toBeVisible();
  await head('Cliente').click();
  await expect.poll(address).toContain('sort=cliente_nombre');
  await page.getByRole('button', { name: 'Columnas' }).click();
  await page.getByRole('checkbox', { name: 'Hora' }).click();
  await page.getByRole('checkbox', { name: 'Revendedor' }).click();
  await userEvent.keyboard('{Escape}');

  await choose('menuitem', 'Guardar vista…');
  await expect.element(name).toHaveFocus();
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect.element(dialog.getByText('Ponle un nombre')).toBeVisible();
  await expectAccessible();
  await name.fill('Asturias');
  await userEvent.keyboard('{Enter}');
  await expect.element(button).toHaveAccessibleName('Vistas: Asturias');
  await expect.element(button).toHaveFocus();
  await expect.poll(titles).toEqual(COLUMNS);
  expect(server.asked(createVista).map(({ body }) => body)).toEqual([
    {
      lista: 'pedidos',
      nombre: 'Asturias',
      consulta: { ciudad: 'Oviedo', sort: 'cliente_nombre', dir: 'asc' },
      columnas: ['numero_orden', 'cliente_nombre', 'transportista_nombre', 'estado', 'precio_total', 'fecha_pedido', 'hora', 'acciones'],
      compartida: false,
    },
  ]);
});

test('choosing a view again restores its filter, sort order and columns', async () => {
  const columnas = ['numero_orden', 'cliente_nombre', 'transportista_nombre', 'estado', 'precio_total', 'fecha_pedido', 'hora', 'acciones'];
  const id = addVista('Asturias', { consulta: { ciudad: 'Oviedo', sort: 'cliente_nombre', dir: 'asc' }, columnas });
  open(`/pedidos?ciudad=Oviedo&sort=cliente_nombre&dir=asc&vista=${id}`);
  await expect.element(row('Olga Oviedo')).toBeVisible();
  await expect.poll(titles).toEqual(COLUMNS);
  // Without a view, the list has the person's own columns.
  await choose('menuitemradio', 'Todos los pedidos');
  await expect.element(row('Lola León')).toBeVisible();
  await expect.element(button).toHaveTextContent('Vistas');
  await expect.element(head('Revendedor')).toBeVisible();

  await choose('menuitemradio', 'Asturias');
  await expect.element(row('Lola León')).not.toBeInTheDocument();
  await expect.poll(titles).toEqual(COLUMNS);
  expect(address()).toContain('ciudad=Oviedo');
  reload();
  await expect.element(button).toHaveAccessibleName('Vistas: Asturias');
  await expect.element(row('Olga Oviedo')).toBeVisible();
  expect(titles()).toEqual(COLUMNS);
  history.back();
  await expect.element(row('Lola León')).toBeVisible();
  await expect.element(button).toHaveTextContent('Vistas');
});

test('a view can be updated, renamed or deleted, and the filters of a deleted view stay', async () => {
  const id = addVista('Por cobrar', { consulta: { pagado: 'no' } });
  open(`/pedidos?pagado=no&vista=${id}`);
  await expect.element(button).toHaveAccessibleName('Vistas: Por cobrar');
  await page.getByRole('button', { name: 'Estado: Todos' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Cancelado' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveTextContent('Por cobrar(modificada)');
  await button.click();
  await expect.element(page.getByRole('menuitem', { name: 'Actualizar «Por cobrar»' })).toBeVisible();
  await expectAccessible();
  await page.getByRole('menuitem', { name: 'Actualizar «Por cobrar»' }).click();
  await expect.element(button).toHaveAccessibleName('Vistas: Por cobrar');
  expect(vistas[0]?.consulta).toEqual({ pagado: 'no', estado: 'cancelado' });

  await choose('menuitem', 'Renombrar o compartir…');
  await name.fill('Cancelados');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.element(button).toHaveAccessibleName('Vistas: Cancelados');
  expect(server.asked(updateVista).at(-1)?.body).toEqual({ nombre: 'Cancelados', compartida: false, version: 2 });

  await choose('menuitem', 'Eliminar');
  await dialog.getByRole('button', { name: 'Eliminar' }).click();
  await expect.element(page.getByText('Vista eliminada')).toBeVisible();
  await expect.element(button).toHaveTextContent('Vistas');
  await expect.element(button).toHaveFocus();
  // The filters stay until removed.
  await expect.element(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
});

test('a list opens with its default view, which does not come back when the filters are removed', async () => {
  const id = addVista('León', { consulta: { ciudad: 'León' } });
  open(`/pedidos?ciudad=Le%C3%B3n&vista=${id}`);
  await choose('menuitemcheckbox', 'Usar al abrir');
  await expect.element(page.getByText('La lista se abrirá con esta vista')).toBeVisible();

  open('/');
  await page.getByRole('link', { name: 'Pedidos', exact: true }).click();
  await expect.poll(address).toMatch(/\/pedidos\?.*vista=/);
  await expect.element(row('Lola León')).toBeVisible();
  expect(rows().elements()).toHaveLength(1);
  await page.getByRole('button', { name: 'Quitar filtros' }).first().click();
  await expect.element(row('Olga Oviedo')).toBeVisible();
  await expect.element(button).toHaveAccessibleName('Vistas: León (modificada)');
  history.back();
  await expect.element(row('Olga Oviedo')).not.toBeInTheDocument();
  history.back();
  await expect.poll(address).toBe('/');
});

test('an address with a filter ignores the default view, also when the filter is removed', async () => {
  addVista('León', { consulta: { ciudad: 'León' }, al_abrir: true });
  open('/pedidos?ciudad=Oviedo');
  await expect.element(row('Olga Oviedo')).toBeVisible();
  await expect.element(button).toHaveTextContent('Vistas');
  await page.getByRole('button', { name: 'Quitar filtro: Ciudad: Oviedo' }).click();
  await expect.element(row('Lola León')).toBeVisible();
  await expect.element(row('Olga Oviedo')).toBeVisible();
  reload();
  await expect.element(row('Olga Oviedo')).toBeVisible();
});

test('a list with a default view shows all orders after «Todos los pedidos»', async () => {
  addVista('León', { consulta: { ciudad: 'León' }, al_abrir: true });
  open('/pedidos');
  await expect.element(row('Lola León')).toBeVisible();
  await choose('menuitemradio', 'Todos los pedidos');
  await expect.element(row('Olga Oviedo')).toBeVisible();
  await expect.element(row('Lola León')).toBeVisible();
});

test('a list shows no rows until its default view is known', async () => {
  addVista('Solo León', { consulta: { ciudad: 'León' }, al_abrir: true });
  const release = server.hold(listVistas);
  open('/pedidos');
  await expect.poll(() => server.asked(listPedidos)).not.toEqual([]);
  await expect.element(head('Cliente')).toBeVisible();
  await expect.element(row('Olga Oviedo')).not.toBeInTheDocument();
  release();
  await expect.element(row('Lola León')).toBeVisible();
  await expect.element(row('Olga Oviedo')).not.toBeInTheDocument();
});

test('a list still shows its rows if the views cannot be loaded', async () => {
  server.refuse(listVistas, 500, { message: 'Ha ocurrido un error inesperado' });
  open('/pedidos');
  await expect.element(row('Lola León')).toBeVisible();
});

test('a view is shared with a checkbox, and deleting a shared view warns that it disappears for everyone', async () => {
  open('/pedidos?ciudad=Oviedo');
  await saveAs('Solo mía');
  await saveAs('De todos', { shared: true });
  expect(server.asked(createVista).map(({ body }) => body.compartida)).toEqual([false, true]);
  await button.click();
  await expect.element(page.getByRole('menuitemradio', { name: /^De todos/ })).toMatchTextContent('Compartida');
  await page.getByRole('menuitem', { name: 'Eliminar' }).click();
  await expect.element(dialog).toMatchTextContent('desaparece para todos los administradores');
});

test('a view shared by another superadmin shows their name, and can be renamed but not unshared', async () => {
  const shared = { compartida: true, mia: false, de: 'Berta Compañera' };
  const id = addVista('De todos', { consulta: { ciudad: 'Oviedo' }, ...shared });
  open('/pedidos');
  await expect.element(row('Lola León')).toBeVisible();
  await button.click();
  await expect.element(page.getByText('Compartidas', { exact: true })).toBeVisible();
  await expect.element(page.getByRole('menuitemradio', { name: /^De todos/ })).toMatchTextContent('De Berta Compañera');
  await page.getByRole('menuitemradio', { name: /^De todos/ }).click();
  await expect.element(row('Lola León')).not.toBeInTheDocument();
  await choose('menuitem', 'Renombrar o compartir…');
  await expect.element(dialog.getByLabelText('Compartir con todos los administradores')).toBeDisabled();
  await name.fill('Asturianos');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.element(button).toHaveAccessibleName('Vistas: Asturianos');

  // The owner deletes the view.
  vistas = vistas.filter((vista) => vista.id !== id);
  await queryClient.invalidateQueries({ queryKey: [listVistas.path] });
  await expect.element(button).toHaveTextContent('Vistas');
});

test('a saved period moves with the calendar, unless fixed days are chosen', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:00:00Z') });
  open('/pedidos?fecha_desde=2026-01-01&fecha_hasta=2026-12-31');
  await choose('menuitem', 'Guardar vista…');
  const moves = dialog.getByLabelText('Siempre «Año actual»');
  await expect.element(moves).toBeChecked();
  await name.fill('Este año');
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect.element(button).toHaveAccessibleName('Vistas: Este año');
  await choose('menuitem', 'Guardar vista…');
  await moves.click();
  await name.fill('El de 2026');
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect.element(button).toHaveAccessibleName('Vistas: El de 2026');
  expect(vistas.map(({ consulta }) => consulta)).toEqual([
    { periodo: 'anio-actual' },
    { fecha_desde: '2026-01-01', fecha_hasta: '2026-12-31' },
  ]);

  vi.setSystemTime(new Date('2027-02-01T10:00:00Z'));
  await choose('menuitemradio', 'Este año');
  await expect.poll(address).toContain('fecha_desde=2027-01-01&fecha_hasta=2027-12-31');
});

test('a list saves and offers only its own views', async () => {
  addVista('De pedidos', {});
  open('/entregas?ciudad=Oviedo');
  await saveAs('Reparto norte');
  expect(server.asked(createVista)[0]?.body).toMatchObject({ lista: 'entregas', consulta: { ciudad: 'Oviedo' } });
  await button.click();
  await expect.element(page.getByRole('menuitemradio', { name: 'Reparto norte' })).toBeVisible();
  await expect.element(page.getByRole('menuitemradio', { name: 'De pedidos' })).not.toBeInTheDocument();
});

test('a reseller can save views but not share them, and figures of the dashboard ignore a default view', async () => {
  pedidos = [aPedido({ cliente_nombre: 'Pepa Pendiente', revendedor_id: person('revendedor').id })];
  await onPhone();
  open('/mis-pedidos?estado=cancelado', 'revendedor');
  await choose('menuitem', 'Guardar vista…');
  await expect.element(name).toBeVisible();
  await expect.element(dialog.getByLabelText(/Compartir/)).not.toBeInTheDocument();
  await expectAccessible();
  await name.fill('Cancelados con un nombre tan largo como se permite, o casi');
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await choose('menuitemcheckbox', 'Usar al abrir');
  await expect.element(page.getByText('La lista se abrirá con esta vista')).toBeVisible();

  open('/revendedor-dashboard', 'revendedor');
  await page.getByRole('link', { name: 'Ver Mis Pedidos' }).click();
  await expect.poll(address).toContain('estado=cancelado');
  await expect.element(button).toHaveAccessibleName(/^Vistas: Cancelados con/);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
  await page.getByRole('link', { name: /^Total/ }).click();
  await expect.element(row('Pepa Pendiente')).toBeVisible();
});
