type List = 'pedidos' | 'entregas' | 'ventas';
/** `due`: to be delivered, and so late or for today. `income`: counts as income (design, section 4.19). */
type Trait = 'due' | 'income';
/** Group of the dashboards (specification, section 2.4) and step of the customer's page, which shows no steps for `ninguno`. */
type Place =
  | { group: 'pendiente'; step: 'pago' | 'confirmado' }
  | { group: 'en_proceso'; step: 'preparacion' | 'camino' }
  | { group: 'completado'; step: 'entregado' }
  | { group: 'cancelado'; step: 'ninguno' };
export type Step = Place['step'];
export type EstadoRow = Place & {
  label: string;
  short?: string;
  /** Name from the Mantine palette. */
  color: string;
  /** Why a menu item is disabled; by default «Está» and the label. */
  is?: string;
  has: readonly Trait[];
  /** Lists whose filter begins with the estado, because the specification names it there. */
  first: readonly List[];
  /** Sentence of its situation if nothing else is the matter, with the placeholders of `contract/pedidos/situations.ts`. */
  sentence: string;
  /** What the customer's page says. */
  customer: { title: string; text: string };
};

const ALL_LISTS = ['pedidos', 'entregas', 'ventas'] as const;

/** The estados of an order. Lists, conditions in SQL, CHECKs and screens derive from this table. */
const ROWS = {
  pendiente_pago: {
    label: 'Pendiente Pago',
    short: 'Pend. pago',
    color: 'orange',
    is: 'Está pendiente de pago',
    group: 'pendiente',
    step: 'pago',
    has: [],
    first: ['ventas'],
    sentence: 'Por cobrar desde el {fecha_pedido}[: {pendiente}]',
    customer: { title: 'Paga tu pedido', text: 'Empezaremos a prepararlo al recibir el pago.' },
  },
  pendiente: {
    label: 'Pendiente',
    color: 'yellow',
    group: 'pendiente',
    step: 'confirmado',
    has: ['due', 'income'],
    first: ALL_LISTS,
    sentence: 'Sin transportista[. Prometido para el {fecha_estimada}]',
    customer: { title: 'Pago recibido', text: 'Gracias. Estamos buscando quien te lo lleve.' },
  },
  asignado: {
    label: 'Asignado',
    color: 'blue',
    group: 'en_proceso',
    step: 'preparacion',
    has: ['due', 'income'],
    first: ALL_LISTS,
    sentence: 'Lo lleva {transportista_nombre}[. Prometido para el {fecha_estimada}]',
    customer: { title: 'Tu pedido ya tiene transportista', text: 'Te lo llevará en cuanto esté listo.' },
  },
  en_proceso: {
    label: 'En Proceso',
    color: 'violet',
    group: 'en_proceso',
    step: 'preparacion',
    has: ['due', 'income'],
    first: [],
    sentence: 'Lo prepara {transportista_nombre}[. Prometido para el {fecha_estimada}]',
    customer: { title: 'Estamos preparando tu pedido', text: 'Saldrá a reparto en cuanto esté listo.' },
  },
  en_ruta: {
    label: 'En Ruta',
    color: 'cyan',
    group: 'en_proceso',
    step: 'camino',
    has: ['due', 'income'],
    first: ['pedidos'],
    sentence: 'En reparto[ con {transportista_nombre}]',
    customer: { title: 'Tu pedido va de camino', text: 'El transportista ha salido a entregarlo.' },
  },
  completado: {
    label: 'Completado',
    color: 'green',
    is: 'Ya está completado',
    group: 'completado',
    step: 'entregado',
    has: ['income'],
    first: ALL_LISTS,
    sentence: 'Entregado el {fecha_completado}',
    customer: { title: 'Pedido entregado', text: 'Gracias por tu compra.' },
  },
  cancelado: {
    label: 'Cancelado',
    color: 'red',
    group: 'cancelado',
    step: 'ninguno',
    has: [],
    first: ALL_LISTS,
    sentence: 'Cancelado: ni se entrega ni se cobra',
    customer: { title: 'Pedido cancelado', text: 'Ya no hay que pagarlo.' },
  },
} as const satisfies Record<string, EstadoRow>;
export type Estado = keyof typeof ROWS;
export const ESTADO: Readonly<Record<Estado, EstadoRow>> = ROWS;
/** Fallback for an estado unknown to this version (specification, section 4). */
const UNKNOWN = { label: 'Desconocido', color: 'gray', sentence: 'En un estado que esta versión no conoce: recarga la página' };
export const isEstado = (estado: string): estado is Estado => Object.hasOwn(ESTADO, estado);
/** Words and colour of an estado, also of one that only a newer version knows. */
export const describeEstado = (estado: string): Pick<EstadoRow, 'short' | keyof typeof UNKNOWN> =>
  isEstado(estado) ? ESTADO[estado] : UNKNOWN;

/** Derives groups of estados from their table. */
export function deriveEstados<E extends string>(table: Readonly<Record<E, EstadoRow>>) {
  const all = Object.keys(table) as E[];
  const where = (wanted: (row: EstadoRow) => boolean): readonly E[] => all.filter((estado) => wanted(table[estado]));
  const inGroup = (...groups: EstadoRow['group'][]) => where(({ group }) => groups.includes(group));
  const atStep = (...steps: Step[]) => where(({ step }) => steps.includes(step));
  const [untaken, inHands, due] = [inGroup('pendiente'), inGroup('en_proceso'), where(({ has }) => has.includes('due'))];
  const among = (estados: readonly E[]) => `IN (${estados.map((estado) => `'${estado}'`).join(', ')})`;
  return {
    all,
    due,
    untaken,
    inHands,
    final: inGroup('completado', 'cancelado'),
    open: inGroup('pendiente', 'en_proceso'),
    income: where(({ has }) => has.includes('income')),
    beforeLeaving: atStep('pago', 'confirmado', 'preparacion'),
    groups: { pendiente: untaken, en_proceso: inHands, completado: inGroup('completado'), cancelado: inGroup('cancelado') },
    progress: {
      pago: atStep('pago'),
      confirmado: atStep('confirmado'),
      preparacion: atStep('preparacion'),
      camino: atStep('camino'),
      entregado: atStep('entregado'),
      ninguno: atStep('ninguno'),
    } satisfies Record<Step, readonly E[]>,
    /** Estados in the sequence of a list's filter. */
    listed: (list: List): E[] => all.toSorted((a, b) => Number(table[b].first.includes(list)) - Number(table[a].first.includes(list))),
    /** CHECKs and partial indexes of the table `pedidos`, by name. */
    sql: {
      pedidos_estado_check: `estado ${among(all)}`,
      en_manos_tiene_transportista: `estado NOT ${among(inHands)} OR transportista_id IS NOT NULL`,
      abierto_sin_transportista: `estado NOT ${among(untaken)} OR transportista_id IS NULL`,
      pedidos_abiertos: `deleted_at IS NULL AND estado ${among(due)}`,
    },
  };
}

const derived = deriveEstados(ESTADO);
export const ESTADOS = derived.all;
export const GRUPO_ESTADOS = derived.groups;
export const ABIERTOS = derived.open;
export const FINALES = derived.final;
export const POR_ENTREGAR = derived.due;
/** Estados in which no carrier has taken the order yet. */
export const SIN_TOMAR = derived.untaken;
/** Estados in which a carrier holds the order. */
export const EN_MANOS = derived.inHands;
/** Estados in which a carrier can load the order. */
export const POR_CARGAR = derived.progress.preparacion;
/** Estados counted as income: all except cancelled and waiting for payment (design, section 4.19). */
export const CON_INGRESO = derived.income;
/** Estados in which a change or cancellation of the web shop still reaches the order. */
export const ANTES_DE_SALIR = derived.beforeLeaving;
export const { listed: estadosListed, progress: PROGRESO, sql: ESTADO_SQL } = derived;
