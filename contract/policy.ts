import type { Estado } from './pedidos.flow.ts';

export const ROLES = ['superadmin', 'revendedor', 'transportista'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_LABEL: Record<Role, string> = {
  superadmin: 'Administrador',
  revendedor: 'Revendedor',
  transportista: 'Transportista',
};

/** The page each role calls home (specification, section 2.1). */
export const HOME: Record<Role, string> = {
  superadmin: '/',
  revendedor: '/revendedor-dashboard',
  transportista: '/transportista-dashboard',
};

/** Who acts. `sistema` is the program itself: payment notifications, scheduled jobs, the first start. */
export type Actor =
  | { id: string; role: Role; full_name: string; ip?: string | undefined }
  | { id: null; role: 'sistema'; full_name: 'Sistema'; ip?: undefined };
export const SISTEMA: Actor = { id: null, role: 'sistema', full_name: 'Sistema' };

/** The part of an order that permissions look at. */
export type PedidoFacts = {
  estado: Estado;
  revendedor_id: string | null;
  transportista_id: string | null;
  deleted_at?: string | null;
};
type UserFacts = { id: string; role: Role };

const is = (actor: Actor, ...roles: Role[]) => actor.role === 'sistema' || (roles as string[]).includes(actor.role);
const owns = (actor: Actor, p: PedidoFacts) => actor.role === 'revendedor' && p.revendedor_id === actor.id;
const carries = (actor: Actor, p: PedidoFacts) => actor.role === 'transportista' && p.transportista_id === actor.id;
const open = (p: PedidoFacts) => p.estado === 'pendiente' && p.transportista_id === null;
const alive = (p: PedidoFacts) => !p.deleted_at;

/**
 * Every permission of the product: a pure function of the actor and, where it depends on one, the record.
 * The server enforces them; the browser asks them to decide what to show. `server/pedidos/scope.ts`
 * is the SQL twin of `pedido:read`, and a test holds the two together.
 */
const RULES = {
  'pedido:read': (a: Actor, p: PedidoFacts) =>
    is(a, 'superadmin') || (alive(p) && (owns(a, p) || carries(a, p) || (a.role === 'transportista' && open(p)))),
  /** Prices, totals and payment links: never for a carrier (design, section 4.13). */
  'pedido:prices': (a: Actor) => is(a, 'superadmin', 'revendedor'),
  /** Phone, door and instructions: a carrier only after taking the order. */
  'pedido:contact': (a: Actor, p: PedidoFacts) => is(a, 'superadmin') || owns(a, p) || carries(a, p),
  'pedido:create': (a: Actor) => is(a, 'superadmin', 'revendedor'),
  /** Own reseller, price, state and number; everybody else gets the pack's price. */
  'pedido:create-free': (a: Actor) => is(a, 'superadmin'),
  'pedido:edit': (a: Actor, p: PedidoFacts) => is(a, 'superadmin') && alive(p) && p.estado !== 'cancelado',
  'pedido:assign': (a: Actor, p: PedidoFacts) => is(a, 'superadmin') && alive(p),
  'pedido:take': (a: Actor, p: PedidoFacts) => a.role === 'transportista' && alive(p) && open(p),
  'pedido:delete': (a: Actor, p: PedidoFacts) => is(a, 'superadmin') && alive(p),
  'pedido:restore': (a: Actor, p: PedidoFacts) => is(a, 'superadmin') && !alive(p),
  'pedido:duplicate': (a: Actor) => is(a, 'superadmin'),
  'pedido:history': (a: Actor, p: PedidoFacts) => is(a, 'superadmin') || (alive(p) && owns(a, p)),
  /** The payments of an order, and noting that one was given back. */
  'pago:manage': (a: Actor) => is(a, 'superadmin'),
  'product:manage': (a: Actor) => is(a, 'superadmin'),
  'user:manage': (a: Actor) => is(a, 'superadmin'),
  'user:delete': (a: Actor, u: UserFacts) => is(a, 'superadmin') && u.id !== a.id,
  'audit:read': (a: Actor) => is(a, 'superadmin'),
  /** Figures of the whole business; one's own need no permission. */
  'stats:read': (a: Actor) => is(a, 'superadmin'),
  'data:export': (a: Actor) => is(a, 'superadmin'),
  'settings:manage': (a: Actor) => is(a, 'superadmin'),
  /** A backup holds everything, password hashes included. */
  'backup:manage': (a: Actor) => is(a, 'superadmin'),
} as const;

export type Action = keyof typeof RULES;
type Rec<A extends Action> = Parameters<(typeof RULES)[A]>[1];

/** True when `actor` may do `action` (to `record`, for the actions that look at one). */
export function can<A extends Action>(actor: Actor, action: A, ...record: Rec<A> extends undefined ? [] : [Rec<A>]): boolean {
  const rule = RULES[action] as (actor: Actor, record?: unknown) => boolean;
  return rule(actor, record[0]);
}
