import type { PedidoFacts } from '../policy/facts.ts';
import { type Actor, can, mayEver, type PedidoAction } from '../policy/policy.ts';
import { ABIERTOS, describeEstado, type Estado, GRUPO_ESTADOS, POR_CARGAR, POR_ENTREGAR, PROGRESO } from './estados.ts';
import { PEDIDO_FIELDS, type PedidoFieldName } from './fields.ts';
import { mayTransition, TRANSITION_NAMES, TRANSITIONS, type TransitionName } from './flow.ts';

/* Situation of an order: reason, since when, who must act, whether the order may leave, and its next steps (decision 107). */

/** Facts that distinguish situations; `server/pedidos/lectura/situation.ts` has them in SQL. */
export const FACTS = {
  deleted: { column: 'deleted_at', is: 'set' },
  refund: { column: 'por_reembolsar', is: 'positive' },
  waits: { column: 'incidencia_at', is: 'set' },
  inCompany: { column: 'en_empresa_at', is: 'set' },
  collected: { column: 'recoge_at', is: 'set' },
  announced: { column: 'transferencia_avisada_at', is: 'set' },
  unpaid: { column: 'pendiente', is: 'positive' },
  late: { column: 'fecha_estimada', is: 'past' },
  partly: { column: 'entrega_parcial', is: 'true' },
} as const satisfies Record<string, { column: PedidoFieldName; is: 'set' | 'positive' | 'past' | 'true' }>;
export type Fact = keyof typeof FACTS;

/** Steps that are not transitions. Each needs its fact and permission, and some need unsealed data. */
const OTHER_STEPS = {
  responder: { label: 'Decidir', action: 'pedido:postpone', needs: 'waits', sealed: false },
  leer_respuesta: { label: 'Leer respuesta', action: 'pedido:batch', needs: 'inCompany' },
  sacar: { label: 'Sacar del envío', action: 'pedido:batch', needs: 'inCompany' },
  cobrar: { label: 'Anotar pago', action: 'pago:manage', needs: 'unpaid' },
  pedir_pago: { label: 'Pedir el pago', action: 'pedido:prices', needs: 'unpaid', unless: 'announced', sealed: false },
  reembolsar: { label: 'Anotar el reembolso', action: 'pago:manage', needs: 'refund' },
  restaurar: { label: 'Restaurar', action: 'pedido:restore', needs: 'deleted', sealed: false },
} as const satisfies Record<string, OtherStep>;
type OtherStep = { label: string; action: Action; needs: Fact; unless?: Fact; sealed?: false };
type Action = PedidoAction | 'pedido:batch' | 'pago:manage' | 'pedido:prices';
export type Paso = TransitionName | keyof typeof OTHER_STEPS;
export const PASOS = [...TRANSITION_NAMES, ...(Object.keys(OTHER_STEPS) as (keyof typeof OTHER_STEPS)[])];
/** A step that will not be refused, with the words of its button. */
export type Offered = { paso: Paso; label: string };

export const TONES = ['neutral', 'info', 'warning', 'danger', 'success'] as const;
export const QUIENES = ['tienda', 'transportista', 'cliente', 'empresa'] as const;

const LEAVE = ['salir', 'completar'] as const;
type Row = {
  estados?: readonly Estado[];
  facts?: readonly Fact[];
  since?: PedidoFieldName;
  tone: (typeof TONES)[number];
  who?: (typeof QUIENES)[number];
  /** The order is not loaded, and no stop on paper or route. `unprepared`: its goods are not picked either; `prepared`: they are. */
  stays?: 'unprepared' | 'prepared';
  /** Steps by importance; a pair has its own label. */
  steps: readonly (Paso | readonly [Paso, string])[];
  /** Steps of a carrier, if they differ. */
  carried?: readonly Paso[];
};

/** Situations by importance: the first that applies is shown, with the others beside. */
const ROWS = {
  eliminado: {
    facts: ['deleted'],
    since: 'deleted_at',
    tone: 'danger',
    who: 'tienda',
    stays: 'unprepared',
    steps: ['reembolsar', 'restaurar'],
  },
  espera_respuesta: { facts: ['waits'], since: 'incidencia_at', tone: 'danger', who: 'tienda', stays: 'unprepared', steps: ['responder'] },
  transferencia_avisada: {
    facts: ['announced', 'unpaid'],
    since: 'transferencia_avisada_at',
    tone: 'warning',
    who: 'tienda',
    steps: [['cobrar', 'Ha llegado']],
  },
  por_reembolsar: { facts: ['refund'], tone: 'warning', who: 'tienda', steps: ['reembolsar'] },
  en_empresa: {
    estados: ABIERTOS,
    facts: ['inCompany'],
    since: 'en_empresa_at',
    tone: 'info',
    who: 'empresa',
    stays: 'prepared',
    steps: ['leer_respuesta', 'sacar'],
  },
  recoge: {
    estados: POR_ENTREGAR,
    facts: ['collected'],
    since: 'recoge_at',
    tone: 'info',
    who: 'cliente',
    stays: 'prepared',
    steps: [['completar', 'Lo ha recogido']],
    carried: ['devolver'],
  },
  sin_pagar: {
    estados: PROGRESO.pago,
    since: 'fecha_pedido',
    tone: 'warning',
    who: 'cliente',
    stays: 'unprepared',
    steps: ['cobrar', 'pedir_pago', 'cancelar'],
  },
  atrasado: { estados: POR_ENTREGAR, facts: ['late'], since: 'fecha_estimada', tone: 'danger', who: 'tienda', steps: [] },
  por_asignar: { estados: PROGRESO.confirmado, tone: 'neutral', who: 'tienda', steps: ['asignar', 'tomar', 'completar'] },
  asignado: {
    estados: ['asignado'],
    tone: 'neutral',
    who: 'transportista',
    steps: ['preparar', ...LEAVE],
    carried: [...LEAVE, 'preparar'],
  },
  preparado: { estados: PROGRESO.preparacion, tone: 'neutral', who: 'transportista', steps: LEAVE },
  en_reparto: { estados: PROGRESO.camino, tone: 'info', who: 'transportista', steps: ['completar', 'fallar'] },
  por_cobrar: {
    estados: PROGRESO.entregado,
    facts: ['unpaid'],
    since: 'fecha_completado',
    tone: 'warning',
    who: 'cliente',
    steps: ['cobrar', 'pedir_pago'],
  },
  entregado_en_parte: { estados: PROGRESO.entregado, facts: ['partly'], since: 'fecha_completado', tone: 'info', steps: [] },
  entregado: { estados: PROGRESO.entregado, since: 'fecha_completado', tone: 'success', steps: [] },
  cancelado: { estados: GRUPO_ESTADOS.cancelado, tone: 'neutral', steps: [] },
} as const satisfies Record<string, Row>;
export type SituationId = keyof typeof ROWS;
export const SITUATIONS: Readonly<Record<SituationId, Row>> = ROWS;
export const SITUATION_IDS = Object.keys(ROWS) as SituationId[];

/** Sentence of each situation; the others have that of their estado. Braces: fields. Brackets: a part left out if one of its fields is empty. `tarde`: days late. */
const SENTENCES: Partial<Record<SituationId, string>> = {
  eliminado: 'Eliminado el {deleted_at}[: hay que devolver {por_reembolsar}]',
  espera_respuesta: 'Sin entregar desde el {incidencia_at}[: {motivo}]. ¿Qué se hace?',
  transferencia_avisada: 'El cliente dice que ha hecho la transferencia el {transferencia_avisada_at}[: faltan por llegar {pendiente}]',
  por_reembolsar: 'Hay que devolver {por_reembolsar} a {cliente_nombre}',
  en_empresa: 'Con {en_empresa} desde el {en_empresa_at}',
  recoge: 'Lo recoge el cliente en la tienda, desde el {recoge_at}',
  atrasado: 'Prometido para el {fecha_estimada}: {tarde}[. Lo lleva {transportista_nombre}]',
  por_cobrar: 'Entregado el {fecha_completado} y por cobrar: {pendiente}',
  entregado_en_parte: 'Entregado en parte el {fecha_completado}',
};

const BRIEF: Partial<Record<SituationId, string>> = {
  espera_respuesta: 'Sin entregar[: {motivo}]',
  transferencia_avisada: 'Dice que ha pagado',
  por_reembolsar: 'Devolver {por_reembolsar}',
  en_empresa: 'Con {en_empresa}',
  recoge: 'Lo recoge el cliente',
  atrasado: '{tarde}',
  por_cobrar: 'Por cobrar: {pendiente}',
  entregado_en_parte: 'En parte',
};

/** Situations that add nothing to the estado. */
export const PLAIN: readonly SituationId[] = SITUATION_IDS.filter((id) => !SENTENCES[id]);

/** Order as its reader sees it; hidden fields are missing or null. */
export type SituationOrder = Omit<PedidoFacts, 'revendedor_id'> &
  Pick<Partial<PedidoFacts>, 'revendedor_id'> & { [F in PedidoFieldName]?: unknown };
/** Time and time zone of the business, which decide what is late. */
export type Clock = { now: Date; zone: string };

export type Situation = {
  id: SituationId;
  /** Spanish sentence: what, why and since when. */
  sentence: string;
  /** Short form of the sentence, for a cell; empty if the estado says the same. */
  brief: string;
  since: string | null;
  /** True if the order is a stop on paper and route. */
  mayLeave: boolean;
  tone: Row['tone'];
  /** Party that must act next; undefined if none. */
  who: Row['who'];
  next: Offered | undefined;
  /** At most two further steps. */
  others: Offered[];
  /** Sentences of the other situations. */
  more: string[];
};

const NEVER: Clock = { now: new Date(0), zone: 'UTC' };
// Making a format takes a hundred times as long as using it.
const FORMATS = new Map<string, Intl.DateTimeFormat>();
function dayOf(value: unknown, zone: string): string {
  const format = FORMATS.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  FORMATS.set(zone, format);
  return format.format(new Date(value as string));
}
const euros = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', useGrouping: 'always' });

/** Business days since the promised date; 0 if the order is not late. */
function daysLate({ fecha_estimada }: SituationOrder, { now, zone }: Clock): number {
  if (!fecha_estimada) return 0;
  const days = (Date.parse(dayOf(now, zone)) - Date.parse(dayOf(fecha_estimada, zone))) / 86_400_000;
  return Math.max(0, days);
}

function holds(fact: Fact, order: SituationOrder, clock: Clock): boolean {
  const { column, is } = FACTS[fact];
  if (is === 'past') return daysLate(order, clock) > 0;
  return is === 'positive' ? Number(order[column] ?? 0) > 0 : Boolean(order[column]);
}

/** Situations of an order, the most important first. Deleted orders have no other. */
export const situationIds = (order: SituationOrder, clock: Clock): SituationId[] =>
  SITUATION_IDS.filter((id) => {
    const { estados, facts = [] } = SITUATIONS[id];
    return (
      (!estados || estados.includes(order.estado)) &&
      facts.every((fact) => holds(fact, order, clock)) &&
      (id === 'eliminado') === !!order.deleted_at
    );
  });

/** Returns whether an order that must stay is picked; undefined if the order may leave. Needs no clock: no such situation depends on the day. */
export function staysOf(order: SituationOrder): Row['stays'] {
  const stays = situationIds(order, NEVER).map((id) => SITUATIONS[id].stays);
  return stays.find((each) => each === 'unprepared') ?? stays.find(Boolean);
}

/** True if the order is a stop on paper and route. */
export const mayLeave = (order: SituationOrder): boolean => POR_ENTREGAR.includes(order.estado) && !staysOf(order);

/** True if the order's goods are picked. */
export const mayPrepare = (order: SituationOrder): boolean => POR_ENTREGAR.includes(order.estado) && staysOf(order) !== 'unprepared';

/** True if its carrier may load the order. */
export const mayLoad = (order: SituationOrder): boolean => POR_CARGAR.includes(order.estado) && mayLeave(order);

/** True if the server takes the step of this order from `actor`, given its input. */
function mayTake(actor: Actor, paso: Paso, order: SituationOrder, clock: Clock): boolean {
  if (!(paso in OTHER_STEPS)) return mayTransition(actor, paso as TransitionName, order as PedidoFacts);
  const { action, needs, unless, sealed }: OtherStep = OTHER_STEPS[paso as keyof typeof OTHER_STEPS];
  if (sealed === false && (order.anonimizado_at || order.bloqueado_at)) return false;
  if (unless && holds(unless, order, clock)) return false;
  return holds(needs, order, clock) && can(actor, action as PedidoAction, order as PedidoFacts);
}

const labelOf = (paso: Paso): string =>
  (paso in OTHER_STEPS ? OTHER_STEPS[paso as keyof typeof OTHER_STEPS] : TRANSITIONS[paso as TransitionName]).label;

/** Fills in a sentence; leaves out the carrier's name if `actor` is the carrier. */
function fill(sentence: string, order: SituationOrder, clock: Clock, actor: Actor): string {
  const late = daysLate(order, clock);
  const isOwn = order.transportista_id === actor.id;
  const wordsOf = (name: string): string => {
    if (name === 'tarde') return late === 0 ? '' : late === 1 ? '1 día tarde' : `${late} días tarde`;
    const value = order[name as PedidoFieldName];
    if (value == null || value === 0) return '';
    const { kind } = PEDIDO_FIELDS[name as PedidoFieldName];
    if (kind === 'money') return euros.format(Number(value));
    return kind === 'instant' ? dayOf(value, clock.zone).split('-').slice(1).reverse().join('/') : String(value);
  };
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => wordsOf(name));
  return filled(
    sentence.replace(/\[([^\]]*)\]/g, (_, part: string) =>
      [...part.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => wordsOf(name) && (name !== 'transportista_nombre' || !isOwn)) ? part : '',
    ),
  );
}

/** Returns the situation of an order for `actor`, with steps that the server accepts. */
export function situationOf(order: SituationOrder, actor: Actor, clock: Clock): Situation {
  const ids = situationIds(order, clock);
  const [id = 'cancelado', ...rest] = ids;
  const { since, tone, who, stays } = SITUATIONS[id];
  const stepsOf = (each: SituationId): Offered[] => {
    const { steps, carried } = SITUATIONS[each];
    return ((mayEver(actor, 'pedido:load') && carried) || steps).flatMap((step) => {
      const [paso, label = labelOf(paso)] = typeof step === 'string' ? [step] : step;
      return mayTake(actor, paso, order, clock) ? [{ paso, label }] : [];
    });
  };
  const sentenceOf = (each: SituationId) => SENTENCES[each] ?? describeEstado(order.estado).sentence;
  // The next step of an order that stays must be one that lets the order continue.
  const offered = ids.flatMap(stepsOf);
  const next = stays ? stepsOf(id)[0] : offered[0];
  const others = offered.filter(({ paso }, i, all) => paso !== next?.paso && all.findIndex((other) => other.paso === paso) === i);
  return {
    id,
    sentence: fill(sentenceOf(id), order, clock, actor),
    brief: PLAIN.includes(id) ? '' : fill(BRIEF[id] ?? sentenceOf(id), order, clock, actor),
    since: since ? ((order[since] as string | null | undefined) ?? null) : null,
    mayLeave: mayLeave(order),
    tone,
    who,
    next,
    others: others.slice(0, 2),
    more: rest.filter((each) => !PLAIN.includes(each)).map((each) => fill(sentenceOf(each), order, clock, actor)),
  };
}
