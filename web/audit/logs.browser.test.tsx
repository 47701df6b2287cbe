import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { hideLog, type LogEntry, listLogs } from '../../contract/audit/audit.ts';
import { logEntry } from '../../contract/audit/schemas.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getPedido, restorePedido } from '../../contract/pedidos/pedidos.ts';
import { listPacks, listProducts } from '../../contract/products/products.ts';
import { listUsers, type User } from '../../contract/users/users.ts';
import { address, expectAccessible, onPhone, open } from '../../test/web/app.tsx';
import { emptyOf, uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row, rows } from '../../test/web/list.ts';
import { aPack, aPedido, aProduct, aUser, listed, pageOf } from '../../test/web/samples.ts';

/* The audit log: search, descriptions, and links to the records. */

let logs: LogEntry[];
let people: User[];
beforeEach(() => {
  [logs, people] = [[], []];
  server.reply(listLogs, () => pageOf(logs));
  server.reply(listUsers, () => listed(people));
});

const ADMIN = '0123abcd-0000-4000-8000-000000000001';
function put(description: string, fields: Partial<LogEntry> = {}): LogEntry {
  const entry: LogEntry = {
    ...(emptyOf(logEntry) as LogEntry),
    created_at: '2026-11-20T11:00:00Z',
    action: 'update',
    entity_type: 'pedido',
    actor_user_id: ADMIN,
    actor_role: 'superadmin',
    actor_nombre: 'Ada Ruiz',
    description,
    ...fields,
  };
  logs = [entry, ...logs];
  return entry;
}
const link = (name: string) => row(name).getByRole('link', { name });
const asked = () => server.asked(listLogs).at(-1)?.query;
async function choose(label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
async function press(button: Locator) {
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

test('a log entry names action, record and person, and expands to the values before and after', async () => {
  put('Pedido actualizado: ORD-7', {
    antes: { cliente_nombre: 'Antes Pérez', cliente_direccion: 'Calle Vieja, 1', version: 1 },
    despues: { cliente_nombre: 'Después Pérez', cliente_direccion: 'Calle Vieja, 1', version: 2 },
  });
  put('Completar: ORD-9', {
    antes: { estado: 'pendiente', metodo_entrega: null },
    despues: { estado: 'completado', metodo_entrega: 'manual' },
  });
  put('Inicio de sesión', { action: 'login', entity_type: 'session' });
  put('Pedido creado: ORD-8', { actor_role: 'programa', actor_nombre: 'Clave «ERP»' });
  open('/admin?tab=logs');
  const entry = row('ORD-7');
  await expect.element(entry).toMatchTextContent(/20\/11\/2026.*Modificación.*Pedido.*Ada Ruiz.*0123abcd · Administrador/);
  await press(entry.getByRole('button', { name: 'Ver cambios' }));
  const changes = page.getByRole('table', { name: 'Cambios de «Pedido actualizado: ORD-7»' });
  await expect.element(changes.getByRole('row', { name: 'Nombre Antes Pérez Después Pérez', exact: true })).toBeVisible();
  expect(changes.getByRole('row').elements()).toHaveLength(2);
  await expectAccessible();
  await entry.getByRole('button', { name: 'Ocultar cambios' }).click();
  await expect.element(changes).not.toBeInTheDocument();

  await row('Entregado: ORD-9').getByRole('button', { name: 'Ver cambios' }).click();
  await expect.element(page.getByRole('row', { name: 'Estado Pendiente Completado', exact: true })).toBeVisible();
  await expect.element(page.getByRole('row', { name: 'Método de entrega — Reparto propio', exact: true })).toBeVisible();
  await expect.element(row('Inicio de sesión')).toMatchTextContent('Sesión');
  await expect.element(row('Inicio de sesión').getByRole('button', { name: 'Ver cambios' })).not.toBeInTheDocument();

  // A program has no screen, so its name is no link.

  await expect.element(row('ORD-8')).toMatchTextContent('Clave «ERP»');
  await expect.element(row('ORD-8').getByRole('link', { name: 'Clave «ERP»' })).not.toBeInTheDocument();
});

test('search and filters of the log are sent to the server and kept in the address', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T23:30:00Z') });
  const ana = aUser('superadmin', { full_name: 'Ana Anota' });
  people = [ana, aUser('revendedor', { full_name: 'Rita Sanz' })];
  put('Pedido creado: ORD-7', { actor_user_id: null, actor_role: 'sistema', actor_nombre: '' });
  open('/admin?tab=logs');
  await expect.element(row('ORD-7')).toBeVisible();
  await page.getByRole('searchbox').fill('creado ORD-7');
  await expect.poll(asked).toMatchObject({ search: 'creado ORD-7' });
  await expect.poll(address).toMatch(/search=creado/);
  await page.getByRole('button', { name: 'Quitar filtros' }).click();
  await expect.poll(address).toBe('/admin?tab=logs');

  await choose('Acción', 'Modificación');
  await choose('Sobre qué', 'Pedido');
  await expect.poll(address).toBe('/admin?tab=logs&action=update&entity=pedido');
  await expect.poll(asked).toMatchObject({ action: 'update', entity_type: 'pedido' });
  await choose('Quién', 'Sistema');
  await expect.poll(asked).toMatchObject({ actor: 'sistema' });
  await expect.element(row('ORD-7')).toMatchTextContent('Sistema');

  await page.getByRole('combobox', { name: 'Quién' }).fill('ana an');
  await page.getByRole('option', { name: 'Ana Anota' }).click();
  await expect.poll(asked).toMatchObject({ actor: ana.id });
  await expectAccessible();

  logs = [];
  await page.getByRole('button', { name: 'Fechas: Seleccionar rango' }).click();
  await page.getByRole('button', { name: 'Mes anterior', exact: true }).click();
  await expect.element(page.getByText('Ningún registro coincide con los filtros')).toBeVisible();
  await expect.poll(address).toContain('desde=2026-10-01&hasta=2026-10-31');
  expect(asked()).toMatchObject({ actor: ana.id, desde: '2026-10-01', hasta: '2026-10-31' });
});

test('deleting a row of the log asks first, and is logged itself', async () => {
  const entry = put('Usuario creado: Rita Sanz', { action: 'create', entity_type: 'profile' });
  server.reply(hideLog, ({ params }) => {
    logs = logs.filter(({ id }) => id !== params.id);
    put('Registro ocultado: Usuario creado: Rita Sanz', { action: 'delete', entity_type: 'audit' });
    return { success: true as const, message: 'Registro eliminado' };
  });
  open('/admin?tab=logs');
  const remove = page.getByRole('button', { name: /^Eliminar el registro «Usuario creado: Rita Sanz»/ });
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Eliminar registro' });
  await expect.element(dialog).toMatchTextContent('también queda registrado');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(hideLog)).toEqual([]);
  await remove.click();
  await dialog.getByRole('button', { name: 'Eliminar' }).click();
  await expect.element(row('Registro ocultado: Usuario creado: Rita Sanz')).toBeVisible();
  await expect.element(remove).not.toBeInTheDocument();
  expect(server.asked(hideLog).map(({ params }) => params.id)).toEqual([entry.id]);
});

test('the focus moves to the list after a row is deleted by keyboard', async () => {
  put('Pedido creado: ORD-2');
  put('Pedido creado: ORD-1');
  server.reply(hideLog, ({ params }) => {
    logs = logs.filter(({ id }) => id !== params.id);
    return { success: true as const, message: 'Registro eliminado' };
  });
  open('/admin?tab=logs');
  await press(row('ORD-1').getByRole('button', { name: /^Eliminar el registro/ }));
  await press(page.getByRole('dialog', { name: 'Eliminar registro' }).getByRole('button', { name: 'Eliminar' }));
  await expect.element(row('ORD-1')).not.toBeInTheDocument();
  await expect.element(page.getByRole('table', { name: 'Logs' })).toHaveFocus();
});

test('the log shows twenty rows a page', async () => {
  for (let i = 1; i <= 21; i += 1) put(`Usuario creado: Persona ${i}`, { action: 'create', entity_type: 'profile' });
  server.reply(listLogs, ({ query }) => {
    const at = Number(query.page ?? 1);
    return { ...pageOf(logs.slice(20 * (at - 1), 20 * at), 21), current_page: at };
  });
  open('/admin?tab=logs');
  await expect.element(page.getByText('Página 1 de 2 — 21 registros')).toBeVisible();
  await expect.poll(() => rows().elements()).toHaveLength(20);
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect.poll(address).toBe('/admin?tab=logs&page=2');
  await expect.element(page.getByText('Página 2 de 2 — 21 registros')).toBeVisible();
});

test('a phone shows the log as cards', async () => {
  await onPhone();
  put('Pedido actualizado: ORD-7', { antes: { cliente_ciudad: 'Toledo' }, despues: { cliente_ciudad: 'Lugo' } });
  open('/admin?tab=logs');
  await row('ORD-7').getByRole('button', { name: 'Ver cambios' }).click();
  await expect.element(page.getByRole('row', { name: 'Ciudad Toledo Lugo', exact: true })).toBeVisible();
  await expectAccessible();
});

test('a deleted order can be opened from the log and restored', async () => {
  let pedido = aPedido({ deleted_at: '2026-11-20T11:00:00Z' });
  put(`Pedido eliminado: ${pedido.numero_orden}`, { action: 'delete', entity_id: pedido.id });
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(restorePedido, () => {
    pedido = { ...pedido, deleted_at: null };
    return asDone('Pedido restaurado', pedido);
  });
  open('/admin?tab=logs');
  await link(`Pedido eliminado: ${pedido.numero_orden}`).click();
  await expect.poll(address).toBe(`/pedidos/${pedido.id}`);
  const note = page.getByText(/^Eliminado el/);
  await page.getByRole('group', { name: 'Acciones del pedido' }).getByRole('button', { name: 'Restaurar' }).click();
  await expect.element(page.getByText('Pedido restaurado')).toBeVisible();
  await expect.element(note).not.toBeInTheDocument();
});

test('the user form opens from log entries about a person and from entries by that person', async () => {
  const carrier = aUser('transportista', { full_name: 'Tecla Visible' });
  people = [carrier];
  put('Usuario creado: Tecla Visible', { entity_type: 'profile', entity_id: carrier.id });
  put('Inicio de sesión', {
    entity_type: 'session',
    actor_user_id: carrier.id,
    actor_nombre: 'Tecla Visible',
    actor_role: 'transportista',
  });
  for (const name of ['Usuario creado: Tecla Visible', 'Tecla Visible']) {
    open('/admin?tab=logs');
    await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    await expect.element(page.getByRole('dialog').getByRole('textbox', { name: 'Nombre completo' })).toHaveValue('Tecla Visible');
    await expect.poll(address).toBe('/gestion-usuarios?rol=transportista');
  }
});

test('a link to a deleted record says that the record is gone', async () => {
  put('Usuario eliminado: Gaspar Ido', { action: 'delete', entity_type: 'profile', entity_id: uuid() });
  open('/admin?tab=logs');
  await link('Usuario eliminado: Gaspar Ido').click();
  await expect.element(page.getByText('Eso ya no está: se eliminó')).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('log entries about products and packs open the forms of these records', async () => {
  const honey = aProduct({ name: 'Miel' });
  const dozen = aPack({ product_id: honey.id, product_name: 'Miel', name: 'Media docena' });
  server.answer(listProducts, listed([honey]));
  server.answer(listPacks, listed([dozen]));
  put('Producto actualizado: Miel', { entity_type: 'product', entity_id: honey.id });
  put('Pack actualizado: Media docena', { entity_type: 'pack', entity_id: dozen.id });
  open('/admin?tab=logs');
  await link('Producto actualizado: Miel').click();
  await expect.element(page.getByRole('dialog').getByRole('textbox', { name: 'Nombre', exact: true })).toHaveValue('Miel');
  await expect.poll(address).toBe('/control-stock');
  open('/admin?tab=logs');
  await link('Pack actualizado: Media docena').click();
  await expect.element(page.getByRole('dialog').getByRole('textbox', { name: /^Nombre/ })).toHaveValue('Media docena');
});
