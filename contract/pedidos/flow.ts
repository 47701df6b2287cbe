import type { Wire } from '../kit/fields.ts';
import type { PedidoFacts } from '../policy/facts.ts';
import { type Actor, can, type PEDIDO_RULES, roleMay } from '../policy/policy.ts';
import { ABIERTOS, ESTADO, type Estado, POR_ENTREGAR } from './estados.ts';
import type { INPUTS, InputName } from './inputs.ts';

type Inputs = typeof INPUTS;
type Values = { [F in InputName]: Wire<Inputs[F]> } & { transportista_id: string; transportista_nombre: string };
export type TextInput = { [F in InputName]: Inputs[F]['kind'] extends 'text' | 'multiline' ? F : never }[InputName];

type Transition = {
  from: readonly Estado[];
  to: Estado;
  label: string;
  consequence: string;
  /** `final` completes the order, `danger` cannot be undone, `back` reverts. */
  tone: 'forward' | 'back' | 'danger' | 'final';
  /** Error sentence of a required input; null for an optional input. */
  input: { readonly [F in keyof Values]?: string | null };
};

const ASIGNAR = {
  from: ['pendiente'],
  to: 'asignado',
  label: 'Asignar transportista',
  consequence: 'El pedido pasará a «Asignado».',
  tone: 'forward',
  input: { transportista_id: 'Elige un transportista', transportista_nombre: 'Elige un transportista' },
} as const satisfies Transition;

const RECORDS = {
  pagar: {
    from: ['pendiente_pago'],
    to: 'pendiente',
    label: 'Marcar como pagado',
    consequence: 'El pedido pasará a pendiente y los transportistas podrán tomarlo.',
    tone: 'forward',
    input: { referencia: 'Indica la referencia del pago' },
  },
  asignar: ASIGNAR,
  // The history shows the same text whether an order was assigned or taken.
  tomar: ASIGNAR,
  preparar: {
    from: ['asignado'],
    to: 'en_proceso',
    label: 'Empezar a preparar',
    consequence: `El pedido pasará a «${ESTADO.en_proceso.label}».`,
    tone: 'forward',
    input: {},
  },
  salir: {
    from: ['asignado', 'en_proceso'],
    to: 'en_ruta',
    label: 'Salir a reparto',
    consequence: `El pedido pasará a «${ESTADO.en_ruta.label}».`,
    tone: 'forward',
    input: {},
  },
  completar: {
    from: POR_ENTREGAR,
    to: 'completado',
    label: 'Completar',
    consequence: 'El pedido pasará a «Completado».',
    tone: 'final',
    input: {
      metodo_entrega: 'Por favor, selecciona un método de entrega',
      numero_seguimiento: null,
      empresa_transporte: null,
      // Required if an amount is due at the door (server/pedidos/pagos/collect.ts).
      cobrado: null,
      cobrado_metodo: null,
      cobrado_motivo: null,
      forma_entrega: null,
      receptor_nombre: null,
      receptor_relacion: null,
      pin: null,
    },
  },
  fallar: {
    from: ['en_ruta'],
    to: 'asignado',
    label: 'Intento fallido',
    consequence: 'El pedido volverá a estar asignado al mismo transportista.',
    tone: 'forward',
    input: { motivo: 'Indica el motivo del intento fallido', llamado: null },
  },
  volver: {
    from: ['en_proceso'],
    to: 'asignado',
    label: 'Volver a asignado',
    consequence: 'El pedido pasará a «Asignado».',
    tone: 'back',
    input: {},
  },
  devolver: {
    from: ['asignado'],
    to: 'pendiente',
    label: 'Devolver a disponibles',
    consequence: 'El pedido quedará sin transportista y cualquiera podrá tomarlo.',
    tone: 'back',
    input: {},
  },
  cancelar: {
    from: ABIERTOS,
    to: 'cancelado',
    label: 'Cancelar pedido',
    consequence: 'El pedido quedará cancelado y sus unidades volverán al stock.',
    tone: 'danger',
    input: { motivo: null },
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof RECORDS;
/** State table of an order (design, section 4.1), in menu order. */
export const TRANSITIONS: Readonly<Record<TransitionName, Transition>> = RECORDS;
export const TRANSITION_NAMES = Object.keys(RECORDS) as TransitionName[];

type Input<N extends TransitionName> = (typeof RECORDS)[N]['input'];
type MustGive<I> = { [F in keyof I & keyof Values as I[F] extends string ? F : never]: Values[F] };
type MayGive<I> = { [F in keyof I & keyof Values as I[F] extends null ? F : never]?: Values[F] | null };
type Always = { motivo?: string | null; empresa_transporte?: string | null };

export type InputOf<N extends TransitionName> = { name: N } & MustGive<Input<N>> & MayGive<Input<N>> & Always;
export type TransitionInput = { [N in TransitionName]: InputOf<N> }[TransitionName];
export type TextTransition = { [N in TransitionName]: keyof MustGive<Input<N>> extends TextInput ? N : never }[TransitionName];
export type BareTransition = { [N in TransitionName]: keyof MustGive<Input<N>> extends never ? N : never }[TransitionName];

type RuleOf<N extends TransitionName> = (typeof PEDIDO_RULES)[`paso:${N}`];
export type CarrierStep = {
  [N in TransitionName]: RuleOf<N> extends { superadmin: object; transportista: object } ? N : never;
}[TransitionName];
export const isCarrierStep = (name: TransitionName): name is CarrierStep => name !== 'tomar' && roleMay('transportista', `paso:${name}`);

/** True if `actor` may apply `name` to `pedido`, whatever the inputs (`contract/policy/policy.ts`). */
export const mayTransition = (actor: Actor, name: TransitionName, pedido: PedidoFacts): boolean =>
  TRANSITIONS[name].from.includes(pedido.estado) && can(actor, `paso:${name}`, pedido);

/** Transitions `actor` may apply to `pedido`, as in row menus. */
export const transitionsFor = (actor: Actor, pedido: PedidoFacts): TransitionName[] =>
  TRANSITION_NAMES.filter((name) => mayTransition(actor, name, pedido));

/** Returns the transitions of `actor` from `pedido` to estado `to`. If none is allowed, returns a forbidden one, to name it in the refusal. */
export function transitionsTo(actor: Actor, pedido: PedidoFacts, to: Estado): TransitionName[] {
  const names = TRANSITION_NAMES.filter((name) => TRANSITIONS[name].to === to && TRANSITIONS[name].from.includes(pedido.estado));
  const possible = names.filter((name) => mayTransition(actor, name, pedido));
  return possible.length > 0 ? possible : names.slice(0, 1);
}

/** Refusal of a reseller's change to an order that no longer waits for its payment. */
export const alreadyRunning = ({ contra_reembolso }: Pick<PedidoFacts, 'contra_reembolso'>): string =>
  `El pedido ya está ${contra_reembolso ? 'en marcha' : 'pagado'}: pide el cambio a un administrador`;

type Agreed = { descuento?: number; descuento_cents?: number };

/** Returns the reason why `actor` may not change the lines, in Spanish; undefined if allowed (decision 035). */
export function lineasRefusal(actor: Actor, pedido: PedidoFacts & Agreed): string | undefined {
  const { deleted_at, estado, descuento, descuento_cents } = pedido;
  if (can(actor, 'pedido:edit-lines', pedido)) {
    const agreed = (descuento_cents ?? descuento ?? 0) > 0 && !can(actor, 'pedido:create-free');
    return agreed ? 'Este pedido tiene un descuento acordado: pide el cambio a un administrador' : undefined;
  }
  if (deleted_at) return 'El pedido está eliminado: restáuralo antes';
  if (estado === 'pendiente') return alreadyRunning(pedido);
  return 'Los productos solo se pueden cambiar mientras el pedido está sin pagar o pendiente';
}
