import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { proveIdentity } from '../../../contract/account/account.ts';
import { createApiKey } from '../../../contract/api-keys/api-keys.ts';
import { getCliente, listClientes, unirCliente } from '../../../contract/clientes/clientes.ts';
import type { Answer, EndpointDef } from '../../../contract/kit/endpoint.ts';
import { getGanancia, getLiquidacion, type Liquidacion } from '../../../contract/liquidaciones/liquidaciones.ts';
import { liquidacion } from '../../../contract/liquidaciones/schemas.ts';
import { calcularDevolucion, lotePedidos } from '../../../contract/pedidos/lote.ts';
import { calcularTotal, getPedido, listPedidos, type Pedido, setLineas } from '../../../contract/pedidos/pedidos.ts';
import type { Role } from '../../../contract/policy/policy.ts';
import { bloquear, buscarPersonas, type PersonaEncontrada } from '../../../contract/privacidad/privacidad.ts';
import { personaEncontrada } from '../../../contract/privacidad/schemas.ts';
import { precio } from '../../../contract/products/precios.schemas.ts';
import { type Precio, setPrecio } from '../../../contract/products/precios.ts';
import { createPack, createProduct, listPacks, listProducts } from '../../../contract/products/products.ts';
import { login } from '../../../contract/session/session.ts';
import { getSettings } from '../../../contract/settings/settings.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { address, closeToasts, onPhone, open } from '../../../test/web/app.tsx';
import { emptyOf } from '../../../test/web/empty-answer.ts';
import { emptyAnswer, server } from '../../../test/web/fake-server.ts';
import { row, takeStep } from '../../../test/web/list.ts';
import { aPack, aPedido, aProduct, aTotal, aUser, aWholeCliente, listed, pageOf, theSettings } from '../../../test/web/samples.ts';
import { dropSuspended } from '../../session/suspended.ts';

/*
 * Forms in dialogs, on a phone: each fits, reports a lost network, keeps the typed values, and sends them on the next try. All forms share
 * the code that sends (test/architecture.test.ts), so a few kinds stand for the rest. After the end of a session the whole screen is
 * preserved, so few dialogs test the new sign-in.
 */

const OFFLINE = 'Sin conexión a Internet: no se ha enviado. Vuelve a intentarlo cuando la haya.';
/** Time limit for the report of a lost connection. */
const SOON = { timeout: 2000 };

type Opened = {
  dialog: string;
  /** Values to type, by label. */
  typed: Record<string, string>;
  /** Values already chosen, by label. */
  chosen?: Record<string, string>;
  submit: string;
  sends: EndpointDef;
  /** Answer of the server, if the smallest valid one is not enough. */
  answer?: object;
  /** Text that confirms success, if the dialog stays open. */
  stays?: string;
  /** Request that demands the password: the form's or the screen's. */
  proves?: 'sending' | 'reading';
};

const press = (name: string) => page.getByRole('button', { name }).click();
const dialog = page.getByRole('dialog');
const pick = async (label: string, name: string) => {
  await dialog.getByRole('combobox', { name: label }).fill(name);
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
};
/** Makes an endpoint demand the password, then return this answer. */
function answerProven<E extends EndpointDef>(endpoint: E, body: Answer<E>) {
  server.refuse(endpoint, 403, { message: 'Confirma quién eres', code: 'step_up' });
  server.reply(proveIdentity, () => {
    server.answer(endpoint, body);
    return { success: true as const, message: 'Confirmado' };
  });
}
async function prove() {
  const question = page.getByRole('dialog', { name: 'Confirma quién eres' });
  await question.getByLabelText(/^Contraseña actual/).fill('una clave muy larga');
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(question).not.toBeInTheDocument();
}

async function onPedido(fields: Partial<Pedido> = {}) {
  const linea = { numero: 1, pack_id: null, producto: 'Cesta', cantidad: 1, precio_unitario: 25, precio_total: 25, unidades: 0 };
  const pedido = aPedido({ lineas: [linea], ...fields });
  server.answer(getPedido, { data: pedido });
  open(`/pedidos/${pedido.id}`);
  await expect.element(page.getByRole('group', { name: 'Acciones del pedido' })).toBeVisible();
}
/** Chooses two orders of the list. */
async function onMany() {
  const pedidos = [aPedido({ cliente_nombre: 'Hotel Sol' }), aPedido({ cliente_nombre: 'Hotel Luna' })];
  server.answer(listPedidos, pageOf(pedidos));
  server.answer(calcularDevolucion, { pagados: 0, importe: 0 });
  const data = pedidos.map(({ id, numero_orden }) => ({ id, numero_orden, ok: true, message: '' }));
  open('/pedidos?search=hotel');
  for (const { cliente_nombre } of pedidos) await row(cliente_nombre).getByRole('checkbox').click();
  return { message: '', hechos: 2, data };
}
const withMany = (action: string | RegExp) =>
  page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: action }).click();
function onCliente() {
  const cliente = aWholeCliente({ cliente_nombre: 'Marta Simple' });
  server.answer(getCliente, { data: cliente });
  server.answer(listClientes, pageOf([aWholeCliente({ cliente_nombre: 'Marta Doble' })]));
  open(`/clientes/${cliente.id}`);
}
function onLiquidacion(fields: Partial<Liquidacion>) {
  const theirs: Liquidacion = {
    ...(emptyOf(liquidacion) as Liquidacion),
    numero: 'LIQ-7',
    persona_nombre: 'Rita Sanz',
    role: 'revendedor',
    mes: '2026-02',
    total: 25,
    created_at: '2026-03-01T08:00:00Z',
    version: 1,
    ...fields,
  };
  server.answer(getLiquidacion, { liquidacion: theirs, lineas: pageOf([]) });
  open(`/liquidaciones/${theirs.id}`);
}
function onStock() {
  server.answer(listProducts, listed([aProduct({ name: 'Aceite' }), aProduct({ name: 'Miel' })]));
  server.answer(listPacks, listed([aPack({ name: 'Garrafa' })]));
  open('/control-stock');
}

beforeEach(async () => {
  await onPhone();
  const people = [
    aUser('revendedor', { full_name: 'Petra Propia' }),
    aUser('transportista', { full_name: 'Tania Transportes' }),
    aUser('superadmin', { full_name: 'Ada Ruiz' }),
  ];
  const of = (role: Role | undefined) => listed(people.filter((person) => !role || person.role === role));
  server.reply(listUsers, ({ query }) => of(query.role));
  server.answer(getSettings, { data: theSettings() });
  server.reply(calcularTotal, ({ body }) => aTotal(body, []));
  server.answer(login, { success: true, message: '' });
});
// Drops the suspended screen, which would otherwise stay in memory for the next test.
afterEach(dropSuspended);

async function signInAgain(expectKept: () => Promise<void>) {
  await page.getByRole('textbox', { name: 'Email o usuario' }).fill('ana@enruta.test');
  await page.getByLabelText('Contraseña', { exact: true }).fill('una clave muy larga');
  await press('Iniciar Sesión');
  await expect.poll(address).not.toMatch(/^\/auth/);
  await expectKept();
}

/** Asserts that the open dialog fits, then closes it. */
async function fitsAndCloses(name: string) {
  const shown = page.getByRole('dialog', { name });
  await expect.element(shown.getByRole('button', { name: 'Cerrar' })).toBeVisible();
  await expect.element(shown.getByRole('textbox').or(shown.getByRole('combobox')).first()).toBeVisible();
  expect(document.documentElement.scrollWidth, `${name} fits`).toBeLessThanOrEqual(innerWidth);
  await shown.getByRole('button', { name: 'Cerrar' }).click();
  await expect.element(shown).not.toBeInTheDocument();
}

/** Sends the open dialog without a network, then after the session has ended if `ends`, then with success. */
async function sendsWhatWasTyped({ dialog: name, typed, chosen = {}, submit, sends, answer, stays, proves }: Opened, ends = false) {
  const done = { ...(emptyAnswer(sends) as object), ...answer } as never;
  const filled = page.getByRole('dialog', { name });
  const send = filled.getByRole('button', { name: submit });
  const field = (label: string) => {
    const of = (role: 'textbox' | 'searchbox' | 'combobox') => filled.getByRole(role, { name: label });
    return of('textbox').or(of('searchbox')).or(of('combobox'));
  };
  const expectKept = async () => {
    for (const [label, value] of Object.entries({ ...typed, ...chosen })) await expect.element(field(label)).toHaveValue(value);
  };
  await expect.element(send).toBeVisible();
  expect(document.documentElement.scrollWidth, 'the dialog fits').toBeLessThanOrEqual(innerWidth);
  for (const [label, value] of Object.entries(typed)) await field(label).fill(value);

  server.offline(true);
  await send.click();
  await expect.element(page.getByRole('alert').filter({ hasText: OFFLINE }), SOON).toBeVisible();
  await expect.element(send).toBeEnabled();
  await expectKept();
  expect(server.asked(sends)).toEqual([]);
  server.offline(false);

  // Only this request notices that the session has ended.
  if (ends) {
    server.refuse(sends, 401, { message: 'Usuario no autenticado' });
    await send.click();
    await expect.poll(address).toMatch(/^\/auth\?volver=/);
    await expect.element(filled).not.toBeInTheDocument();
  }
  if (proves === 'sending') answerProven(sends, done);
  else server.answer(sends, done);
  if (ends) await signInAgain(expectKept);

  await send.click();
  if (proves === 'sending') await prove();
  if (stays) await expect.element(page.getByText(stays)).toBeVisible();
  else await expect.element(filled).not.toBeInTheDocument();
  const [first, ...then] = server.asked(sends);
  expect(first?.body).toBeDefined();
  expect(then.map(({ body }) => body)).toEqual(then.map(() => first?.body));
  expect(then).toHaveLength((ends ? 1 : 0) + (proves === 'sending' ? 1 : 0));
  closeToasts();
}

test('the dialogs of products, packs and prices fit a phone and survive a lost network', async () => {
  onStock();
  await press('Nuevo producto');
  const typed = { Nombre: 'Aceite nuevo', Stock: '12', 'Stock mínimo': '2' };
  await sendsWhatWasTyped({ dialog: 'Nuevo producto', typed, submit: 'Crear producto', sends: createProduct });
  await press('Editar Garrafa');
  await fitsAndCloses('Editar pack');
  await press('Precios por revendedor de Garrafa');
  await pick('Revendedor', 'Petra Propia');
  await sendsWhatWasTyped({
    dialog: 'Precios por revendedor: Garrafa',
    typed: { 'Precio (€)': '7,25' },
    submit: 'Guardar',
    sends: setPrecio,
    answer: { data: { ...(emptyOf(precio) as Precio), desde: '2026-03-02' } },
    stays: 'Precio guardado',
  });
});

test('a new pack is sent again after a lost network and after signing in again', async () => {
  onStock();
  await press('Nuevo pack');
  await pick('Producto', 'Aceite');
  const typed = { 'Nombre del pack': 'Garrafa nueva', Alias: 'GN', 'Precio (€)': '12,50' };
  const made = { dialog: 'Nuevo pack', typed, chosen: { Producto: 'Aceite' }, submit: 'Crear pack', sends: createPack };
  await sendsWhatWasTyped(made, true);
});

test('the dialogs of views and chosen orders fit a phone and survive a lost network', async () => {
  const answer = await onMany();
  await press('Vistas');
  await page.getByRole('menuitem', { name: 'Guardar vista…' }).click();
  await fitsAndCloses('Guardar vista');
  await withMany(/^Cancelar/);
  await fitsAndCloses('Cancelar pedidos');
  await withMany('Asignar');
  await pick('Transportista', 'Tania Transportes');
  const chosen = { Transportista: 'Tania Transportes' };
  await sendsWhatWasTyped({ dialog: 'Asignar transportista', typed: {}, chosen, submit: 'Asignar 2 pedidos', sends: lotePedidos, answer });
});

test('the payment of chosen orders is sent again after a lost network and after signing in again', async () => {
  const answer = await onMany();
  await withMany('Cambiar estado');
  await page.getByRole('menuitem', { name: 'Anotar pago' }).click();
  const typed = { 'Referencia (opcional)': 'Remesa 7' };
  const stays = 'Hecho: 2 pedidos.';
  await sendsWhatWasTyped({ dialog: 'Anotar pago', typed, submit: 'Cobrar 2 pedidos', sends: lotePedidos, answer, stays }, true);
});

test('the dialogs of a user and their earnings fit a phone', async () => {
  server.answer(getGanancia, {
    role: 'revendedor',
    margen: { tipo: 'pack', valor: 1 },
    tarifas: [],
    iban: null,
    titular: null,
    version: 1,
  });
  open('/gestion-usuarios');
  await press('Crear revendedor');
  await fitsAndCloses('Crear revendedor');
  await press('Lo que gana Petra Propia');
  await fitsAndCloses('Lo que gana Petra Propia');
});

test('the dialogs of a customer fit a phone and survive a lost network', async () => {
  onCliente();
  await press('Editar nota');
  await fitsAndCloses('Nota de Marta Simple');
  await press('Bloquear');
  await fitsAndCloses('Bloquear a Marta Simple');
  await press('Unir con otro cliente');
  await dialog.getByLabelText('Buscar al otro cliente').fill('Marta Doble');
  await dialog.getByRole('radio', { name: /Marta Doble/ }).click();
  const chosen = { 'Buscar al otro cliente': 'Marta Doble' };
  await sendsWhatWasTyped({ dialog: 'Unir con otro cliente', typed: {}, chosen, submit: 'Unir', sends: unirCliente });
});

test('the dialogs of statements fit a phone', async () => {
  open('/liquidaciones');
  await press('Ajuste');
  await fitsAndCloses('Ajuste');
  onLiquidacion({});
  await press('Marcar como pagada');
  await fitsAndCloses('Marcar como pagada: LIQ-7');
  onLiquidacion({ pagada_el: '2026-03-02', pago_referencia: 'SEPA 18' });
  await press('Quitar el pago');
  await fitsAndCloses('Quitar el pago: LIQ-7');
});

test('the dialogs of webhooks and API keys fit a phone, and a new key survives the end of the session', async () => {
  open('/configuracion?tab=integrations');
  await press('Nuevo webhook');
  await fitsAndCloses('Nuevo webhook');
  await press('Nueva clave');
  const typed = { Nombre: 'Tienda en línea' };
  const stays = 'Ya la he copiado';
  await sendsWhatWasTyped(
    { dialog: 'Nueva clave de API', typed, submit: 'Crear clave', sends: createApiKey, stays, proves: 'sending' },
    true,
  );
});

test('the dialogs of an order fit a phone and survive a lost network', async () => {
  await onPedido({ estado: 'pendiente_pago' });
  await takeStep('Anotar pago');
  await fitsAndCloses('Anotar pago');
  await onPedido();
  await takeStep('Asignar transportista');
  await fitsAndCloses('Asignar transportista');
  await takeStep('Cancelar pedido');
  await fitsAndCloses('Cancelar pedido');
  await takeStep('Cambiar productos');
  const typed = { 'Envío (€)': '4,50' };
  await sendsWhatWasTyped({ dialog: 'Cambiar productos', typed, submit: 'Guardar cambios', sends: setLineas });
});

test('blocking a person’s data is sent again after a lost network and after signing in again', async () => {
  const rosa = {
    ...(emptyOf(personaEncontrada) as PersonaEncontrada),
    nombres: ['Rosa Reclama'],
    telefonos: ['655998877'],
    pedidos: 1,
    primero: '2026-03-01T08:00:00Z',
    ultimo: '2026-03-01T08:00:00Z',
  };
  answerProven(buscarPersonas, { ...pageOf([rosa]), usuarios: [], usuarios_total: 0, sueltos: [] });
  open('/privacidad?search=655998877');
  await prove();
  await press('Bloquear los datos de Rosa Reclama');
  const typed = { Motivo: 'Lo pide' };
  await sendsWhatWasTyped({ dialog: 'Bloquear los datos', typed, submit: 'Bloquear', sends: bloquear, proves: 'reading' }, true);
});
