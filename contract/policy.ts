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

/** Whoever has signed in. */
export type Person = { id: string; role: Role; full_name: string; ip?: string | undefined };
/** Who acts. `sistema` is the program itself: payment notifications, scheduled jobs, the first start. */
export type Actor = Person | { id: null; role: 'sistema'; full_name: 'Sistema'; ip?: undefined };
export const SISTEMA: Actor = { id: null, role: 'sistema', full_name: 'Sistema' };

/** The part of an order that permissions look at. */
export type PedidoFacts = {
  estado: Estado;
  revendedor_id: string | null;
  transportista_id: string | null;
  deleted_at?: string | null;
};
type UserFacts = { id: string };

/** Stands in a condition for the id of whoever acts. */
export const SELF = Symbol('self');
type Column<R> = { [C in keyof R & string]: { column: C; is: Exclude<R[C], undefined> | typeof SELF } }[keyof R & string];
/** What must hold of a record. Plain data: `can` evaluates it, and `server/pedidos/scope.ts` turns it into SQL. */
export type Condition<R = Record<string, unknown>> =
  | Column<R>
  | { all: readonly Condition<R>[] }
  | { any: readonly Condition<R>[] }
  | { not: Condition<R> };
/** For each role that may ever do an action, to which records. */
type Rules<R> = Record<string, Partial<Record<Role, Condition<R>>>>;

const ALWAYS = { all: [] } as const;
const NEVER = { any: [] } as const;

const ALIVE: Condition<PedidoFacts> = { column: 'deleted_at', is: null };
const SOLD: Condition<PedidoFacts> = { all: [ALIVE, { column: 'revendedor_id', is: SELF }] };
const CARRIED: Condition<PedidoFacts> = { all: [ALIVE, { column: 'transportista_id', is: SELF }] };
const OPEN: Condition<PedidoFacts> = { all: [ALIVE, { column: 'estado', is: 'pendiente' }, { column: 'transportista_id', is: null }] };

/** Actions upon one order. */
export const PEDIDO_RULES = {
  'pedido:read': { superadmin: ALWAYS, revendedor: SOLD, transportista: { any: [CARRIED, OPEN] } },
  /** The orders of one's own lists. */
  'pedido:list': { superadmin: ALIVE, revendedor: SOLD, transportista: CARRIED },
  /** Phone, door and instructions: a carrier only after taking the order. */
  'pedido:contact': { superadmin: ALWAYS, revendedor: SOLD, transportista: CARRIED },
  'pedido:edit': { superadmin: { all: [ALIVE, { not: { column: 'estado', is: 'cancelado' } }] } },
  'pedido:assign': { superadmin: ALIVE },
  'pedido:take': { transportista: OPEN },
  'pedido:delete': { superadmin: ALIVE },
  'pedido:restore': { superadmin: { not: ALIVE } },
  'pedido:history': { superadmin: ALWAYS, revendedor: SOLD },
} satisfies Rules<PedidoFacts>;

/** Actions upon one person. */
const USER_RULES = {
  'user:delete': { superadmin: { not: { column: 'id', is: SELF } } },
} satisfies Rules<UserFacts>;

/** Actions that depend on no record. */
const GENERAL_RULES = {
  /** Prices, totals and payment links: never for a carrier (design, section 4.13). */
  'pedido:prices': { superadmin: ALWAYS, revendedor: ALWAYS },
  'pedido:create': { superadmin: ALWAYS, revendedor: ALWAYS },
  /** Own reseller, price, state and number; everybody else gets the pack's price. */
  'pedido:create-free': { superadmin: ALWAYS },
  'pedido:duplicate': { superadmin: ALWAYS },
  /** Changing the estado at all; the state table says who may make which change. */
  'pedido:transition': { superadmin: ALWAYS, revendedor: ALWAYS, transportista: ALWAYS },
  /** Doing one thing to many orders; each asks for its own permission too. */
  'pedido:batch': { superadmin: ALWAYS },
  /** Known customers, from the orders of one's own lists. */
  'cliente:read': { superadmin: ALWAYS, revendedor: ALWAYS },
  /** The payments of an order, and noting that one was given back. */
  'pago:manage': { superadmin: ALWAYS },
  'product:manage': { superadmin: ALWAYS },
  /** Packs that an order may be made of. */
  'pack:read': { superadmin: ALWAYS, revendedor: ALWAYS },
  'user:manage': { superadmin: ALWAYS },
  'audit:read': { superadmin: ALWAYS },
  'audit:hide': { superadmin: ALWAYS },
  /** Figures of the whole business. */
  'stats:read': { superadmin: ALWAYS },
  /** Figures of what one has sold oneself, and of what one carries. */
  'stats:sold': { revendedor: ALWAYS },
  'stats:carried': { transportista: ALWAYS },
  'data:export': { superadmin: ALWAYS },
  'settings:manage': { superadmin: ALWAYS },
  /** A backup holds everything, password hashes included. */
  'backup:manage': { superadmin: ALWAYS },
  /** The description of the programming interface. */
  'api:describe': { superadmin: ALWAYS },
} satisfies Rules<object>;

/** Every permission of the product. The server enforces them; the browser asks them to decide what to show. */
const RULES = { ...PEDIDO_RULES, ...USER_RULES, ...GENERAL_RULES };
export type Action = keyof typeof RULES;
export type PedidoAction = keyof typeof PEDIDO_RULES;
type RecordOf<A extends Action> = A extends PedidoAction ? PedidoFacts : A extends keyof typeof USER_RULES ? UserFacts : undefined;

/** True for the name of a permission. */
export const isAction = (name: string): name is Action => Object.hasOwn(RULES, name);

const ruleOf = (action: Action): Partial<Record<Role, Condition>> => RULES[action];

/** The roles that may do `action`, at least to some record. */
export const rolesOf = (action: Action): readonly Role[] => ROLES.filter((role) => ruleOf(action)[role]);

/** What must hold of a record for `actor` to do `action` to it; the program itself may what a superadmin may. */
export const conditionOf = (actor: Actor, action: Action): Condition =>
  ruleOf(action)[actor.role === 'sistema' ? 'superadmin' : actor.role] ?? NEVER;

/** True when `actor` may do `action` (to `record`, for the actions that look at one). */
export function can<A extends Action>(actor: Actor, action: A, ...record: RecordOf<A> extends undefined ? [] : [RecordOf<A>]): boolean {
  return holds(conditionOf(actor, action), actor, (record[0] ?? {}) as Record<string, unknown>);
}

/** True when `record` is as `condition` says, to the one who acts. */
export function holds(condition: Condition, actor: Actor, record: Record<string, unknown>): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, actor, record));
  if ('any' in condition) return condition.any.some((part) => holds(part, actor, record));
  if ('not' in condition) return !holds(condition.not, actor, record);
  const value = record[condition.column] ?? null;
  return condition.is === SELF ? value !== null && value === actor.id : value === condition.is;
}
