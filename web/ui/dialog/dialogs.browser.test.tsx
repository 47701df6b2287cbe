import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { proveIdentity } from '../../../contract/account/account.ts';
import { createApiKey } from '../../../contract/api-keys/api-keys.ts';
import { bloquearCliente, getCliente, listClientes, unirCliente, updateCliente } from '../../../contract/clientes/clientes.ts';
import type { Answer, EndpointDef } from '../../../contract/kit/endpoint.ts';
import {
  crearAjuste,
  despagarLiquidacion,
  type Ganancia,
  getGanancia,
  getLiquidacion,
  type Liquidacion,
  pagarLiquidacion,
  setGanancia,
} from '../../../contract/liquidaciones/liquidaciones.ts';
import { ganancia, liquidacion } from '../../../contract/liquidaciones/schemas.ts';
import { anotarPago } from '../../../contract/payments/payments.ts';
import { calcularDevolucion, lotePedidos } from '../../../contract/pedidos/lote.ts';
import {
  assignTransportista,
  calcularTotal,
  getPedido,
  listPedidos,
  type Pedido,
  setEstado,
  setLineas,
} from '../../../contract/pedidos/pedidos.ts';
import type { Role } from '../../../contract/policy/policy.ts';
import { bloquear, buscarPersonas, type PersonaEncontrada } from '../../../contract/privacidad/privacidad.ts';
import { personaEncontrada } from '../../../contract/privacidad/schemas.ts';
import { precio } from '../../../contract/products/precios.schemas.ts';
import { type Precio, setPrecio } from '../../../contract/products/precios.ts';
import { createPack, createProduct, listPacks, listProducts, updatePack } from '../../../contract/products/products.ts';
import { login } from '../../../contract/session/session.ts';
import { getSettings } from '../../../contract/settings/settings.ts';
import { createUser, listUsers } from '../../../contract/users/users.ts';
import { createVista } from '../../../contract/vistas/vistas.ts';
import { createWebhook } from '../../../contract/webhooks/webhooks.ts';
import { address, onPhone, open } from '../../../test/web/app.tsx';
import { emptyOf } from '../../../test/web/empty-answer.ts';
import { emptyAnswer, server } from '../../../test/web/fake-server.ts';
import { row } from '../../../test/web/list.ts';
import { aPack, aPedido, aProduct, aTotal, aUser, aWholeCliente, listed, pageOf, theSettings } from '../../../test/web/samples.ts';
import { dropSuspended } from '../../session/suspended.ts';

/*
 * Forms in dialogs, on a phone: each fits, reports a lost network, keeps the typed values, and sends them at the next try. What the end of
 * the session keeps is the screen, not the dialog: four kinds show it.
 */

const OFFLINE = 'Sin conexión a Internet: no se ha enviado. Vuelve a intentarlo cuando la haya.';
/** Offline must be reported this soon. */
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

/** Opens a dialog by a step of an order: its next one, or one under «Más». */
async function onPedido(action: string, given: Partial<Pedido> = {}) {
  const linea = { numero: 1, pack_id: null, producto: 'Cesta', cantidad: 1, precio_unitario: 25, precio_total: 25, unidades: 0 };
  const pedido = aPedido({ lineas: [linea], ...given });
  server.answer(getPedido, { data: pedido });
  open(`/pedidos/${pedido.id}`);
  const steps = page.getByRole('group', { name: 'Acciones del pedido' });
  await expect.element(steps).toBeVisible();
  const next = steps.getByRole('button', { name: action, exact: true });
  if (next.elements().length > 0) return next.click();
  await steps.getByRole('button', { name: 'Más' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}
/** Opens a bulk dialog for two chosen orders. */
async function onMany(action: string | RegExp) {
  const pedidos = [aPedido({ cliente_nombre: 'Hotel Sol' }), aPedido({ cliente_nombre: 'Hotel Luna' })];
  server.answer(listPedidos, pageOf(pedidos));
  const data = pedidos.map(({ id, numero_orden }) => ({ id, numero_orden, ok: true, message: '' }));
  open('/pedidos');
  for (const { cliente_nombre } of pedidos) await row(cliente_nombre).getByRole('checkbox').click();
  await page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: action }).click();
  return { message: '', hechos: 2, data };
}
async function onCliente(action: string, cliente_nombre: string) {
  const cliente = aWholeCliente({ cliente_nombre });
  server.answer(getCliente, { data: cliente });
  open(`/clientes/${cliente.id}`);
  await press(action);
}
async function onLiquidacion(action: string, given: Partial<Liquidacion>) {
  const theirs: Liquidacion = {
    ...(emptyOf(liquidacion) as Liquidacion),
    numero: 'LIQ-7',
    persona_nombre: 'Rita Sanz',
    role: 'revendedor',
    mes: '2026-02',
    total: 25,
    created_at: '2026-03-01T08:00:00Z',
    version: 1,
    ...given,
  };
  server.answer(getLiquidacion, { liquidacion: theirs, lineas: pageOf([]) });
  open(`/liquidaciones/${theirs.id}`);
  await press(action);
  return theirs;
}

const DIALOGS: Record<string, () => Promise<Opened>> = {
  'a new product': async () => {
    open('/control-stock');
    await press('Nuevo producto');
    const typed = { Nombre: 'Aceite nuevo', Stock: '12', 'Stock mínimo': '2' };
    return { dialog: 'Nuevo producto', typed, submit: 'Crear producto', sends: createProduct };
  },
  'a pack': async () => {
    server.answer(listPacks, listed([aPack({ name: 'Garrafa' })]));
    open('/control-stock');
    await press('Editar Garrafa');
    return { dialog: 'Editar pack', typed: { 'Nombre del pack': 'Garrafa grande' }, submit: 'Guardar cambios', sends: updatePack };
  },
  'a new pack': async () => {
    server.answer(listProducts, listed([aProduct({ name: 'Aceite' }), aProduct({ name: 'Miel' })]));
    open('/control-stock');
    await press('Nuevo pack');
    await pick('Producto', 'Aceite');
    const typed = { 'Nombre del pack': 'Garrafa nueva', Alias: 'GN', 'Precio (€)': '12,50' };
    return { dialog: 'Nuevo pack', typed, chosen: { Producto: 'Aceite' }, submit: 'Crear pack', sends: createPack };
  },
  'a price of one’s own': async () => {
    server.answer(listPacks, listed([aPack({ name: 'Garrafa' })]));
    open('/control-stock');
    await press('Precios por revendedor de Garrafa');
    await pick('Revendedor', 'Petra Propia');
    const typed = { 'Precio (€)': '7,25' };
    const data = { ...(emptyOf(precio) as Precio), desde: '2026-03-02' };
    return {
      dialog: 'Precios por revendedor: Garrafa',
      typed,
      submit: 'Guardar',
      sends: setPrecio,
      answer: { data },
      stays: 'Precio guardado',
    };
  },
  'a saved view': async () => {
    open('/pedidos?search=miel');
    await press('Vistas');
    await page.getByRole('menuitem', { name: 'Guardar vista…' }).click();
    return { dialog: 'Guardar vista', typed: { Nombre: 'La miel' }, submit: 'Guardar vista', sends: createVista };
  },
  'cancelling many': async () => {
    server.answer(calcularDevolucion, { pagados: 0, importe: 0 });
    const answer = await onMany(/^Cancelar/);
    const typed = { 'Motivo (opcional)': 'Ya no abren' };
    return { dialog: 'Cancelar pedidos', typed, submit: 'Cancelar 2 pedidos', sends: lotePedidos, answer };
  },
  'a person': async () => {
    open('/gestion-usuarios');
    await press('Crear revendedor');
    const typed = { 'Nombre completo': 'Rosa Nueva', Email: 'rosa.nueva@enruta.test', Contraseña: 'una clave muy larga de Rosa' };
    return { dialog: 'Crear revendedor', typed, submit: 'Crear revendedor', sends: createUser };
  },
  'what a person earns': async () => {
    server.answer(getGanancia, { role: 'revendedor', margen: { tipo: 'pack', valor: 1 }, tarifas: [], iban: null, version: 1 });
    open('/gestion-usuarios');
    await press('Lo que gana Petra Propia');
    return { dialog: 'Lo que gana Petra Propia', typed: { 'Euros por pack': '2,50' }, submit: 'Guardar', sends: setGanancia };
  },
  'the note of a customer': async () => {
    await onCliente('Editar nota', 'Julia Nota');
    return { dialog: 'Nota de Julia Nota', typed: { Nota: 'Perro suelto' }, submit: 'Guardar', sends: updateCliente };
  },
  'blocking a customer': async () => {
    await onCliente('Bloquear', 'Julio Bloqueo');
    return { dialog: 'Bloquear a Julio Bloqueo', typed: { Motivo: 'No paga' }, submit: 'Bloquear', sends: bloquearCliente };
  },
  'joining customers': async () => {
    server.answer(listClientes, pageOf([aWholeCliente({ cliente_nombre: 'Marta Doble' })]));
    await onCliente('Unir con otro cliente', 'Marta Simple');
    await dialog.getByLabelText('Buscar al otro cliente').fill('Marta Doble');
    await dialog.getByRole('radio', { name: /Marta Doble/ }).click();
    const chosen = { 'Buscar al otro cliente': 'Marta Doble' };
    return { dialog: 'Unir con otro cliente', typed: {}, chosen, submit: 'Unir', sends: unirCliente };
  },
  'an adjustment': async () => {
    open('/liquidaciones');
    await press('Ajuste');
    await pick('Persona', 'Petra Propia');
    const data = { ...(emptyOf(ganancia) as Ganancia), dia: '2026-03-02' };
    const typed = { 'Importe (€)': '-1,25', Nota: 'Garrafa rota' };
    return { dialog: 'Ajuste', typed, chosen: { Persona: 'Petra Propia' }, submit: 'Anotar ajuste', sends: crearAjuste, answer: { data } };
  },
  'paying a statement': async () => {
    const data = await onLiquidacion('Marcar como pagada', {});
    const typed = { Referencia: 'SEPA 17' };
    return { dialog: 'Marcar como pagada: LIQ-7', typed, submit: 'Marcar como pagada', sends: pagarLiquidacion, answer: { data } };
  },
  'taking back that a statement is paid': async () => {
    const data = await onLiquidacion('Quitar el pago', { pagada_el: '2026-03-02', pago_referencia: 'SEPA 18' });
    const typed = { Motivo: 'Devuelta por el banco' };
    return { dialog: 'Quitar el pago: LIQ-7', typed, submit: 'Quitar el pago', sends: despagarLiquidacion, answer: { data } };
  },
  'a key of a program': async () => {
    open('/configuracion?tab=integrations');
    await press('Nueva clave');
    const typed = { Nombre: 'Tienda en línea' };
    const stays = 'Ya la he copiado';
    return { dialog: 'Nueva clave de API', typed, submit: 'Crear clave', sends: createApiKey, stays, proves: 'sending' };
  },
  'a webhook': async () => {
    open('/configuracion?tab=integrations');
    await press('Nuevo webhook');
    const typed = { Dirección: 'https://tienda.example/avisos', Descripción: 'Almacén' };
    const stays = 'Lo he guardado';
    return { dialog: 'Nuevo webhook', typed, submit: 'Crear webhook', sends: createWebhook, stays, proves: 'sending' };
  },
  'assigning an order': async () => {
    await onPedido('Asignar transportista');
    await pick('Transportista', 'Tania Transportes');
    const chosen = { Transportista: 'Tania Transportes' };
    return { dialog: 'Asignar transportista', typed: {}, chosen, submit: 'Guardar', sends: assignTransportista };
  },
  'assigning many': async () => {
    const answer = await onMany('Asignar');
    await pick('Transportista', 'Tania Transportes');
    const chosen = { Transportista: 'Tania Transportes' };
    return { dialog: 'Asignar transportista', typed: {}, chosen, submit: 'Asignar 2 pedidos', sends: lotePedidos, answer };
  },
  'charging many': async () => {
    const answer = await onMany('Cambiar estado');
    await page.getByRole('menuitem', { name: 'Anotar pago' }).click();
    const typed = { 'Referencia (opcional)': 'Remesa 7' };
    return { dialog: 'Anotar pago', typed, submit: 'Cobrar 2 pedidos', sends: lotePedidos, answer, stays: 'Hecho: 2 pedidos.' };
  },
  'cancelling an order': async () => {
    await onPedido('Cancelar pedido');
    return { dialog: 'Cancelar pedido', typed: { 'Motivo (opcional)': 'Ya no lo quiere' }, submit: 'Cancelar pedido', sends: setEstado };
  },
  'marking an order as paid': async () => {
    await onPedido('Anotar pago', { estado: 'pendiente_pago' });
    const typed = { 'Referencia (opcional)': 'TRF 12' };
    return { dialog: 'Anotar pago', typed, submit: 'Anotar pago', sends: anotarPago };
  },
  'the lines of an order': async () => {
    await onPedido('Cambiar productos');
    return { dialog: 'Cambiar productos', typed: { 'Envío (€)': '4,50' }, submit: 'Guardar cambios', sends: setLineas };
  },
  'blocking somebody’s data': async () => {
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
    return { dialog: 'Bloquear los datos', typed: { Motivo: 'Lo pide' }, submit: 'Bloquear', sends: bloquear, proves: 'reading' };
  },
};

beforeEach(async () => {
  await onPhone();
  const people = [
    aUser('revendedor', { full_name: 'Petra Propia' }),
    aUser('transportista', { full_name: 'Tania Transportes' }),
    aUser('superadmin', { full_name: 'Ada Ruiz' }),
  ];
  const of = (role: Role | undefined) => listed(people.filter((one) => !role || one.role === role));
  server.reply(listUsers, ({ query }) => of(query.role));
  server.answer(getSettings, { data: theSettings() });
  server.reply(calcularTotal, ({ body }) => aTotal(body, []));
  server.answer(login, { success: true, message: '' });
});
// The held screen would stay in memory for the next test.
afterEach(dropSuspended);

async function signInAgain(expectKept: () => Promise<void>) {
  await page.getByRole('textbox', { name: 'Email o usuario' }).fill('ana@enruta.test');
  await page.getByLabelText('Contraseña', { exact: true }).fill('una clave muy larga');
  await press('Iniciar Sesión');
  await expect.poll(address).not.toMatch(/^\/auth/);
  await expectKept();
}

/** Dialogs of each kind: closing by itself, staying open, sending that needs the password, a screen that needs it. */
const SUSPENDED = ['a new pack', 'charging many', 'a key of a program', 'blocking somebody’s data'];

for (const [what, opens] of Object.entries(DIALOGS)) {
  const ends = SUSPENDED.includes(what);
  test(ends ? `${what}, across the end of the session` : what, async () => {
    const { dialog: name, typed, chosen = {}, submit, sends, answer, stays, proves } = await opens();
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
  });
}
