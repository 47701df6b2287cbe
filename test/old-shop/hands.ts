import type { connectAs } from '../../e2e/api.ts';
import { address, type Client } from '../client.ts';
import { dayInMadrid } from '../day.ts';
import { endpoints } from '../endpoints.ts';

/* How the people of an old shop act: through its API. */

type Step = { of?: string; body?: unknown; by?: Client; query?: Record<string, string>; headers?: Record<string, string> };
type Names = 'id' | 'clave' | 'cursor' | 'numero' | 'numero_orden' | 'payment_link' | 'secret';
export type Row = Record<Names, string> & Record<string, unknown>;
type Answer = Row & { data: Row & Row[] };
export type Shop = {
  url: string;
  admin: Client;
  reseller: Client;
  nobody: Client;
  connectAs: (who: { email: string; password: string }) => ReturnType<typeof connectAs>;
  /** Runs SQL for what only a clock or an earlier version writes. */
  run: (text: string) => Promise<unknown>;
  /** Waits until a query finds a row. */
  wait: (text: string) => Promise<void>;
};
export type Hands = Awaited<ReturnType<typeof openHands>>;

export const TODAY = dayInMadrid();
export const PASSWORD = 'una clave de pruebas';
export const REASON = { motivo: 'Por error' };
export const CASH = { cobrado: 20, cobrado_metodo: 'efectivo' };
export const AT_DOOR = { contra_reembolso: true };
export const MISSING = { no_entregado: [{ numero: 1, cantidad: 1, motivo: 'falta' }] };
/** Secret of the webhooks that shops share. */
export const COMMON = 'el secreto de todas las tiendas';

export function lacking(what: string): never {
  throw new Error(what);
}

const byName = new Map(endpoints.map(({ name, endpoint }) => [name, endpoint]));

/** Opens the shop with what is sold there and a carrier. */
export async function openHands(shop: Shop) {
  const { admin } = shop;
  async function ask(name: string, { of = '', body, by = admin, query, headers = {} }: Step = {}): Promise<Answer> {
    const { method, path } = byName.get(name) ?? lacking(`no endpoint ${name}`);
    const reply = await by.request(method, address(path, { id: of, token: of, empresa: of, proveedor: 'redsys' }, query), {
      body,
      headers,
    });
    if (reply.status >= 300) lacking(`${name}: ${reply.status} ${reply.text}`);
    return reply.body as Answer;
  }
  const send = async (name: string, step?: Step) => (await ask(name, step)).data;
  const first = async (name: string, step?: Step) => (await send(name, step))[0] ?? lacking(`nothing in ${name}`);

  await ask('proveIdentity', { body: { password: 'aceite-de-oliva' } });
  const settings = { iva: true, pushNotifications: true, shippingPeninsula: 0, storeActive: true, storeSecret: COMMON };
  await ask('updateSettings', { body: settings });
  const packs: Record<string, string> = {};
  const products: Record<string, string> = {};
  for (const iva of ['10', '21', '4', '0', 'exento', null]) {
    const described = {
      name: `Aceite ${iva ?? 'sin tipo'}`,
      description: null,
      stock: 1000,
      min_stock: 5,
      is_active: true,
      iva,
      metadata: { 'web.id': '7' },
    };
    const product_id = (await send('createProduct', { body: described })).id;
    products[String(iva)] = product_id;
    const sold = { product_id, name: 'Dos botellas', alias: `A${iva ?? 's'}`, pack_quantity: 2, pack_price: 10 };
    packs[String(iva)] = (await send('createPack', { body: sold })).id;
  }
  const described = { full_name: 'Carla Camino', email: 'carla@tienda.es', username: null, role: 'transportista', zonas: '28*' };
  const carrierId = (await send('createUser', { body: { ...described, password: PASSWORD } })).id;
  const carrier = await shop.connectAs({ email: described.email, password: PASSWORD });

  let people = 0;
  const customer = () => {
    const n = ++people;
    const place = { cliente_codigo_postal: '28013', cliente_ciudad: 'Madrid', cliente_provincia: 'Madrid' };
    return { cliente_nombre: `Cliente ${n}`, cliente_direccion: `Calle Mayor ${n}`, cliente_telefono: String(612_000_000 + n), ...place };
  };
  /** An order of two packs, 20 €, of a new customer. */
  const order = (more: object = {}) => send('createPedido', { body: { ...customer(), pack_id: packs['10'], cantidad: 2, ...more } });
  const paid = (more: object = {}) => order({ pago: { metodo: 'bizum', referencia: 'B-7' }, ...more });
  const unpaid = () => order({ estado: 'pendiente_pago' });
  const move = (of: string, estado: string, more: object = {}) => ask('setEstado', { of, body: { estado, ...more }, by: carrier });
  const cancel = (of: string) => ask('setEstado', { of, body: { estado: 'cancelado', ...REASON } });
  const take = async ({ id }: { id: string }) => {
    await ask('autoAsignar', { of: id, body: {}, by: carrier });
    return id;
  };
  async function deliver(order: { id: string }, more: object = {}): Promise<string> {
    const id = await take(order);
    await move(id, 'en_ruta');
    await move(id, 'completado', { metodo_entrega: 'manual', forma_entrega: 'en_mano', ocurrido: new Date().toISOString(), ...more });
    return id;
  }
  const payment = async (of: string) => (await first('listPagos', { of })).id;
  return {
    ...shop,
    ask,
    send,
    first,
    packs,
    products,
    carrier,
    carrierId,
    customer,
    order,
    paid,
    unpaid,
    move,
    cancel,
    take,
    deliver,
    payment,
  };
}
