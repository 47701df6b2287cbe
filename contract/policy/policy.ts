import { type Condition, conditionHolds, SELF } from '../kit/condition.ts';
import { SIN_TOMAR } from '../pedidos/estados.ts';
import {
  ALIVE,
  ANSWERED,
  AT_HAND,
  CARRIED,
  type CajaFacts,
  type ClienteFacts,
  inEstados,
  type LiquidacionFacts,
  OPEN,
  OWN_CLIENTE,
  type PedidoFacts,
  SOLD,
  TO_DELIVER,
  UNPAID,
  type UserFacts,
  type WebhookFacts,
} from './facts.ts';

export const ROLES = ['superadmin', 'revendedor', 'transportista'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_LABEL: Record<Role, string> = {
  superadmin: 'Administrador',
  revendedor: 'Revendedor',
  transportista: 'Transportista',
};

/** Roles that need a second factor under the setting `twoFactorAuth`. */
export const SECOND_FACTOR: readonly Role[] = ['superadmin'];

/** Home page of each role (specification, section 2.1). */
export const HOME: Record<Role, string> = {
  superadmin: '/',
  revendedor: '/revendedor-dashboard',
  transportista: '/transportista-dashboard',
};

/** `device` identifies the browser of the sign-in. */
export type Person = { id: string; role: Role; full_name: string; ip?: string | undefined; device?: string };
/** A program with the API key `id`: the permissions of a superadmin, limited to `scopes`. */
export type Program = { id: string; role: 'programa'; full_name: string; ip?: string | undefined; scopes: readonly Action[] };
export type Caller = Person | Program;
/** Author of an action. `sistema`: payment notifications, customers' pages, jobs, commands and the first start. */
export type Actor = Caller | { id: null; role: 'sistema'; full_name: 'Sistema'; ip?: undefined };
export const SISTEMA: Actor = { id: null, role: 'sistema', full_name: 'Sistema' };

type Rules<R> = Record<string, Partial<Record<Role, Condition<R>>>>;

const ALWAYS = { all: [] } as const;
const NEVER = { any: [] } as const;

const BY_OFFICE = { superadmin: ALIVE };
const BY_CARRIER = { superadmin: ALIVE, transportista: CARRIED };

const PASO_RULES = {
  'paso:pagar': BY_OFFICE,
  'paso:asignar': { superadmin: { all: [ALIVE, AT_HAND] } },
  'paso:tomar': { transportista: OPEN },
  'paso:preparar': { superadmin: { all: [ALIVE, ANSWERED, AT_HAND] }, transportista: { all: [CARRIED, ANSWERED, AT_HAND] } },
  'paso:salir': { superadmin: { all: [ALIVE, ANSWERED, AT_HAND] }, transportista: { all: [CARRIED, ANSWERED, AT_HAND] } },
  'paso:completar': BY_CARRIER,
  'paso:fallar': BY_CARRIER,
  'paso:volver': BY_CARRIER,
  'paso:devolver': BY_CARRIER,
  'paso:cancelar': { superadmin: ALIVE, revendedor: UNPAID },
} satisfies Rules<PedidoFacts>;

/** Taking the last step back (contract/pedidos/reversals.ts): a carrier only the own ones, for a time. */
const BACK_RULES = {
  'paso:volver_de_ruta': BY_CARRIER,
  'paso:deshacer_entrega': BY_CARRIER,
  'paso:reabrir': BY_OFFICE,
} satisfies Rules<PedidoFacts>;

export const PEDIDO_RULES = {
  ...PASO_RULES,
  ...BACK_RULES,
  'pedido:read': { superadmin: ALWAYS, revendedor: SOLD, transportista: { any: [CARRIED, OPEN] } },
  'pedido:list': { superadmin: ALIVE, revendedor: SOLD, transportista: CARRIED },
  /** Phone, door and instructions: hidden from carriers until they take the order. */
  'pedido:contact': { superadmin: ALWAYS, revendedor: SOLD, transportista: CARRIED },
  /** Read the amount to collect at the door: only the carrier of an order paid on delivery (decision 051). */
  'pedido:collect': { transportista: { all: [CARRIED, { column: 'contra_reembolso', is: true }] } },
  'pedido:edit': {
    superadmin: { all: [ALIVE, { not: { column: 'estado', is: 'cancelado' } }] },
    revendedor: UNPAID,
  },
  /** Change lines, shipping and discount: until assignment; for a reseller, until payment. */
  'pedido:edit-lines': {
    superadmin: { all: [ALIVE, inEstados(SIN_TOMAR)] },
    revendedor: UNPAID,
  },
  /** Change the delivery day at the customer's wish, or answer after failed attempts, while the order is still to be delivered. */
  'pedido:postpone': { superadmin: { all: [ALIVE, TO_DELIVER] }, revendedor: { all: [SOLD, TO_DELIVER] } },
  'pedido:assign': { superadmin: ALIVE },
  /** Declare an order a separate sale: not counted with the customer's other orders of the day. */
  'pedido:separate-sale': { superadmin: { all: [ALIVE, { not: { column: 'estado', is: 'cancelado' } }] } },
  'pedido:take': { transportista: OPEN },
  'pedido:delete': { superadmin: ALIVE },
  'pedido:restore': { superadmin: { not: ALIVE } },
  'pedido:history': { superadmin: ALWAYS, revendedor: SOLD },
  'pedido:returns': { superadmin: ALWAYS, revendedor: SOLD },
  'pedido:prove': BY_CARRIER,
  'pedido:proofs': { superadmin: ALWAYS, revendedor: SOLD },
  'pedido:label': BY_CARRIER,
  'pedido:load': { transportista: CARRIED },
  'pedido:route': { transportista: CARRIED },
  'pedido:comment': { superadmin: ALWAYS, revendedor: SOLD, transportista: CARRIED },
} satisfies Rules<PedidoFacts>;

const USER_RULES = {
  'user:delete': { superadmin: { not: { column: 'id', is: SELF } } },
} satisfies Rules<UserFacts>;

export const LIQUIDACION_RULES = {
  /** Read earnings; resellers and carriers see only their own. */
  'liquidacion:read': {
    superadmin: ALWAYS,
    revendedor: { column: 'user_id', is: SELF },
    transportista: { column: 'user_id', is: SELF },
  },
} satisfies Rules<LiquidacionFacts>;

const CAJA_RULES = {
  /** Read the cash that a carrier holds or has handed over. */
  'caja:read': { superadmin: ALWAYS, transportista: { column: 'transportista_id', is: SELF } },
} satisfies Rules<CajaFacts>;

export const CLIENTE_RULES = {
  'cliente:read': { superadmin: ALWAYS, revendedor: OWN_CLIENTE },
  'cliente:manage': { superadmin: ALWAYS, revendedor: OWN_CLIENTE },
  'cliente:block': { superadmin: ALWAYS },
} satisfies Rules<ClienteFacts>;

const WEBHOOK_RULES = {
  /** Sensitive: a webhook sends orders and customers to another program. */
  'webhook:manage': { superadmin: ALWAYS },
} satisfies Rules<WebhookFacts>;

/** Rules for programs that are narrower than a superadmin's. */
const PROGRAM_RULES: Partial<Record<keyof typeof WEBHOOK_RULES, Condition<WebhookFacts>>> = {
  'webhook:manage': { column: 'api_key_id', is: SELF },
};

const GENERAL_RULES = {
  /** Prices, totals and payment links: never for a carrier (design, section 4.13). */
  'pedido:prices': { superadmin: ALWAYS, revendedor: ALWAYS },
  'pedido:create': { superadmin: ALWAYS, revendedor: ALWAYS },
  /** Choose reseller, state, number, and a price other than the pack's. */
  'pedido:create-free': { superadmin: ALWAYS },
  /** Create orders for which another program has already been paid. */
  'pedido:create-paid': { superadmin: ALWAYS },
  'pedido:undo-imports': { superadmin: ALWAYS },
  /** Write fields of the office, such as the external reference of an order. */
  'pedido:office': { superadmin: ALWAYS },
  'pedido:metadata': { superadmin: ALWAYS },
  'cliente:metadata': { superadmin: ALWAYS },
  'pedido:promise': { superadmin: ALWAYS },
  'pedido:duplicate': { superadmin: ALWAYS },
  /** Change any estado; each transition has its own rule. */
  'pedido:transition': { superadmin: ALWAYS, revendedor: ALWAYS, transportista: ALWAYS },
  /** Take steps back; each way back has its own rule. */
  'pedido:undo': { superadmin: ALWAYS, transportista: ALWAYS },
  /** Report when a step recorded without coverage happened. */
  'paso:own-time': { transportista: ALWAYS },
  /** Queue steps and comments on the device until there is coverage. */
  'device:outbox': { transportista: ALWAYS },
  /** Cache the app, the session and the last responses on the device; except for carriers, only if the session is remembered there. */
  'device:answers': { revendedor: ALWAYS, transportista: ALWAYS },
  /** Read the customers' notes in lists of orders. */
  'pedido:notes-in-list': { transportista: ALWAYS },
  /** Read who took the order away from its carrier. */
  'pedido:withdrawn': { transportista: ALWAYS },
  /** Have delivery zones. */
  'reparto:zonas': { transportista: ALWAYS },
  /** Complete without the proof that the settings require of carriers. */
  'pedido:without-proof': { superadmin: ALWAYS },
  /** Batch operations; each also requires the permission of its action. */
  'pedido:batch': { superadmin: ALWAYS },
  'comment:any': { superadmin: ALWAYS },
  /** Payments, refunds, and payments that match no order. */
  'pago:manage': { superadmin: ALWAYS },
  'pago:read': { superadmin: ALWAYS },
  'devolucion:manage': { superadmin: ALWAYS },
  'product:manage': { superadmin: ALWAYS },
  'price:manage': { superadmin: ALWAYS },
  'liquidacion:manage': { superadmin: ALWAYS },
  /** Carriers hand over their own cash; superadmins confirm the amount received. */
  'caja:deliver': { transportista: ALWAYS },
  'caja:confirm': { superadmin: ALWAYS },
  'pack:read': { superadmin: ALWAYS, revendedor: ALWAYS },
  'user:manage': { superadmin: ALWAYS },
  'audit:read': { superadmin: ALWAYS },
  'job:read': { superadmin: ALWAYS },
  'audit:hide': { superadmin: ALWAYS },
  'cuadre:manage': { superadmin: ALWAYS },
  'stats:read': { superadmin: ALWAYS },
  'stats:sold': { revendedor: ALWAYS },
  'stats:carried': { transportista: ALWAYS },
  'data:export': { superadmin: ALWAYS },
  'settings:manage': { superadmin: ALWAYS },
  /** Sensitive: a backup holds everything, password hashes included. */
  'backup:manage': { superadmin: ALWAYS },
  /** Sensitive: find, export, block and anonymise personal data. */
  'privacidad:manage': { superadmin: ALWAYS },
  'vista:manage': { superadmin: ALWAYS, revendedor: ALWAYS },
  /** Connected web shops, their waiting orders, and the packs and payments of their products. */
  'tienda:manage': { superadmin: ALWAYS },
  /** Rows for the invoicing program; `take` marks them as invoiced. */
  'factura:read': { superadmin: ALWAYS },
  'factura:take': { superadmin: ALWAYS },
  'iva:fill': { superadmin: ALWAYS },
  /** Share a view with everyone who has the list, and change shared views. */
  'vista:share': { superadmin: ALWAYS },
  'apikey:manage': { superadmin: ALWAYS },
  /** Read events; each event also requires the permission of its subject (contract/webhooks/fields.ts). */
  'evento:read': { superadmin: ALWAYS },
  'api:describe': { superadmin: ALWAYS },
} satisfies Rules<object>;

/** All permissions. The server enforces them; the browser uses them to choose what to show. */
export const RULES = {
  ...PEDIDO_RULES,
  ...USER_RULES,
  ...CLIENTE_RULES,
  ...LIQUIDACION_RULES,
  ...CAJA_RULES,
  ...WEBHOOK_RULES,
  ...GENERAL_RULES,
};
export type Action = keyof typeof RULES;
export type PedidoAction = keyof typeof PEDIDO_RULES;
export type ClienteAction = keyof typeof CLIENTE_RULES;
type RecordOf<A extends Action> = A extends PedidoAction
  ? PedidoFacts
  : A extends keyof typeof USER_RULES
    ? UserFacts
    : A extends keyof typeof CAJA_RULES
      ? CajaFacts
      : A extends keyof typeof LIQUIDACION_RULES
        ? LiquidacionFacts
        : A extends ClienteAction
          ? ClienteFacts
          : A extends keyof typeof WEBHOOK_RULES
            ? WebhookFacts
            : undefined;

export const isAction = (name: string): name is Action => Object.hasOwn(RULES, name);

const ruleOf = (action: Action): Partial<Record<Role, Condition>> => RULES[action];

/** Roles allowed to do `action` on at least some records. */
export const rolesOf = (action: Action): readonly Role[] => ROLES.filter((role) => ruleOf(action)[role]);

/** True if `role` may do `action` on at least some records. */
export const roleMay = (role: Role, action: Action): boolean => rolesOf(action).includes(role);

/** Permissions included in a permission of a key, because the endpoints of the key's permission need them. */
const INCLUDES: Partial<Record<Action, readonly Action[]>> = {
  'pedido:transition': [...(Object.keys(PASO_RULES) as (keyof typeof PASO_RULES)[]), 'pedido:without-proof'],
  'pedido:undo': Object.keys(BACK_RULES) as (keyof typeof BACK_RULES)[],
  'pedido:assign': ['paso:asignar', 'paso:devolver'],
  'pago:manage': ['paso:pagar', 'pago:read'],
  'pedido:create-paid': ['paso:pagar'],
};

/** Condition a record must meet for `actor` to do `action`; programs and `sistema` have the rules of a superadmin, or narrower ones. */
export function accessCondition(actor: Actor, action: Action): Condition {
  if (actor.role === 'programa' && !actor.scopes.some((scope) => scope === action || INCLUDES[scope]?.includes(action))) return NEVER;
  const narrower: Condition | undefined =
    actor.role === 'programa' ? (PROGRAM_RULES as Partial<Record<Action, Condition>>)[action] : undefined;
  if (narrower) return narrower;
  const role = actor.role === 'programa' || actor.role === 'sistema' ? 'superadmin' : actor.role;
  // An unknown role has no rule, not even one inherited from Object.
  return (ROLES.includes(role) && ruleOf(action)[role]) || NEVER;
}

/** True if `action` covers everyone's records, not only the actor's own. */
export const ofEverybody = (actor: Actor, action: Action): boolean =>
  !JSON.stringify(accessCondition(actor, action), (_, value) => (value === SELF ? 'SELF' : value)).includes('"SELF"');

/** True if `actor` may do `action` on at least some records. */
export const mayEver = (actor: Actor, action: Action): boolean => accessCondition(actor, action) !== NEVER;

/** Id of the key; null for people and `sistema`. */
export const programIdOf = ({ role, id }: Actor): string | null => (role === 'programa' ? id : null);

/** Id of the person; null for programs and `sistema`. */
export const personIdOf = ({ role, id }: Actor): string | null => (role === 'programa' ? null : id);

/** True if `actor` may do `action` (on `record`, for actions that depend on one). */
export const can = <A extends Action>(actor: Actor, action: A, ...record: RecordOf<A> extends undefined ? [] : [RecordOf<A>]): boolean =>
  conditionHolds(accessCondition(actor, action), actor, (record[0] ?? {}) as Record<string, unknown>);
