import { type Pedido, pedido } from '../../contract/pedidos.ts';
import type { Role } from '../../contract/policy.ts';
import { type Pack, type Product, pack, product } from '../../contract/products.ts';
import { type User, user } from '../../contract/users.ts';
import { emptyOf, uuid } from './empty-answer.ts';

/* Records as the server answers them, for component tests; each test says only what it is about. */

let serial = 0;
const today = () => new Date().toISOString();

/** An order that waits for a carrier: one pack at 25 €. */
export function aPedido(given: Partial<Pedido> = {}): Pedido {
  const n = ++serial;
  return {
    ...(emptyOf(pedido) as Pedido),
    numero_orden: `ORD-2026${String(n).padStart(6, '0')}`,
    cliente_nombre: `Cliente ${n}`,
    cliente_direccion: `Calle Mayor ${n}`,
    producto: 'Aceite – Caja',
    cantidad: 1,
    num_lineas: 1,
    precio_unitario: 25,
    precio_total: 25,
    estado: 'pendiente',
    fecha_pedido: today(),
    created_at: today(),
    updated_at: today(),
    version: 1,
    ...given,
  };
}

export function aProduct(given: Partial<Product> = {}): Product {
  const n = ++serial;
  return {
    ...(emptyOf(product) as Product),
    name: `Producto ${n}`,
    stock: 1000,
    is_active: true,
    created_at: today(),
    version: 1,
    ...given,
  };
}

/** A pack that can be ordered. */
export function aPack(given: Partial<Pack> = {}): Pack {
  const n = ++serial;
  return {
    ...(emptyOf(pack) as Pack),
    name: `Pack ${n}`,
    alias: `P${n}`,
    pack_quantity: 1,
    pack_price: 25,
    is_active: true,
    version: 1,
    ...given,
  };
}

export function aUser(role: Role, given: Partial<User> = {}): User {
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
    ...given,
  };
}

/** A list without pages. */
export const listed = <T>(data: T[]) => ({ success: true as const, data });

/** The only page of a list. */
export const pageOf = <T>(data: T[], total = data.length) => ({
  data,
  total,
  current_page: 1,
  last_page: Math.max(1, Math.ceil(total / 20)),
  per_page: 20,
});
