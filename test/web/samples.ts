import type { Cliente, ClienteEntero } from '../../contract/clientes/clientes.ts';
import { cliente } from '../../contract/clientes/schemas.ts';
import { asPage, type QueryIn } from '../../contract/kit/endpoint.ts';
import type { Linea } from '../../contract/pedidos/lineas.ts';
import type { CalcularTotal, listPedidos, Pedido } from '../../contract/pedidos/pedidos.ts';
import { pedido } from '../../contract/pedidos/schemas.ts';
import type { Role } from '../../contract/policy/policy.ts';
import type { Pack, Product } from '../../contract/products/products.ts';
import { pack, product } from '../../contract/products/schemas.ts';
import type { ShownSettings } from '../../contract/settings/settings.ts';
import { DEFAULT_SETTINGS, SECRET_NAMES, type SecretName } from '../../contract/settings/values.ts';
import { user } from '../../contract/users/schemas.ts';
import type { User } from '../../contract/users/users.ts';
import { vista } from '../../contract/vistas/schemas.ts';
import type { Vista } from '../../contract/vistas/vistas.ts';
import { emptyOf, uuid } from './empty-answer.ts';

/* Sample records for component tests; a test overrides only the fields under test. */

let serial = 0;
const today = () => new Date().toISOString();

/** A pending order of one pack at 25 €. */
export function aPedido(fields: Partial<Pedido> = {}): Pedido {
  const n = ++serial;
  const { estado = 'pendiente', precio_total = 25, pagado = 0 } = fields;
  return {
    ...(emptyOf(pedido) as Pedido),
    numero_orden: `ORD-2026${String(n).padStart(6, '0')}`,
    cliente_nombre: `Cliente ${n}`,
    cliente_direccion: `Calle Mayor ${n}`,
    producto: 'Aceite – Caja',
    cantidad: 1,
    num_lineas: 1,
    precio_unitario: 25,
    precio_total,
    pendiente: estado === 'cancelado' ? 0 : Math.max(0, precio_total - pagado),
    estado,
    fecha_pedido: today(),
    created_at: today(),
    updated_at: today(),
    version: 1,
    ...fields,
  };
}

export function aProduct(fields: Partial<Product> = {}): Product {
  const n = ++serial;
  return {
    ...(emptyOf(product) as Product),
    name: `Producto ${n}`,
    stock: 1000,
    is_active: true,
    created_at: today(),
    version: 1,
    ...fields,
  };
}

/** A pack on sale. */
export function aPack(fields: Partial<Pack> = {}): Pack {
  const n = ++serial;
  return {
    ...(emptyOf(pack) as Pack),
    name: `Pack ${n}`,
    alias: `P${n}`,
    pack_quantity: 1,
    pack_price: 25,
    is_active: true,
    version: 1,
    ...fields,
  };
}

export function aUser(role: Role, fields: Partial<User> = {}): User {
  const n = ++serial;
  return {
    ...(emptyOf(user) as User),
    id: uuid(),
    full_name: `Persona ${n}`,
    email: `persona${n}@enruta.test`,
    role,
    is_active: true,
    created_at: today(),
    version: 1,
    ...fields,
  };
}

/** A customer without a reseller, with one order. */
export function aCliente(fields: Partial<Cliente> = {}): Cliente {
  const n = ++serial;
  return {
    ...(emptyOf(cliente) as Cliente),
    cliente_nombre: `Cliente ${n}`,
    // Whole for every number: samples are counted on from one test file to the next.
    cliente_telefono: `600 ${String(n)
      .padStart(6, '0')
      .replace(/..(?=.)/g, '$& ')}`,
    cliente_direccion: `Calle Mayor ${n}`,
    cliente_pais: 'España',
    pedidos: 1,
    total: 25,
    ultimo_pedido: today(),
    ...fields,
  };
}

/** A customer with all fields, including the address of the order. */
export function aWholeCliente(fields: Partial<ClienteEntero> = {}): ClienteEntero {
  const cliente = { ...aCliente(fields), ...fields };
  const { nota, avisar_antes, bloqueado_motivo, ultimo_pedido } = cliente;
  return {
    propia: { nota, avisar_antes, bloqueado_motivo, version: 1 },
    direcciones: [{ ...cliente, pedidos: 1, ultimo_pedido: ultimo_pedido ?? today() }],
    unidos: [],
    ...cliente,
  };
}

/** Returns the total of these packs as the server calculates it; `envio` is the default shipping. */
export function aTotal({ lineas, envio: own, descuento }: CalcularTotal, packs: readonly Pack[], envio = 0) {
  const priced = (lineas ?? []).map((line, i): Linea => {
    const pack = packs.find(({ id }) => id === line.pack_id);
    const each = pack?.pack_price ?? line.precio_unitario ?? 0;
    const producto = pack ? `${pack.product_name} – ${pack.name}` : (line.producto ?? '');
    const { pack_id = null, cantidad } = line;
    const unidades = (pack?.pack_quantity ?? 0) * cantidad;
    return { numero: i + 1, pack_id, producto, cantidad, precio_unitario: each, precio_total: cents(each * cantidad), unidades };
  });
  const amounts = { envio: own ?? envio, descuento: descuento ?? 0 };
  const total = cents(priced.reduce((all, { precio_total }) => all + precio_total, 0) + amounts.envio - amounts.descuento);
  return {
    data: {
      precio_unitario: priced[0]?.precio_unitario ?? 0,
      ...amounts,
      total,
      lineas: priced,
      fecha_estimada: '2026-11-25T11:00:00.000Z',
    },
  };
}
const cents = (euros: number) => Math.round(euros * 100) / 100;

/** Response of an unpaged list. */
export const listed = <T>(data: T[]) => ({ success: true as const, data });

/** Response of a list with a single page. */
export const pageOf = <T>(data: T[], total = data.length) => ({
  data,
  total,
  current_page: 1,
  last_page: Math.max(1, Math.ceil(total / 20)),
  per_page: 20,
});

/** Default settings of «Configuración». */
export const theSettings = (fields: Partial<ShownSettings> = {}): ShownSettings => ({
  ...DEFAULT_SETTINGS,
  ...(Object.fromEntries(SECRET_NAMES.map((name) => [`${name}Set`, false])) as Record<`${SecretName}Set`, false>),
  logo: null,
  version: 1,
  ...fields,
});

type PageAsked = { page?: unknown; per_page?: unknown };
/** Requested page of a list, cut as the server does. */
export const pageAsked = <T>(data: T[], { page = 1, per_page = 20 }: PageAsked) => {
  const [at, rows] = [Number(page), Number(per_page)];
  return asPage(data.slice((at - 1) * rows, at * rows), data.length, { page: at, per_page: rows });
};

/** Requested page of orders, sorted; supports the filters search, estado, deleted, town, carrier and company. */
export function pedidosAsked(all: readonly Pedido[], query: QueryIn<typeof listPedidos>) {
  const { search = '', estado, eliminados, ciudad, transportista_id: carrier, empresa_transporte: company, sort, dir } = query;
  const found = all.filter(
    (pedido) =>
      !!pedido.deleted_at === (eliminados === 'si') &&
      plain(`${pedido.cliente_nombre} ${pedido.numero_orden}`).includes(plain(search)) &&
      (!estado || estado.split(',').includes(pedido.estado)) &&
      (!ciudad || pedido.cliente_ciudad === ciudad) &&
      (!carrier || (pedido.transportista_id ?? 'sin') === carrier) &&
      (!company || pedido.empresa_transporte === company),
  );
  const by = (pedido: Pedido) => String(pedido[sort ?? 'fecha_pedido']);
  const sorted = sort && sort !== 'fecha_pedido' ? found.toSorted((a, b) => by(a).localeCompare(by(b), 'es')) : found;
  return pageAsked(sort && sort !== 'fecha_pedido' && dir === 'desc' ? sorted.toReversed() : sorted, query);
}
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A private view of «Pedidos» without filters. */
export function aVista(fields: Partial<Vista> = {}): Vista {
  const n = ++serial;
  return { ...(emptyOf(vista) as Vista), nombre: `Vista ${n}`, de: 'Ada Ruiz', mia: true, version: 1, ...fields };
}
