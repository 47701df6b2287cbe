import type { Locator, Page } from '@playwright/test';
import { listClientes } from '../contract/clientes.ts';
import { pagarLiquidacion, setGanancia } from '../contract/liquidaciones.ts';
import { setEstado } from '../contract/pedidos.ts';
import { type Arranger, expect, expectFits, type Person, proveIn, row, SUPERADMIN, signIn, test } from './fixtures.ts';
import { closedLastMonth } from './liquidaciones.ts';
import type { Server } from './server.ts';
import { asignados, inHand, step } from './transportista.ts';

/*
 * Dialogs that are filled in, on a phone: without a network it says so and keeps what was typed, after the session's end it
 * is there again, and then it is sent.
 */

const OFFLINE = 'Sin conexión a Internet: no se ha enviado. Vuelve a intentarlo cuando la haya.';
/** As a person is promised it of a network that is not there. */
const SOON = { timeout: 2000 };

test.use({ viewport: { width: 390, height: 844 } });
test.beforeEach(({ allowErrors }) => allowErrors(/net::ERR_(FAILED|INTERNET_DISCONNECTED)/, /status of 40[13]/));

type Opened = {
  dialog: string;
  /** What is typed, by label. */
  typed: Record<string, string>;
  /** What `open` has chosen already, by label. */
  chosen?: Record<string, string>;
  submit: string;
  /** What says that it is done, where the dialog stays. */
  stays?: string;
  /** Where the password is asked for once more: on sending, or by what the screen reads. */
  proves?: 'sending' | 'reading';
  person?: Pick<Person, 'email' | 'password'>;
};
/** Arranges the data, signs in and opens the dialog. */
type Open = (page: Page, api: Arranger, server: Server) => Promise<Opened>;

const asAdmin = async (page: Page, path: string) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(path);
};
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click();
const clienteOf = async (api: Arranger, cliente_nombre: string, revendedor_id?: string) => {
  await api.pedido({ cliente_nombre, revendedor_id: revendedor_id ?? (await api.user('revendedor')).id });
  const { body } = await api.admin.call(listClientes, { query: { search: cliente_nombre } });
  return body.data[0]?.id ?? '';
};
const onPedido = async (page: Page, api: Arranger, action: string, given: Parameters<Arranger['pedido']>[0] = {}) => {
  const { id, numero_orden } = await api.pedido(given);
  await asAdmin(page, `/pedidos/${id}`);
  await press(page, `Acciones del pedido ${numero_orden}`);
  await page.getByRole('menuitem', { name: action }).click();
};
/** Two orders of one customer, chosen in the list. */
const onMany = async (page: Page, api: Arranger, cliente_nombre: string, action: string) => {
  const orders = [await api.pedido({ cliente_nombre }), await api.pedido({ cliente_nombre })];
  await asAdmin(page, `/pedidos?search=${encodeURIComponent(cliente_nombre)}`);
  for (const { numero_orden } of orders) await row(page, numero_orden).getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: action }).click();
};
const pick = async (page: Page, label: string, name: string) => {
  await page.getByRole('dialog').getByRole('combobox', { name: label, exact: true }).fill(name);
  await page.getByRole('option', { name }).click();
};

const DIALOGS: Record<string, Open> = {
  'a new product': async (page) => {
    await asAdmin(page, '/control-stock');
    await press(page, 'Nuevo producto');
    return { dialog: 'Nuevo producto', typed: { Nombre: 'Aceite nuevo', Stock: '12', 'Stock mínimo': '2' }, submit: 'Crear producto' };
  },
  'a pack': async (page, api) => {
    const pack = await api.pack();
    await asAdmin(page, '/control-stock');
    await press(page, `Editar ${pack.name}`);
    return { dialog: 'Editar pack', typed: { 'Nombre del pack': `${pack.name} grande` }, submit: 'Guardar cambios' };
  },
  'a new pack': async (page, api) => {
    const { name } = await api.product();
    await asAdmin(page, '/control-stock');
    await press(page, 'Nuevo pack');
    await page.getByRole('dialog').getByRole('combobox', { name: 'Producto' }).fill(name);
    await page.getByRole('option', { name }).click();
    return {
      dialog: 'Nuevo pack',
      typed: { 'Nombre del pack': 'Garrafa nueva', Alias: 'GN', 'Precio (€)': '12,50' },
      submit: 'Crear pack',
    };
  },
  'a price of one’s own': async (page, api) => {
    const { name } = await api.pack();
    const { full_name } = await api.user('revendedor', { full_name: 'Petra Propia' });
    await asAdmin(page, '/control-stock');
    await press(page, `Precios por revendedor de ${name}`);
    await pick(page, 'Revendedor', full_name);
    return { dialog: `Precios por revendedor: ${name}`, typed: { 'Precio (€)': '7,25' }, submit: 'Guardar', stays: 'Precio guardado' };
  },
  'a saved view': async (page) => {
    await asAdmin(page, '/pedidos?search=miel');
    await press(page, 'Vistas');
    await page.getByRole('menuitem', { name: 'Guardar vista…' }).click();
    return { dialog: 'Guardar vista', typed: { Nombre: 'La miel' }, submit: 'Guardar vista' };
  },
  'cancelling many': async (page, api) => {
    await onMany(page, api, 'Hotel Cerrado', 'Cancelar');
    return { dialog: 'Cancelar pedidos', typed: { 'Motivo (opcional)': 'Ya no abren' }, submit: 'Cancelar 2 pedidos' };
  },
  'a person': async (page) => {
    await asAdmin(page, '/gestion-usuarios');
    await press(page, 'Crear revendedor');
    const typed = { 'Nombre completo': 'Rosa Nueva', Email: 'rosa.nueva@enruta.test', Contraseña: 'una clave muy larga de Rosa' };
    return { dialog: 'Crear revendedor', typed, submit: 'Crear revendedor' };
  },
  'what a person earns': async (page, api) => {
    const { id, full_name } = await api.user('revendedor');
    await api.admin.call(setGanancia, { params: { id }, body: { margen: { tipo: 'pack', valor: 1 } } });
    await asAdmin(page, '/gestion-usuarios');
    await press(page, `Lo que gana ${full_name}`);
    return { dialog: `Lo que gana ${full_name}`, typed: { 'Euros por pack': '2,50' }, submit: 'Guardar' };
  },
  'the note of a customer': async (page, api) => {
    await asAdmin(page, `/clientes/${await clienteOf(api, 'Julia Nota')}`);
    await press(page, 'Editar nota');
    return { dialog: 'Nota de Julia Nota', typed: { Nota: 'Perro suelto' }, submit: 'Guardar' };
  },
  'blocking a customer': async (page, api) => {
    await asAdmin(page, `/clientes/${await clienteOf(api, 'Julio Bloqueo')}`);
    await press(page, 'Bloquear');
    return { dialog: 'Bloquear a Julio Bloqueo', typed: { Motivo: 'No paga' }, submit: 'Bloquear' };
  },
  'an adjustment': async (page, api) => {
    const { full_name } = await api.user('revendedor', { full_name: 'Ramiro Ajustado' });
    await asAdmin(page, '/liquidaciones');
    await press(page, 'Ajuste');
    await pick(page, 'Persona', full_name);
    return { dialog: 'Ajuste', typed: { 'Importe (€)': '-1,25', Nota: 'Garrafa rota' }, submit: 'Anotar ajuste' };
  },
  'a key of a program': async (page) => {
    await asAdmin(page, '/configuracion?tab=integrations');
    await press(page, 'Nueva clave');
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Listar pedidos' }).check();
    const typed = { Nombre: 'Tienda en línea' };
    return { dialog: 'Nueva clave de API', typed, submit: 'Crear clave', stays: 'Ya la he copiado', proves: 'sending' };
  },
  'a webhook': async (page) => {
    await asAdmin(page, '/configuracion?tab=integrations');
    await press(page, 'Nuevo webhook');
    const typed = { Dirección: 'https://tienda.example/avisos', Descripción: 'Almacén' };
    return { dialog: 'Nuevo webhook', typed, submit: 'Crear webhook', stays: 'Lo he guardado', proves: 'sending' };
  },
  'assigning an order': async (page, api) => {
    const { full_name } = await api.user('transportista', { full_name: 'Tania Transportes' });
    await onPedido(page, api, 'Asignar transportista');
    await pick(page, 'Transportista', full_name);
    return { dialog: 'Asignar transportista', typed: {}, chosen: { Transportista: full_name }, submit: 'Guardar' };
  },
  'assigning many': async (page, api) => {
    const { full_name } = await api.user('transportista', { full_name: 'Tomás Transportes' });
    await onMany(page, api, 'Hotel Abierto', 'Asignar');
    await pick(page, 'Transportista', full_name);
    const chosen = { Transportista: full_name };
    return { dialog: 'Asignar transportista', typed: {}, chosen, submit: 'Asignar 2 pedidos', stays: 'Hecho: 2 pedidos.' };
  },
  'charging many': async (page, api) => {
    await onMany(page, api, 'Hotel Cobrado', 'Cambiar estado');
    await page.getByRole('menuitem', { name: 'Marcar como pagados' }).click();
    const typed = { 'Referencia (opcional)': 'Remesa 7' };
    return { dialog: 'Marcar como pagados', typed, submit: 'Cobrar 2 pedidos', stays: 'Hecho: 2 pedidos.' };
  },
  'cancelling an order': async (page, api) => {
    await onPedido(page, api, 'Cancelar pedido');
    return { dialog: 'Cancelar pedido', typed: { 'Motivo (opcional)': 'Ya no lo quiere' }, submit: 'Cancelar pedido' };
  },
  'marking an order as paid': async (page, api) => {
    await onPedido(page, api, 'Marcar como pagado', { estado: 'pendiente_pago' });
    return { dialog: 'Marcar como pagado', typed: { 'Referencia del pago': 'TRF 12' }, submit: 'Marcar como pagado' };
  },
  'joining customers': async (page, api) => {
    const { id } = await api.user('revendedor');
    await api.pedido({ cliente_nombre: 'Marta Doble', cliente_telefono: '633000002', revendedor_id: id });
    await asAdmin(page, `/clientes/${await clienteOf(api, 'Marta Simple', id)}`);
    await press(page, 'Unir con otro cliente');
    await page.getByRole('dialog').getByLabel('Buscar al otro cliente').fill('Marta Doble');
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /Marta Doble/ })
      .check();
    return { dialog: 'Unir con otro cliente', typed: {}, chosen: { 'Buscar al otro cliente': 'Marta Doble' }, submit: 'Unir' };
  },
  'paying a statement': async (page, api, server) => {
    const [theirs] = await closedLastMonth(api, server, [await api.user('revendedor')]);
    await asAdmin(page, `/liquidaciones/${theirs?.id}`);
    await press(page, 'Marcar como pagada');
    return { dialog: `Marcar como pagada: ${theirs?.numero}`, typed: { Referencia: 'SEPA 17' }, submit: 'Marcar como pagada' };
  },
  'taking back that a statement is paid': async (page, api, server) => {
    const [theirs] = await closedLastMonth(api, server, [await api.user('transportista')]);
    const { id = '', numero, version = 0, created_at = '' } = theirs ?? {};
    const body = { referencia: 'SEPA 18', fecha: created_at.slice(0, 10), version };
    await api.admin.call(pagarLiquidacion, { params: { id }, body });
    await asAdmin(page, `/liquidaciones/${id}`);
    await press(page, 'Quitar el pago');
    return { dialog: `Quitar el pago: ${numero}`, typed: { Motivo: 'Devuelta por el banco' }, submit: 'Quitar el pago' };
  },
  'blocking somebody’s data': async (page, api) => {
    const { id } = await api.pedido({ cliente_nombre: 'Rosa Reclama', cliente_telefono: '655998877' });
    await api.admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
    await asAdmin(page, '/privacidad?search=655998877');
    await proveIn(page, SUPERADMIN.password);
    await press(page, 'Bloquear los datos de Rosa Reclama');
    return { dialog: 'Bloquear los datos', typed: { Motivo: 'Lo pide' }, submit: 'Bloquear', proves: 'reading' };
  },
  'the lines of an order': async (page, api) => {
    await onPedido(page, api, 'Cambiar productos');
    return { dialog: 'Cambiar productos', typed: { 'Envío (€)': '4,50' }, submit: 'Guardar cambios' };
  },
  'a failed attempt': async (page, api) => {
    const carrier = await api.user('transportista');
    const pedido = await inHand(api, await api.as(carrier), {}, 'en_proceso', 'en_ruta');
    await signIn(page, carrier.email, carrier.password);
    await page.goto('/pedidos-asignados');
    await step(page, asignados(page).getByRole('listitem').filter({ hasText: pedido.numero_orden }), 'Intento fallido');
    const dialog = page.getByRole('dialog', { name: 'Intento fallido' });
    await dialog.getByRole('radio').first().click();
    return {
      dialog: 'Intento fallido',
      typed: { 'Detalles (opcional)': 'Llamé dos veces' },
      submit: 'Registrar intento fallido',
      person: carrier,
    };
  },
};

for (const [what, open] of Object.entries(DIALOGS)) {
  test(what, async ({ page, api, server }) => {
    const { dialog: name, typed, chosen = {}, submit, stays, proves, person = SUPERADMIN } = await open(page, api, server);
    const dialog = page.getByRole('dialog', { name });
    const send = dialog.getByRole('button', { name: submit, exact: true });
    const field = (name: string) =>
      (['textbox', 'searchbox', 'combobox'] as const)
        .map((role) => dialog.getByRole(role, { name, exact: true }))
        .reduce((one, other) => one.or(other));
    const expectKept = async () => {
      for (const [label, value] of Object.entries({ ...typed, ...chosen })) await expect(field(label)).toHaveValue(value);
    };
    await expectFits(page, 'the dialog does not fit');
    for (const [label, value] of Object.entries(typed)) await field(label).fill(value);

    await page.context().setOffline(true);
    await send.click();
    await expect(page.getByRole('alert').filter({ hasText: OFFLINE })).toBeVisible(SOON);
    await expect(send).toBeEnabled();
    await expectKept();
    await page.context().setOffline(false);

    await page.context().clearCookies({ name: /enruta/ });
    await expect(async () => {
      // The screen may find out by itself, when its stream opens again.
      if (await send.isVisible()) await send.click({ timeout: 1000 });
      await expect(page).toHaveURL(/\/auth\?volver=/, { timeout: 5000 });
    }).toPass();
    await page.getByRole('textbox', { name: 'Email o usuario', exact: true }).fill(person.email);
    await page.getByLabel('Contraseña', { exact: true }).last().fill(person.password);
    await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await expect(page).not.toHaveURL(/\/auth/);
    if (proves === 'reading') await proveIn(page, person.password);
    await expectKept();

    await send.click();
    if (proves === 'sending') await proveIn(page, person.password);
    if (stays) await expect(page.getByText(stays)).toBeVisible();
    else await expect(dialog).toBeHidden();
  });
}
