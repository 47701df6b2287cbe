import type { Estado } from './pedidos.flow.ts';

export const ROLES = ['superadmin', 'revendedor', 'transportista'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_LABEL: Record<Role, string> = {
  superadmin: 'Administrador',
  revendedor: 'Revendedor',
  transportista: 'Transportista',
};

/** Roles of which the setting `twoFactorAuth` demands a second factor. */
export const SECOND_FACTOR: readonly Role[] = ['superadmin'];

/** The page each role calls home (specification, section 2.1). */
export const HOME: Record<Role, string> = {
  superadmin: '/',
  revendedor: '/revendedor-dashboard',
  transportista: '/transportista-dashboard',
};

/** A signed-in person; `device` is the browser in which they signed in. */
export type Person = { id: string; role: Role; full_name: string; ip?: string | undefined; device?: string };
/** A program with an API key; `id` is the key's. Of what a superadmin may do, its key allows only `scopes`. */
export type Program = { id: string; role: 'programa'; full_name: string; ip?: string | undefined; scopes: readonly Action[] };
/** Sender of a request. */
export type Caller = Person | Program;
/** Author of an action. `sistema` is Enruta itself: payment notifications, scheduled jobs, first start. */
export type Actor = Caller | { id: null; role: 'sistema'; full_name: 'Sistema'; ip?: undefined };
export const SISTEMA: Actor = { id: null, role: 'sistema', full_name: 'Sistema' };

/** Order fields that permissions depend on. */
export type PedidoFacts = {
  estado: Estado;
  revendedor_id: string | null;
  transportista_id: string | null;
  deleted_at?: string | null;
};
type UserFacts = { id: string };
type LiquidacionFacts = { user_id: string };
/** Whose customer it is; null is the house. */
type ClienteFacts = { revendedor_id: string | null };

/** Placeholder for the actor's id in a condition. */
export const SELF = Symbol('self');
type Column<R> = { [C in keyof R & string]: { column: C; is: Exclude<R[C], undefined> | typeof SELF } }[keyof R & string];
/** Condition on a record. Plain data, so that `can` can evaluate it and `server/pedidos/scope.ts` turn it into SQL. */
export type Condition<R = Record<string, unknown>> =
  | Column<R>
  | { all: readonly Condition<R>[] }
  | { any: readonly Condition<R>[] }
  | { not: Condition<R> };
/** For each action, the roles allowed and the records each may act on. */
type Rules<R> = Record<string, Partial<Record<Role, Condition<R>>>>;

const ALWAYS = { all: [] } as const;
const NEVER = { any: [] } as const;

export const ALIVE: Condition<PedidoFacts> = { column: 'deleted_at', is: null };
export const SOLD: Condition<PedidoFacts> = { all: [ALIVE, { column: 'revendedor_id', is: SELF }] };
export const CARRIED: Condition<PedidoFacts> = { all: [ALIVE, { column: 'transportista_id', is: SELF }] };
const OPEN: Condition<PedidoFacts> = { all: [ALIVE, { column: 'estado', is: 'pendiente' }, { column: 'transportista_id', is: null }] };

const UNPAID: Condition<PedidoFacts> = { all: [SOLD, { column: 'estado', is: 'pendiente_pago' }] };

const BY_OFFICE = { superadmin: ALIVE };
const BY_CARRIER = { superadmin: ALIVE, transportista: CARRIED };

/** Transitions of an order, each by its name; `contract/pedidos.flow.ts` says from which estados they start. */
const PASO_RULES = {
  'paso:pagar': BY_OFFICE,
  'paso:asignar': BY_OFFICE,
  'paso:tomar': { transportista: OPEN },
  'paso:preparar': BY_CARRIER,
  'paso:salir': BY_CARRIER,
  'paso:completar': BY_CARRIER,
  'paso:fallar': BY_CARRIER,
  'paso:volver': BY_CARRIER,
  'paso:devolver': BY_CARRIER,
  'paso:cancelar': { superadmin: ALIVE, revendedor: UNPAID },
} satisfies Rules<PedidoFacts>;

/** Actions on an order. */
export const PEDIDO_RULES = {
  ...PASO_RULES,
  'pedido:read': { superadmin: ALWAYS, revendedor: SOLD, transportista: { any: [CARRIED, OPEN] } },
  /** Orders in the caller's own lists. */
  'pedido:list': { superadmin: ALIVE, revendedor: SOLD, transportista: CARRIED },
  /** Phone, door and instructions: hidden from a carrier until it takes the order. */
  'pedido:contact': { superadmin: ALWAYS, revendedor: SOLD, transportista: CARRIED },
  'pedido:edit': {
    superadmin: { all: [ALIVE, { not: { column: 'estado', is: 'cancelado' } }] },
    revendedor: UNPAID,
  },
  /** Change lines, shipping and discount: until the order is assigned, and a reseller only what is unpaid. */
  'pedido:edit-lines': {
    superadmin: {
      all: [
        ALIVE,
        {
          any: [
            { column: 'estado', is: 'pendiente_pago' },
            { column: 'estado', is: 'pendiente' },
          ],
        },
      ],
    },
    revendedor: UNPAID,
  },
  'pedido:assign': { superadmin: ALIVE },
  'pedido:take': { transportista: OPEN },
  'pedido:delete': { superadmin: ALIVE },
  'pedido:restore': { superadmin: { not: ALIVE } },
  'pedido:history': { superadmin: ALWAYS, revendedor: SOLD },
  /** What has been given back of an order. */
  'pedido:returns': { superadmin: ALWAYS, revendedor: SOLD },
  /** Write about an order, and read what others wrote; a carrier reads only their own. */
  'pedido:comment': { superadmin: ALWAYS, revendedor: SOLD, transportista: CARRIED },
} satisfies Rules<PedidoFacts>;

/** Actions on a person. */
const USER_RULES = {
  'user:delete': { superadmin: { not: { column: 'id', is: SELF } } },
} satisfies Rules<UserFacts>;

/** Actions on a statement, or on a line that is in none yet. */
export const LIQUIDACION_RULES = {
  /** The only money that a carrier ever sees: their own fees. */
  'liquidacion:read': {
    superadmin: ALWAYS,
    revendedor: { column: 'user_id', is: SELF },
    transportista: { column: 'user_id', is: SELF },
  },
} satisfies Rules<LiquidacionFacts>;

const OWN_CLIENTE: Condition<ClienteFacts> = { column: 'revendedor_id', is: SELF };

/** Actions on a customer. */
export const CLIENTE_RULES = {
  'cliente:read': { superadmin: ALWAYS, revendedor: OWN_CLIENTE },
  /** Write the note, say that they want to be told before a delivery, join and take apart. */
  'cliente:manage': { superadmin: ALWAYS, revendedor: OWN_CLIENTE },
  /** Let resellers take no more orders of them. */
  'cliente:block': { superadmin: ALWAYS },
} satisfies Rules<ClienteFacts>;

/** Actions that do not depend on a record. */
const GENERAL_RULES = {
  /** Prices, totals and payment links: never for a carrier (design, section 4.13). */
  'pedido:prices': { superadmin: ALWAYS, revendedor: ALWAYS },
  'pedido:create': { superadmin: ALWAYS, revendedor: ALWAYS },
  /** Choose reseller, price, state and number; everyone else gets the pack's price. */
  'pedido:create-free': { superadmin: ALWAYS },
  /** Write what is the office's alone, such as its own reference of an order. */
  'pedido:office': { superadmin: ALWAYS },
  /** Set the promised date, which otherwise follows the payment. */
  'pedido:promise': { superadmin: ALWAYS },
  'pedido:duplicate': { superadmin: ALWAYS },
  /** Change an estado at all; each transition has a rule of its own. */
  'pedido:transition': { superadmin: ALWAYS, revendedor: ALWAYS, transportista: ALWAYS },
  /** Batch operations; each also requires the permission of its own action. */
  'pedido:batch': { superadmin: ALWAYS },
  /** Be named in the comments of any order. */
  'comment:any': { superadmin: ALWAYS },
  /** See, note and annul payments, record refunds, and decide about those that match no order. */
  'pago:manage': { superadmin: ALWAYS },
  /** Register and annul what customers give back. */
  'devolucion:manage': { superadmin: ALWAYS },
  'product:manage': { superadmin: ALWAYS },
  /** Prices of one reseller for a pack. */
  'price:manage': { superadmin: ALWAYS },
  /** What resellers and carriers earn, closing months and paying. */
  'liquidacion:manage': { superadmin: ALWAYS },
  /** Packs that can be ordered. */
  'pack:read': { superadmin: ALWAYS, revendedor: ALWAYS },
  'user:manage': { superadmin: ALWAYS },
  'audit:read': { superadmin: ALWAYS },
  /** Background jobs that fail. */
  'job:read': { superadmin: ALWAYS },
  'audit:hide': { superadmin: ALWAYS },
  /** Recount the books, and see what differs. */
  'cuadre:manage': { superadmin: ALWAYS },
  /** Figures for the whole business. */
  'stats:read': { superadmin: ALWAYS },
  /** Figures for the caller's own sales and deliveries. */
  'stats:sold': { revendedor: ALWAYS },
  'stats:carried': { transportista: ALWAYS },
  'data:export': { superadmin: ALWAYS },
  'settings:manage': { superadmin: ALWAYS },
  /** Sensitive: a backup holds everything, password hashes included. */
  'backup:manage': { superadmin: ALWAYS },
  /** Sensitive: find, export, block and anonymise what is held about a person. */
  'privacidad:manage': { superadmin: ALWAYS },
  /** Saved views of one's lists. */
  'vista:manage': { superadmin: ALWAYS, revendedor: ALWAYS },
  /** Give a view to everybody who has the list, and change what others have given. */
  'vista:share': { superadmin: ALWAYS },
  /** Make and revoke the keys of other programs. */
  'apikey:manage': { superadmin: ALWAYS },
  /** Sensitive: a webhook sends orders, with their customers, to another program. */
  'webhook:manage': { superadmin: ALWAYS },
  /** The OpenAPI description. */
  'api:describe': { superadmin: ALWAYS },
} satisfies Rules<object>;

/** Every permission. The server enforces them; the browser uses them to decide what to show. */
export const RULES = { ...PEDIDO_RULES, ...USER_RULES, ...CLIENTE_RULES, ...LIQUIDACION_RULES, ...GENERAL_RULES };
export type Action = keyof typeof RULES;
export type PedidoAction = keyof typeof PEDIDO_RULES;
export type ClienteAction = keyof typeof CLIENTE_RULES;
type RecordOf<A extends Action> = A extends PedidoAction
  ? PedidoFacts
  : A extends keyof typeof USER_RULES
    ? UserFacts
    : A extends keyof typeof LIQUIDACION_RULES
      ? LiquidacionFacts
      : A extends ClienteAction
        ? ClienteFacts
        : undefined;

/** True if `name` is a permission. */
export const isAction = (name: string): name is Action => Object.hasOwn(RULES, name);

const ruleOf = (action: Action): Partial<Record<Role, Condition>> => RULES[action];

/** Roles that may do `action` on at least some records. */
export const rolesOf = (action: Action): readonly Role[] => ROLES.filter((role) => ruleOf(action)[role]);

/** True when people of `role` may do `action` on at least some records. */
export const roleMay = (role: Role, action: Action): boolean => rolesOf(action).includes(role);

/** Permissions of a key that include transitions: the endpoints they open end in one. */
const INCLUDES: Partial<Record<Action, readonly Action[]>> = {
  'pedido:transition': Object.keys(PASO_RULES) as (keyof typeof PASO_RULES)[],
  'pedido:assign': ['paso:asignar', 'paso:devolver'],
  'pago:manage': ['paso:pagar'],
};

/** Condition a record must meet for `actor` to do `action`; programs and `sistema` follow the rules of a superadmin. */
export function conditionOf(actor: Actor, action: Action): Condition {
  if (actor.role === 'programa' && !actor.scopes.some((scope) => scope === action || INCLUDES[scope]?.includes(action))) return NEVER;
  const role = actor.role === 'programa' || actor.role === 'sistema' ? 'superadmin' : actor.role;
  // A role that this version does not know has no rule, not even one inherited from Object.
  return (ROLES.includes(role) && ruleOf(action)[role]) || NEVER;
}

/** True when `actor` may do `action` on at least some records. */
export const mayEver = (actor: Actor, action: Action): boolean => conditionOf(actor, action) !== NEVER;

/** Id of the person who acts; null for a program and for `sistema`. */
export const personIdOf = ({ role, id }: Actor): string | null => (role === 'programa' ? null : id);

/** True when `actor` may do `action` (on `record`, for actions that depend on one). */
export function can<A extends Action>(actor: Actor, action: A, ...record: RecordOf<A> extends undefined ? [] : [RecordOf<A>]): boolean {
  return holds(conditionOf(actor, action), actor, (record[0] ?? {}) as Record<string, unknown>);
}

/** True when `record` meets `condition` for `actor`. */
export function holds(condition: Condition, actor: Actor, record: Record<string, unknown>): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, actor, record));
  if ('any' in condition) return condition.any.some((part) => holds(part, actor, record));
  if ('not' in condition) return !holds(condition.not, actor, record);
  const value = record[condition.column] ?? null;
  return condition.is === SELF ? value !== null && value === actor.id : value === condition.is;
}
