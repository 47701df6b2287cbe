import type { PedidoFacts } from '../policy/facts.ts';
import { type Actor, can, mayEver, type PedidoAction } from '../policy/policy.ts';
import { plural } from '../text/plural.ts';
import { isRefused } from './attempts.ts';
import { describeEstado, POR_CARGAR, POR_ENTREGAR } from './estados.ts';
import { PEDIDO_FIELDS, type PedidoFieldName } from './fields.ts';
import { mayTransition, TRANSITIONS, type TransitionName } from './flow.ts';
import {
  BRIEF,
  FACTS,
  type Fact,
  type Offered,
  OTHER_STEPS,
  type OtherStep,
  type Paso,
  PLAIN,
  SENTENCES,
  SITUATION_IDS,
  SITUATIONS,
  type SituationId,
  type SituationRow,
} from './situations.ts';

/* Situation of an order: reason, since when, who must act, whether the order may leave, and its next steps (decision 107). */

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
  tone: SituationRow['tone'];
  /** Party that must act next; undefined if none. */
  who: SituationRow['who'];
  next: Offered | undefined;
  /** At most two further steps. */
  others: Offered[];
  /** Sentences of the other situations. */
  more: string[];
};

const NEVER: Clock = { now: new Date(0), zone: 'UTC' }; // equivalent 1: no situation that stays depends on the day
// Making a format takes a hundred times as long as using it.
const FORMATS = new Map<string, Intl.DateTimeFormat>();
/** Day of an instant in the business's time zone, yyyy-MM-dd. */
export function businessDay(value: unknown, zone: string): string {
  const format = FORMATS.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  FORMATS.set(zone, format); // equivalent ;: the same format, made again
  return format.format(new Date(value as string));
}
const euros = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', useGrouping: 'always' });

/** Days since an instant, by the business's calendar; 0 for none and today, negative for later. */
function daysSince(instant: unknown, { now, zone }: Clock): number {
  if (!instant) return 0;
  return (Date.parse(businessDay(now, zone)) - Date.parse(businessDay(instant, zone))) / 86_400_000;
}

function holds(fact: Fact, order: SituationOrder, clock: Clock): boolean {
  const { column, is } = FACTS[fact];
  if (is === 'past') return daysSince(order[column], clock) > 0;
  if (is === 'refused') return isRefused((order[column] as string | null | undefined) ?? null);
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
export function whyOrderStays(order: SituationOrder): SituationRow['stays'] {
  const stays = situationIds(order, NEVER).map((id) => SITUATIONS[id].stays);
  return stays.find((each) => each === 'unprepared') ?? stays.find(Boolean);
}

/** True if the order is a stop on paper and route. */
export const mayLeave = (order: SituationOrder): boolean => POR_ENTREGAR.includes(order.estado) && !whyOrderStays(order);

/** True if the order's goods are picked. */
export const mayPrepare = (order: SituationOrder): boolean => POR_ENTREGAR.includes(order.estado) && whyOrderStays(order) !== 'unprepared';

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
  const late = daysSince(order.fecha_estimada, clock);
  const isOwn = order.transportista_id === actor.id;
  const wordsOf = (name: string): string => {
    if (name === 'tarde') return plural(late, 'día tarde', 'días tarde');
    if (name === 'veces') return order.intentos === 1 ? '1.er intento' : `${Number(order.intentos ?? 0)}.º intento`;
    const value = order[name as PedidoFieldName];
    if (value == null || value === 0) return '';
    const { kind } = PEDIDO_FIELDS[name as PedidoFieldName];
    if (kind === 'money') return euros.format(Number(value));
    return kind === 'instant' ? businessDay(value, clock.zone).split('-').slice(1).reverse().join('/') : String(value);
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
  const covered = ids.flatMap((each): readonly string[] => SITUATIONS[each].covers ?? []);
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
    more: rest
      .filter((each) => !PLAIN.includes(each) && !covered.includes(each))
      .map((each) => fill(sentenceOf(each), order, clock, actor)),
  };
}
