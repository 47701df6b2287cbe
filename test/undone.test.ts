import { createECDH } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { TOTP } from 'otpauth';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { EDITABLE_FIELDS } from '../contract/pedidos/fields.ts';
import { TRANSITION_NAMES } from '../contract/pedidos/flow.ts';
import { FOLLOWS } from '../contract/pedidos/reversals.ts';
import { recountAccounts } from '../server/cuadre/run.ts';
import { onSnapshot } from '../server/db/open.ts';
import { PASSWORD, type PackRow } from './builders.ts';
import { address, type Client } from './client.ts';
import { dayInMadrid } from './day.ts';
import { earnedOn, monthsBack } from './earning.ts';
import { endpoints } from './endpoints.ts';
import { jpeg, png } from './proof.ts';
import { settled } from './settled.ts';
import { openTienda } from './tienda.ts';
import { type Act, UNDONE } from './undone.ts';
import { wooLine, wooOrder } from './woo.ts';
import { createWorld, type Person, type World } from './world.ts';

/*
 * Calls each act that can be taken back, and then its undo: the shop stands as before in everything that a superadmin sees, and the books
 * agree. Between the two something has changed.
 */

let world: World;
let admin: Person;
let reseller: Person;
let carrier: Person;
let other: Person;
let pack: PackRow;
beforeAll(async () => {
  world = await createWorld({ PUBLIC_URL: 'http://tienda.test' });
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  [admin, reseller, carrier] = [await world.as('superadmin'), await world.as('revendedor'), await world.as('transportista')];
  other = await world.as(await world.user({ role: 'transportista' }));
  const used = { cashOnDelivery: true, partialDeliveries: true, labelsAndLoading: true, dayRoute: true, shipmentFiles: true };
  await send('updateSettings', { body: { ...used, iva: true, pushNotifications: true, shippingBaleares: 10 } });
  pack = await world.pack({ product_id: (await world.product({ iva: '10' })).id, pack_price_cents: 1000 });
  await send('setGanancia', { of: reseller.user.id, body: EARNS });
});

/** A request to an endpoint: the id in its path, and the caller, by default the superadmin. */
type Step = { of?: string | undefined; body?: unknown; query?: Record<string, unknown>; by?: Client };
/** What answers hold that ways read. */
type Names =
  | 'clave'
  | 'cursor'
  | 'enlace'
  | 'estado'
  | 'fecha_estimada'
  | 'nombre'
  | 'numero_orden'
  | 'payment_link'
  | 'revocada_at'
  | 'secret'
  | 'tomada_at';
type Row = Record<Names | 'id', string> & { user: { id: string }; dias_posibles: string[] };
type Answer = Row & { data: Row; remesas: Row[] };
type Way = {
  act: Step;
  undo: Step | ((answer: Answer) => Step | Promise<Step>);
  /** Endpoint of the undo, where it is another one than of the act's other ways. */
  with?: string;
  /** Repeats what the undo took back beyond the act. */
  again?: () => Promise<unknown>;
  /** What else is to be seen of the act. */
  sees?: () => Promise<unknown>;
  /** Fields and lists in which the undo by nature leaves something. */
  leaves?: readonly string[];
};

const byName = new Map(endpoints.map(({ name, endpoint }) => [name, endpoint]));
async function ask(name: string, { of = '', body, query = {}, by = admin }: Step = {}): Promise<Answer> {
  const { method, path } = byName.get(name) ?? expect.fail(`no endpoint ${name}`);
  const reply = await by.request(method, address(path, { id: of, token: of, empresa: of }, query), { body });
  expect([200, 201], `${name}: ${reply.text}`).toContain(reply.status);
  return reply.body as Answer;
}
const send = async (name: string, step?: Step): Promise<Row> => (await ask(name, step)).data;
const list = async (name: string, step?: Step) => Object.values(await send(name, step)) as Row[];
const first = async (name: string, step?: Step) => (await list(name, step))[0] ?? expect.fail(`nothing in ${name}`);

const SEEN = [
  ...['listPedidos', 'listProducts', 'listPacks', 'listClientes', 'listUsers', 'listCajas'],
  ...['getAbierta', 'adminStats', 'hoyStats', 'porCobrarStats', 'transportistasStats'],
];
const read = (name: string) => ask(name, name === 'listPedidos' ? { query: { con: 'lineas', sort: 'numero_orden' } } : {});
async function view({ sees }: Way): Promise<Record<string, unknown>> {
  // First, because it may read what has arrived.
  const own = await sees?.();
  return { own, ...Object.fromEntries(await Promise.all(SEEN.map(async (name) => [name, await read(name)]))) };
}
/** Returns the first list or figures that differ from a view. */
async function changedSince(before: Record<string, unknown>, { sees }: Way): Promise<string | undefined> {
  if (sees && !isDeepStrictEqual(plain(await sees()), plain(before.own))) return 'own';
  for (const name of SEEN) if (!isDeepStrictEqual(plain(await read(name)), plain(before[name]))) return name;
  return undefined;
}
/** Leaves out versions, and the times at which something was recorded. */
const plain = (seen: unknown, leaves: readonly string[] = []): unknown =>
  JSON.parse(
    JSON.stringify({ seen }, (key, value) => {
      if (key === 'version' || leaves.includes(key)) return undefined;
      return /_at$|^desde$|_until$/.test(key) && String(value).includes('T') ? 'at some time' : value;
    }),
  );

const TODAY = dayInMadrid();
const OTHER_PASSWORD = 'otra clave de pruebas';
const REASON = { motivo: 'Por error' };
const CUSTOMER = {
  ...{ cliente_nombre: 'Ana Ruiz', cliente_direccion: 'Calle Mayor 1', cliente_telefono: '612345678' },
  ...{ cliente_codigo_postal: '28013', cliente_ciudad: 'Madrid', cliente_provincia: 'Madrid' },
};
const LUZ = { cliente_nombre: 'Luz Gil', cliente_telefono: '623456789' };
const RITA = { full_name: 'Rita Sanz', email: 'rita@tienda.es', username: null, role: 'revendedor' };
const EARNS = { margen: { tipo: 'porcentaje', valor: 10 } };
const PAY = { metodo: 'bizum', importe: 20, fecha: TODAY };
const TRANSFER = { referencia: 'Recibo 7', fecha: TODAY };
/** Corrections are lines of their own. */
const LINES = ['num_lineas'];
/** An order that was paid stays released, as its dialog says: carriers may have it by now. */
const RELEASED = ['estado', 'fecha_estimada', 'situacion', 'ingresos', 'porCobrar', 'sinPagar'];
const BACK = { lineas: [{ numero: 1, cantidad: 1, destino: 'stock' }], motivo: 'otro' };
const SAVED = { lista: 'pedidos', nombre: 'Por cobrar', consulta: { pagado: 'no' } };
const HOOK = { url: 'https://erp.example/avisos', eventos: ['stock.bajo'] };
const PUSH = {
  endpoint: 'https://push.example.com/send/1',
  keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) },
};
const LOGO = Buffer.concat([png(), Buffer.from('0000000049454e44ae426082', 'hex')]);

const sees = (name: string, step?: Step) => ({ sees: () => ask(name, step) });
const VIEWS = sees('listVistas', { query: { lista: 'pedidos' } });
/** Act and undo name the same thing and say nothing. */
const same = (of: string): Way => ({ act: { of }, undo: { of } });
/** Sends another value, and then the earlier one. */
function edit(of: string, from: unknown, to: unknown, { by, ...more }: Partial<Way> & { by?: Client } = {}): Way {
  const caller = by ? { by } : {};
  return { act: { of, body: to, ...caller }, undo: { of, body: from, ...caller }, ...more };
}
const ofMade = ({ data }: Answer): Step => ({ of: data.id });
const withReason = ({ data }: Answer): Step => ({ of: data.id, body: REASON });
const inactive = ({ data }: Answer): Step => ({ of: data.id, body: { is_active: false } });

/** The step is taken back by another step. */
const STEP = { with: 'setEstado' };
/** Makes a step, and then takes it back. */
function back(of: string, step: object, paso: string, by: Client = admin, more: Partial<Way> = {}): Way {
  return {
    act: { of, body: step, by },
    undo: { of, body: { paso, ...REASON }, by },
    leaves: paso === 'deshacer_entrega' ? TAKEN_BACK : [],
    ...more,
  };
}
/** Time of the delivery that was taken back; statements have its counter-entries. */
const TAKEN_BACK = ['entrega_anulada_at', 'personas'];

/** An order of two packs, 20 €, of the reseller. */
const order = async (body: object = {}) =>
  send('createPedido', { body: { ...CUSTOMER, revendedor_id: reseller.user.id, pack_id: pack.id, cantidad: 2, ...body } });
const take = (of: string) => ask('autoAsignar', { of, body: {}, by: carrier });
const move = (of: string, estado: string, more: object = {}) => send('setEstado', { of, body: { estado, ...more }, by: carrier });
async function taken(body: object = {}): Promise<string> {
  const { id } = await order(body);
  await take(id);
  return id;
}
async function paid(): Promise<string> {
  const { id } = await order();
  await send('anotarPago', { of: id, body: PAY });
  return id;
}
async function delivered(id: string, more: object = {}): Promise<string> {
  await take(id);
  await move(id, 'en_ruta');
  await move(id, 'completado', { metodo_entrega: 'manual', ...more });
  return id;
}
async function onRoad(id: string): Promise<string> {
  await take(id);
  await move(id, 'en_ruta');
  return id;
}
const DONE = { estado: 'completado', metodo_entrega: 'manual' };
const AT_DOOR = { contra_reembolso: true };
const CASH = { cobrado: 20, cobrado_metodo: 'efectivo' };
const MISSING = { no_entregado: [{ numero: 1, cantidad: 1, motivo: 'falta' }] };
const payment = async (of: string): Promise<Step> => ({ of: (await first('listPagos', { of })).id, body: REASON });
/** A bank statement whose credit pays an order, without its number. */
async function bankStatement() {
  await order({ estado: 'pendiente_pago' });
  const movimiento = { cuenta: 'ES91', fecha: TODAY, importe: 10, texto: 'TRANSFERENCIA' };
  return { extracto: crypto.randomUUID(), fichero: 'extracto.n43', formato: 'n43', movimientos: [movimiento] };
}
async function movement() {
  const { numero_orden } = await order({ estado: 'pendiente_pago' });
  const movimiento = { cuenta: 'ES91', fecha: TODAY, importe: 10, texto: 'TRANSFERENCIA' };
  await ask('leerExtracto', { body: { extracto: crypto.randomUUID(), fichero: 'a.n43', formato: 'n43', movimientos: [movimiento] } });
  const body = { destino: 'pedidos', partes: [{ clave: numero_orden, importe: 10 }] };
  return { ...(await first('listAbonos')), body };
}
/** Body that receives what a company has collected. */
async function withCompany() {
  const { id: of } = await order(AT_DOOR);
  const collected = { cobrado: 20, cobrado_metodo: 'empresa' };
  await ask('setEstado', { of, body: { estado: 'completado', metodo_entrega: 'correos', ...collected } });
  const { id } = await first('listDeEmpresas');
  return { empresa: 'Correos', cobros: [id], recibido: 20, fecha: TODAY };
}
const remesa = async (): Promise<Step> => ({ of: (await ask('listDeEmpresas')).remesas[0]?.id });
const inLote = (id: string, tipo: string, more: object = {}) => ({ pedidos: { ids: [id] }, accion: { tipo, ...more } });
const price = (): Step => ({ of: pack.id, body: { revendedor_id: reseller.user.id, desde: TODAY, precio: 8 } });
const restOf = async (id: string) => ({ act: { of: (await first('listDevoluciones', { of: id })).id }, undo: ofMade });
async function daysOf(of: string): Promise<string[]> {
  const { payment_link } = await send('getPedido', { of });
  return (await send('getPago', { of: payment_link.split('/').at(-1) })).dias_posibles;
}
async function statement(): Promise<string> {
  await delivered(await paid());
  const { mes, first: day } = monthsBack(1);
  await earnedOn(world.db, day);
  await send('cerrarMes', { body: { mes } });
  return (await first('listLiquidaciones')).id;
}
/** Delivers an order; returns the cursor after its rows to invoice. */
async function toInvoice(): Promise<string> {
  await delivered(await paid());
  await settled(world.db);
  return (await ask('listFacturables')).cursor;
}
async function twoClientes(): Promise<string[]> {
  await order();
  await order(LUZ);
  return (await list('listClientes')).map(({ id }) => id);
}
async function invited() {
  const { user, enlace } = await send('inviteUser', { body: RITA });
  return { id: user.id, token: enlace.split('/').at(-1) };
}
const isIn = async (who: Client) => (await who.request('GET', '/api/user')).status;
const signIn = (by: Client): Step => ({ body: { email: reseller.user.email, password: PASSWORD }, by });
async function factorCode(): Promise<Step> {
  const { secret } = await ask('startSecondFactor', { by: reseller });
  return { by: reseller, body: { code: new TOTP({ secret }).generate() } };
}
/** A web shop with messages, which empties the world. */
async function webShop(...messages: object[]) {
  const shop = await openTienda(world);
  admin = shop.admin;
  for (const message of messages) await shop.take(message);
  return shop;
}
/** A message of a web shop with a product that nobody has matched. */
const unmatched = () => wooOrder({ line_items: [wooLine({ sku: 'NUEZ' })] });
/** A payment method of a web shop of which an order waits. */
async function unknownMethod() {
  const shop = await webShop(unmatched());
  const seen = async () => {
    await shop.read();
    return [await list('listFormas'), await list('listTienda')];
  };
  return { body: { tienda_id: (await first('listFuentes')).id, clave: 'raro', titulo: 'Raro', trato: 'pagado' }, sees: seen };
}

/** An answer of a company that completes one order and notes an incident of another. */
async function companysAnswer() {
  const [done, absent] = [await order(), await order(LUZ)];
  await send('createEnvio', { body: { plantilla: 'correos', ids: [done.id, absent.id] } });
  const filas = [
    { referencia: done.numero_orden, seguimiento: 'PQ1', estado: 'Entregado' },
    { referencia: absent.numero_orden, estado: 'Ausente' },
  ];
  return { of: (await first('listEnvios')).id, body: { filas } };
}
const answerOf = async (envio: string): Promise<Row> =>
  ((await list('listEnvios')).find(({ id }) => id === envio) as unknown as { respuesta: Row }).respuesta;
/** Batches without the id of the answer, which is another one each time. */
const batches = async (of: string) =>
  (await list('listEnvios')).map(({ respuesta: _, ...row }: Row & { respuesta?: unknown }) => [of, row]);

type Arrange = () => Promise<Way>;
const WAYS: Record<Act, Arrange | Record<string, Arrange>> = {
  acceptInvitation: async () => {
    const [{ id, token }, rita] = [await invited(), world.nobody()];
    const act = { of: token, body: { password: OTHER_PASSWORD }, by: rita };
    const leaves = ['invited', 'invite_until', 'is_active', 'last_access_at'];
    return { act, undo: { of: id, body: { is_active: false } }, sees: () => isIn(rita), leaves };
  },
  ajustarStock: async () => edit(pack.product_id, { unidades: -5, nota: 'Recuento' }, { unidades: 5, nota: 'Recuento' }),
  anotarPago: {
    'of an order to be delivered': async () => {
      const { id } = await order();
      return { act: { of: id, body: PAY }, undo: () => payment(id) };
    },
    'of a part of an unpaid order': async () => {
      const { id } = await order({ estado: 'pendiente_pago' });
      return { act: { of: id, body: { ...PAY, importe: 5 } }, undo: () => payment(id) };
    },
    'of all of an unpaid order': async () => {
      const { id } = await order({ estado: 'pendiente_pago' });
      return { act: { of: id, body: PAY }, undo: () => payment(id), leaves: RELEASED };
    },
  },
  anularDevolucion: async () => {
    const of = await delivered(await paid());
    return { act: { of: (await send('createDevolucion', { of, body: BACK })).id, body: REASON }, undo: { of, body: BACK }, leaves: LINES };
  },
  anularPago: async () => {
    const of = await paid();
    return { act: await payment(of), undo: { of, body: PAY } };
  },
  aplazarPedido: {
    'to a third day': async () => {
      const { id } = await order();
      const [, earlier, , later] = await daysOf(id);
      await send('aplazarPedido', { of: id, body: { dia: earlier } });
      return edit(id, { dia: earlier }, { dia: later });
    },
    'for the first time': async () => {
      const { id, fecha_estimada } = await order();
      // That another day was asked for stays known.
      const leaves = ['aviso_cliente', 'aplazado_at', 'situacion'];
      return edit(id, { dia: dayInMadrid(fecha_estimada) }, { dia: (await daysOf(id))[5] }, { leaves });
    },
  },
  aplicarTienda: async () => {
    const moved = { ...wooOrder().shipping, address_1: 'Calle Nueva 3' };
    await webShop(wooOrder(), wooOrder({ date_modified_gmt: '2026-11-23T08:00:00', shipping: moved }));
    const here: Record<string, unknown> = await first('listPedidos');
    const body = Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, here[name]]));
    return { act: { of: (await first('listTienda')).id }, undo: { of: String(here.id), body }, leaves: ['tienda'] };
  },
  assignTransportista: {
    'to a carrier': async () => edit((await order()).id, { transportista_id: null }, { transportista_id: carrier.user.id }),
    'to another carrier': async () => edit(await taken(), { transportista_id: carrier.user.id }, { transportista_id: other.user.id }),
  },
  autoAsignar: async () => edit((await order()).id, { estado: 'pendiente' }, {}, { by: carrier }),
  bloquear: async () => {
    const body = { pedidos: [await delivered(await paid())], ...REASON };
    return edit('', body, body);
  },
  bloquearCliente: async () => edit((await twoClientes())[0] ?? '', { motivo: null }, { motivo: 'No paga' }),
  cancelExport: async () => {
    const body = { conjuntos: ['pedidos'], formato: 'csv' };
    const running = async () => (await list('listExports')).filter(({ estado }) => estado === 'en_curso').length;
    return { act: { of: (await send('createExport', { body })).id }, undo: { body }, sees: running };
  },
  cargarPedido: async () => edit(await taken(), { cargado: false }, { cargado: true }, { by: carrier }),
  changePassword: async () => {
    const change = (current_password: string, password: string) => ({ body: { current_password, password }, by: reseller });
    const opens = async () => (await world.nobody().request('POST', '/api/login', { body: signIn(admin).body })).status;
    return { act: change(PASSWORD, OTHER_PASSWORD), undo: change(OTHER_PASSWORD, PASSWORD), sees: opens };
  },
  closeOtherSessions: async () => {
    const phone = await world.as(reseller.user);
    return { act: { by: reseller }, undo: signIn(phone), sees: () => isIn(phone) };
  },
  confirmSecondFactor: async () => ({ act: await factorCode(), undo: { by: reseller } }),
  corregirTienda: async () => {
    const shop = await webShop(unmatched());
    const named = (cliente_nombre: string) => ({ campos: { cliente_nombre } });
    return edit((await first('listTienda')).id, named('Mateo Ruiz'), named('Luz Gil'), {
      sees: () => shop.read().then(() => list('listTienda')),
    });
  },
  crearAjuste: async () => {
    const adjust = (importe: number) => ({ user_id: reseller.user.id, importe, nota: 'Acordado' });
    await send('crearAjuste', { body: adjust(10) });
    return edit('', adjust(-5), adjust(5), { leaves: LINES });
  },
  createApiKey: async () => {
    const inForce = async () => (await list('listApiKeys')).filter(({ revocada_at }) => !revocada_at);
    return { act: { body: { nombre: 'ERP', acciones: ['pedido:list'] } }, undo: ofMade, sees: inForce };
  },
  createDevolucion: {
    'of a part': async () => ({ act: { of: await delivered(await paid()), body: BACK }, undo: withReason, leaves: LINES }),
    'with its refund': async () => ({
      ...{ act: { of: await delivered(await paid()), body: { ...BACK, reembolso: 10 } }, undo: withReason, leaves: LINES },
    }),
  },
  createEnvio: async () => {
    const ids = [(await order()).id];
    return edit('', { ids }, { plantilla: 'correos', ids });
  },
  createFuente: async () => {
    await webShop();
    const active = async () => (await list('listFuentes')).filter(({ estado }) => estado === 'activa');
    const undo = async () => ({ of: (await first('listFuentes')).id, body: { estado: 'ignorada' } });
    return { act: { body: { nombre: 'Outlet', conector: 'woo', secreto: 'un secreto bien largo' } }, undo, sees: active };
  },
  createPack: async () => {
    const body = { product_id: pack.product_id, name: 'Caja', alias: 'C', pack_quantity: 1, pack_price: 5 };
    return { act: { body }, undo: inactive, ...sees('listPacks', { by: reseller }), leaves: ['listPacks'] };
  },
  createPedido: async () => ({ act: { body: { ...CUSTOMER, pack_id: pack.id } }, undo: ofMade }),
  createProduct: async () => {
    const body = { name: 'Miel', description: null, stock: 5, min_stock: 0, is_active: true };
    return { act: { body }, undo: inactive, leaves: ['listProducts'] };
  },
  createUser: async () => ({ act: { body: { ...RITA, password: OTHER_PASSWORD } }, undo: ofMade }),
  createVista: async () => ({ act: { body: SAVED }, undo: ofMade, ...VIEWS }),
  createWebhook: async () => ({ act: { body: HOOK }, undo: ofMade, ...sees('listWebhooks') }),
  deleteForma: async () => {
    const { body, ...seen } = await unknownMethod();
    await ask('setForma', { body });
    return { act: { of: (await first('listFormas')).id }, undo: { body }, ...seen, leaves: ['id'] };
  },
  deletePareja: async () => {
    const { pack: sold } = await webShop();
    const { id, clave } = await first('listParejas');
    return { act: { of: id }, undo: { body: { clave, pack_id: sold.id } }, ...sees('listParejas'), leaves: ['id'] };
  },
  deletePedido: {
    'of an order that a carrier has': async () => same(await taken()),
    'of a paid order': async () => same(await paid()),
    'of a delivered order': async () => ({ ...same(await delivered(await paid())), leaves: LINES }),
    'of an order whose carrier has the cash': async () => ({ ...same(await delivered((await order(AT_DOOR)).id, CASH)), leaves: LINES }),
  },
  deletePrecio: async () => {
    const { id: of } = await send('setPrecio', price());
    return { act: { of }, undo: price(), ...sees('listPrecios', { of: pack.id }), leaves: ['id'] };
  },
  deleteVista: async () => {
    const { id: of } = await send('createVista', { body: SAVED });
    return { act: { of }, undo: { body: SAVED }, ...VIEWS, leaves: ['id'] };
  },
  desbloquear: async () => {
    const body = { pedidos: [await delivered(await paid())], ...REASON };
    await send('bloquear', { body });
    return edit('', body, body);
  },
  leerExtracto: async () => {
    const body = await bankStatement();
    return { act: { body }, undo: { of: body.extracto }, ...sees('listAbonos') };
  },
  deshacerExtracto: async () => {
    const body = await bankStatement();
    await ask('leerExtracto', { body });
    return {
      act: { of: body.extracto },
      undo: { body: { ...body, extracto: crypto.randomUUID() } },
      ...sees('listAbonos'),
      leaves: ['id'],
    };
  },
  apuntarMovimiento: async () => {
    const { id: of, body } = await movement();
    return { act: { of, body }, undo: { of }, ...sees('listAbonos') };
  },
  cerrarMovimiento: async () => {
    const { id: of } = await movement();
    return { act: { of, body: { resolucion: 'visto', motivo: 'No es nuestro' } }, undo: { of }, ...sees('listAbonos') };
  },
  soltarMovimiento: async () => {
    const { id: of, body } = await movement();
    await ask('apuntarMovimiento', { of, body });
    return { act: { of }, undo: { of, body }, ...sees('listAbonos') };
  },
  deshacerRemesa: async () => {
    const body = await withCompany();
    await ask('recibirDeEmpresa', { body });
    // The remittance that is noted again has a number of its own.
    return { act: await remesa(), undo: { body }, ...sees('listDeEmpresas'), leaves: ['id', 'numero'] };
  },
  deshacerRespuesta: async () => {
    const { of, body } = await companysAnswer();
    await ask('leerRespuesta', { of, body });
    return {
      act: { of: (await answerOf(of)).id, body: {} },
      undo: { of, body },
      sees: () => batches(of),
      leaves: [...TAKEN_BACK, 'fecha_completado'],
    };
  },
  deshacerPaso: {
    'of a delivery': async () => {
      const of = await delivered(await paid());
      return {
        act: { of, body: { paso: 'deshacer_entrega', ...REASON } },
        undo: { of, body: DONE },
        leaves: ['entrega_anulada_at', 'fecha_completado', ...LINES],
      };
    },
    'of a cancellation': async () => {
      const { id: of } = await order();
      const cancel = { of, body: { estado: 'cancelado', ...REASON } };
      await ask('setEstado', cancel);
      return { act: { of, body: { paso: 'reabrir' } }, undo: cancel };
    },
  },
  deshacerVarios: async () => {
    const id = await onRoad((await order()).id);
    const out = { pedidos: [{ id, paso: 'volver_de_ruta' }], motivo: null };
    return edit('', inLote(id, 'salir'), out);
  },
  despagarLiquidacion: async () => {
    const of = await statement();
    await send('pagarLiquidacion', { of, body: TRANSFER });
    return edit(of, TRANSFER, REASON, sees('listLiquidaciones'));
  },
  duplicatePedido: async () => ({ act: { of: (await order()).id }, undo: ofMade }),
  emparejarTienda: async () => {
    const { pack: sold } = await webShop();
    const undo = async () => ({ of: (await list('listParejas')).find(({ clave }) => clave === 'NUEZ')?.id });
    return { act: { body: { clave: 'NUEZ', pack_id: sold.id } }, undo, ...sees('listParejas') };
  },
  guardarRuta: async () => {
    const orders = [await taken(), await taken()];
    const route = (pedidos: string[]) => ({
      ...{ by: carrier, body: { pedidos, primera: null, ultima: null, ocurrido: new Date().toISOString() } },
    });
    await ask('guardarRuta', route(orders));
    return { act: route(orders.toReversed()), undo: () => route(orders), ...sees('getRuta', { by: carrier }) };
  },
  importPedidos: async () => {
    const fila = { ...CUSTOMER, pack_id: pack.id };
    const filas = [
      { ...fila, pago: { metodo: 'tarjeta' } },
      { ...fila, ...LUZ },
    ];
    return { act: { body: { filas } }, undo: async () => ({ of: (await first('listImports')).id }) };
  },
  inviteUser: async () => ({ act: { body: RITA }, undo: ({ data }) => ({ of: data.user.id }) }),
  leerRespuesta: async () => {
    const { of, body } = await companysAnswer();
    return {
      act: { of, body },
      undo: async () => ({ of: (await answerOf(of)).id, body: {} }),
      sees: () => batches(of),
      leaves: TAKEN_BACK,
    };
  },
  login: async () => {
    const phone = world.nobody();
    return { act: signIn(phone), undo: { by: phone }, sees: () => isIn(phone) };
  },
  logout: async () => {
    const phone = await world.as(reseller.user);
    return { act: { by: phone }, undo: signIn(phone), sees: () => isIn(phone) };
  },
  lotePedidos: {
    asignar: async () => {
      const { id } = await order();
      const to = (transportista_id: string | null) => inLote(id, 'asignar', { transportista_id });
      return edit('', to(null), to(carrier.user.id));
    },
    eliminar: async () => {
      const id = await taken();
      return edit('', inLote(id, 'restaurar'), inLote(id, 'eliminar'));
    },
    pagar: async () => {
      const { id } = await order();
      return { act: { body: inLote(id, 'pagar', { metodo: 'bizum' }) }, with: 'anularPago', undo: () => payment(id) };
    },
    preparar: async () => {
      const id = await taken();
      return edit('', inLote(id, 'volver'), inLote(id, 'preparar'));
    },
  },
  pagarLiquidacion: async () => edit(await statement(), REASON, TRANSFER, sees('listLiquidaciones')),
  pagarLiquidaciones: async () => {
    const of = await statement();
    return { act: { body: { liquidaciones: [{ id: of }], ...TRANSFER } }, undo: { of, body: REASON }, ...sees('listLiquidaciones') };
  },
  patchPedido: {
    'to another customer': async () => edit((await order()).id, { ...CUSTOMER, instrucciones: null }, { ...LUZ, instrucciones: 'Llamar' }),
    'to another zone': async () =>
      edit((await order()).id, CUSTOMER, { cliente_codigo_postal: '07001', cliente_provincia: 'Illes Balears' }),
  },
  pedirResto: {
    'of an order paid on delivery': async () =>
      restOf(await delivered((await order(AT_DOOR)).id, { ...MISSING, cobrado: 10, cobrado_metodo: 'efectivo' })),
    // The money is then owed back at the deleted order.
    'of a paid order': async () => ({
      ...(await restOf(await delivered(await paid(), MISSING))),
      leaves: ['por_reembolsar', 'reembolsado', 'reembolsos', 'situacion'],
    }),
  },
  ponerIntracomunitaria: async () => {
    const to = { cliente_codigo_postal: '69001', cliente_ciudad: 'Lyon', cliente_pais: 'Francia', cliente_provincia: null };
    const { id: pedido_id } = await order({ ...to, cliente_nif: 'FR 40 303 265 045' });
    return edit('', { pedido_id, es: false }, { pedido_id, es: true });
  },
  leerRemesa: async () => {
    const { empresa, fecha } = await withCompany();
    const { numero_orden } = await first('listDeEmpresas');
    return {
      act: { body: { empresa, fecha, filas: [{ referencia: numero_orden, importe: 20 }] } },
      undo: remesa,
      ...sees('listDeEmpresas'),
    };
  },
  ponerPlazo: async () => {
    await withCompany();
    const to = (dias: number): Step => ({ body: { empresa: 'Correos', dias } });
    await ask('ponerPlazo', to(3));
    return { act: to(9), undo: to(3), ...sees('listDeEmpresas') };
  },
  ponerTipos: async () => {
    const line = { producto: 'Cesta', cantidad: 1, precio_total: 20 };
    const { id: of } = await order({ pack_id: null, cantidad: 1, lineas: [line] });
    const undo = { of, body: { lineas: [{ numero: 1, ...line, iva: null }] } };
    return { act: { body: { tipos: [{ producto: 'Cesta', iva: '21' }] } }, undo };
  },
  preferVista: async () => {
    const { id } = await send('createVista', { body: SAVED });
    return edit('', { lista: 'pedidos', vista_id: null }, { lista: 'pedidos', vista_id: id }, VIEWS);
  },
  recibirDeEmpresa: async () => ({ act: { body: await withCompany() }, undo: remesa, ...sees('listDeEmpresas') }),
  recibirDevolucion: async () => {
    const { id: of } = await first('listDevoluciones', { of: await delivered(await paid(), MISSING) });
    // The stock is as before; the goods stay received.
    const undo = { of: pack.product_id, body: { unidades: -pack.pack_quantity, nota: 'No llegó' } };
    return { act: { of, body: { destino: 'stock' } }, undo, leaves: ['mercancia', 'mercancia_at', 'situacion', 'unidades_retenidas'] };
  },
  recibirMercancia: async () => {
    const of = await taken();
    await move(of, 'en_ruta');
    await ask('setEstado', { of, body: { estado: 'cancelado' } });
    // The stock is as before; the goods are known not to come.
    const undo = { of: pack.product_id, body: { unidades: 2 * pack.pack_quantity, nota: 'Ha llegado' } };
    return { act: { of, body: { destino: 'baja', motivo: 'Rota' } }, undo, leaves: ['mercancia', 'mercancia_at', 'situacion'] };
  },
  registrarLoQuePaso: async () => {
    const id = await taken(AT_DOOR);
    await send('assignTransportista', { of: id, body: { transportista_id: other.user.id } });
    const paso = { pedido_id: id, paso: 'completar', ocurrido: new Date().toISOString(), ...CASH };
    await ask('contarNoAceptado', { by: carrier, body: paso });
    const { id: of } = await first('listSinRegistrar');
    // What the carrier reported stays dealt with.
    return { act: { of }, undo: () => payment(id), leaves: ['sinRegistrar'] };
  },
  removeSecondFactor: async () => {
    await ask('confirmSecondFactor', await factorCode());
    return { act: { by: reseller }, undo: factorCode };
  },
  renewInvitation: async () => {
    const { id } = await invited();
    await ask('withdrawInvitation', { of: id });
    return same(id);
  },
  responderIncidencia: async () => {
    const of = await taken();
    const fail = async () => {
      await move(of, 'en_ruta');
      return { of, body: { estado: 'asignado', paso: 'fallar', motivo: 'Ausente' }, by: carrier };
    };
    for (let n = 0; n < 3; n++) await ask('setEstado', await fail());
    const body = { respuesta: 'otro_dia', dia: (await daysOf(of))[3] };
    // Its undo is one more attempt.
    return { act: { of, body }, undo: fail, leaves: ['aviso_cliente', 'fecha_estimada', 'intentos'] };
  },
  restorePedido: async () => {
    const of = await paid();
    await ask('deletePedido', { of });
    return same(of);
  },
  retenerDevolucion: async () => {
    const of = await delivered(await paid());
    const { id } = await send('createDevolucion', { of, body: BACK });
    const again = () => send('createDevolucion', { of, body: BACK });
    return { act: { of: id, body: { importe: 4, motivo: 'Roto' } }, undo: { of: id, body: REASON }, again, leaves: LINES };
  },
  sacarDeEnvio: async () => {
    const ids = [(await order()).id];
    await send('createEnvio', { body: { plantilla: 'correos', ids } });
    return edit('', { plantilla: 'correos', ids }, { ids });
  },
  separarCliente: async () => {
    const [of, cliente_id] = await twoClientes();
    await send('unirCliente', { of, body: { cliente_id } });
    return { act: { of: cliente_id }, undo: { of, body: { cliente_id } } };
  },
  setEstado: {
    preparar: async () => edit(await taken(), { estado: 'asignado' }, { estado: 'en_proceso' }, STEP),
    volver: async () => {
      const id = await taken();
      await move(id, 'en_proceso');
      return edit(id, { estado: 'en_proceso' }, { estado: 'asignado' }, STEP);
    },
    salir: async () => back(await taken(), { estado: 'en_ruta' }, 'volver_de_ruta', carrier),
    'salir of a prepared order': async () => {
      const id = await taken();
      await move(id, 'en_proceso');
      return back(id, { estado: 'en_ruta' }, 'volver_de_ruta', carrier);
    },
    completar: async () => back(await onRoad(await paid()), DONE, 'deshacer_entrega', carrier),
    'completar with cash at the door': async () =>
      back(await onRoad((await order(AT_DOOR)).id), { ...DONE, ...CASH }, 'deshacer_entrega', carrier),
    'completar of a part': async () => back(await onRoad(await paid()), { ...DONE, ...MISSING }, 'deshacer_entrega', carrier),
    'completar by the office': async () => back(await paid(), DONE, 'deshacer_entrega'),
    cancelar: async () => back((await order()).id, { estado: 'cancelado', ...REASON }, 'reabrir'),
    'cancelar of a paid order': async () => back(await paid(), { estado: 'cancelado', ...REASON }, 'reabrir'),
    devolver: async () => {
      const of = await taken();
      const undo = { of, body: { transportista_id: carrier.user.id } };
      return { act: { of, body: { estado: 'pendiente' } }, with: 'assignTransportista', undo };
    },
    pagar: async () => {
      const { id } = await order({ estado: 'pendiente_pago' });
      const body = { estado: 'pendiente', referencia: 'Recibo' };
      return { act: { of: id, body }, with: 'anularPago', undo: () => payment(id), leaves: RELEASED };
    },
  },
  setForma: async () => {
    const { body, ...seen } = await unknownMethod();
    return { act: { body }, undo: async () => ({ of: (await first('listFormas')).id }), ...seen };
  },
  setGanancia: async () => edit(reseller.user.id, EARNS, { margen: null }, sees('getGanancia', { of: reseller.user.id })),
  setLineas: async () => {
    const { id: pack_id } = await world.pack({ pack_price_cents: 700 });
    return edit((await order()).id, { lineas: [{ numero: 1, cantidad: 2 }] }, { lineas: [{ numero: 1, cantidad: 1 }, { pack_id }] });
  },
  setLogo: async () => edit('', { logo: null }, { logo: LOGO.toString('base64') }, sees('getSettings')),
  setPicture: async () => edit(pack.product_id, { picture: null }, { picture: jpeg().toString('base64') }),
  setPrecio: async () => ({ act: price(), undo: ofMade, ...sees('listPacks', { by: reseller }) }),
  soltarFacturables: async () => {
    const hasta = await toInvoice();
    const { tomada_at } = await ask('tomarFacturables', { body: { hasta } });
    return edit('', { hasta }, { tomada_at }, sees('listFacturables'));
  },
  subscribePush: async () => edit('', { endpoint: PUSH.endpoint }, PUSH, sees('getPush')),
  tomarFacturables: async () => {
    const act = { body: { hasta: await toInvoice() } };
    return { act, undo: ({ tomada_at }) => ({ body: { tomada_at } }), ...sees('listFacturables') };
  },
  tomarPedidos: async () => {
    const { id } = await order();
    return { act: { body: { ids: [id] }, by: carrier }, undo: { of: id, body: { estado: 'pendiente' } } };
  },
  unirCliente: async () => {
    const [of, cliente_id] = await twoClientes();
    return { act: { of, body: { cliente_id } }, undo: { of: cliente_id } };
  },
  unsubscribePush: async () => {
    await ask('subscribePush', { body: PUSH });
    return edit('', PUSH, { endpoint: PUSH.endpoint }, sees('getPush'));
  },
  updateCliente: async () =>
    edit((await twoClientes())[0] ?? '', { nota: null, avisar_antes: false }, { nota: 'Llamar', avisar_antes: true }),
  updateFuente: async () => {
    await webShop(unmatched());
    const { id, nombre } = await first('listFuentes');
    return edit(id, { nombre }, { nombre: 'Outlet' }, sees('listFuentes'));
  },
  updatePack: async () => edit(pack.id, { pack_price: 10, is_active: true }, { pack_price: 12, is_active: false }),
  updatePedido: async () =>
    edit((await order()).id, CUSTOMER, { ...CUSTOMER, cliente_direccion: 'Calle Nueva 2', instrucciones: 'Llamar' }),
  updatePlantilla: async () => {
    const {
      clave,
      nombre: _,
      metodo_entrega: __,
      version: ___,
      ...format
    } = (await first('listPlantillas')) as Row & Record<string, unknown>;
    return edit(clave, format, { ...format, con_titulos: !format.con_titulos }, sees('listPlantillas'));
  },
  updateProduct: async () => edit(pack.product_id, { min_stock: 10, stock: 1000 }, { min_stock: 2000, stock: 900 }),
  updateSettings: async () => edit('', { deliveryDays: 1 }, { deliveryDays: 9 }, sees('getSettings')),
  updateUser: {
    'of a name': async () => {
      await taken();
      return edit(carrier.user.id, { full_name: carrier.user.full_name }, { full_name: 'Otro Nombre' });
    },
    'of an access': async () => edit(other.user.id, { is_active: true }, { is_active: false }, { leaves: ['last_access_at'] }),
  },
  updateVista: async () => edit((await send('createVista', { body: SAVED })).id, { nombre: SAVED.nombre }, { nombre: 'Otra' }, VIEWS),
  updateWebhook: async () => {
    const { id } = await send('createWebhook', { body: HOOK });
    return edit(id, { is_active: true }, { is_active: false }, sees('listWebhooks'));
  },
  withdrawInvitation: async () => same((await invited()).id),
};

const ways = Object.entries(WAYS).flatMap(([act, way]) =>
  Object.entries(typeof way === 'function' ? { '': way } : way).map(
    ([step, arrange]) => [[act, step].filter(Boolean).join(' '), act as Act, arrange] as const,
  ),
);

test('every step that has a way back takes it here, and one without says why', () => {
  const elsewhere: Partial<Record<string, Act>> = { asignar: 'assignTransportista', tomar: 'autoAsignar' };
  const here = Object.keys(WAYS.setEstado).map((way) => way.split(' ')[0] ?? '');
  for (const name of TRANSITION_NAMES) {
    const { back } = FOLLOWS[name];
    if (typeof back === 'object') expect(back.never).toMatch(/^[A-Z].{20,}/);
    else expect(elsewhere[name] ? Object.keys(WAYS) : here).toContain(elsewhere[name] ?? name);
  }
  // The customer reads of a failed attempt, and its carrier is paid for it: it takes nothing back, and nothing takes it back.
  expect([here, Object.values(FOLLOWS).map(({ back }) => back)].flat()).not.toContain('fallar');
});

test.each(ways)('%s can be taken back', async (_, act, arrange) => {
  const way = await arrange();
  const before = await view(way);
  const answer = await ask(act, way.act);
  expect(await changedSince(before, way), 'nothing has changed').toBeDefined();
  await ask(way.with ?? UNDONE[act], typeof way.undo === 'function' ? await way.undo(answer) : way.undo);
  await way.again?.();
  const [after, { leaves = [] }] = [await view(way), way];
  expect(plain(after, leaves)).toEqual(plain(before, leaves));
  for (const word of leaves) {
    const others = leaves.filter((left) => left !== word);
    expect(plain(after, others), `leaves nothing in ${word}`).not.toEqual(plain(before, others));
  }
  expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
});
