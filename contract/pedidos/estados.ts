type List = 'pedidos' | 'entregas' | 'ventas';
/**
 * `due`: to be delivered, and so late or for today. `inHands`: a carrier holds the order. `income`: counts as income (design, section 4.19).
 * `beforeLeaving`: a change or cancellation of the web shop still reaches the order.
 */
type Trait = 'due' | 'inHands' | 'income' | 'beforeLeaving';
export type EstadoRow = {
  label: string;
  short?: string;
  /** Name from the Mantine palette. */
  color: string;
  /** Why a menu item is disabled; by default «Está» and the label. */
  is?: string;
  has: readonly Trait[];
  /** Lists whose filter begins with the estado, because the specification names it there. */
  first: readonly List[];
};

const ALL_LISTS = ['pedidos', 'entregas', 'ventas'] as const;

/** The estados of an order. Lists, conditions in SQL, CHECKs and screens derive from this table. */
const ROWS = {
  pendiente_pago: {
    label: 'Pendiente Pago',
    short: 'Pend. pago',
    color: 'orange',
    is: 'Está pendiente de pago',
    has: ['beforeLeaving'],
    first: ['ventas'],
  },
  pendiente: { label: 'Pendiente', color: 'yellow', has: ['due', 'income', 'beforeLeaving'], first: ALL_LISTS },
  asignado: { label: 'Asignado', color: 'blue', has: ['due', 'inHands', 'income', 'beforeLeaving'], first: ALL_LISTS },
  en_proceso: { label: 'En Proceso', color: 'violet', has: ['due', 'inHands', 'income', 'beforeLeaving'], first: [] },
  en_ruta: { label: 'En Ruta', color: 'cyan', has: ['due', 'inHands', 'income'], first: ['pedidos'] },
  completado: { label: 'Completado', color: 'green', is: 'Ya está completado', has: ['income'], first: ALL_LISTS },
  cancelado: { label: 'Cancelado', color: 'red', has: [], first: ALL_LISTS },
} as const satisfies Record<string, EstadoRow>;
export type Estado = keyof typeof ROWS;
export const ESTADO: Readonly<Record<Estado, EstadoRow>> = ROWS;
/** Fallback for an estado unknown to this version (specification, section 4). */
export const ESTADO_DESCONOCIDO: Pick<EstadoRow, 'label' | 'short' | 'color'> = { label: 'Desconocido', color: 'gray' };

/** Derives groups of estados from their table. */
export function deriveEstados<E extends string>(table: Readonly<Record<E, EstadoRow>>) {
  const all = Object.keys(table) as E[];
  const where = (wanted: (has: (trait: Trait) => boolean) => boolean): readonly E[] =>
    all.filter((estado) => wanted((trait) => table[estado].has.includes(trait)));
  const untaken = where((has) => has('beforeLeaving') && !has('inHands'));
  const inHands = where((has) => has('inHands'));
  const due = where((has) => has('due'));
  const toLoad = where((has) => has('inHands') && has('beforeLeaving'));
  const final = where((has) => !has('due') && !has('beforeLeaving'));
  const delivered = where((has) => has('income') && !has('due'));
  const cancelled = final.filter((estado) => !delivered.includes(estado));
  const among = (estados: readonly E[]) => `IN (${estados.map((estado) => `'${estado}'`).join(', ')})`;
  return {
    all,
    due,
    untaken,
    inHands,
    toLoad,
    final,
    open: all.filter((estado) => !final.includes(estado)),
    income: where((has) => has('income')),
    beforeLeaving: where((has) => has('beforeLeaving')),
    /** Groups of the dashboards (specification, section 2.4). */
    groups: { pendiente: untaken, en_proceso: inHands, completado: delivered, cancelado: cancelled },
    /** Estados at each step of the customer's page. */
    progress: {
      pago: untaken.filter((estado) => !due.includes(estado)),
      confirmado: untaken.filter((estado) => due.includes(estado)),
      preparacion: toLoad,
      camino: inHands.filter((estado) => !toLoad.includes(estado)),
      entregado: delivered,
    },
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
export const POR_CARGAR = derived.toLoad;
/** Estados counted as income: all except cancelled and waiting for payment (design, section 4.19). */
export const CON_INGRESO = derived.income;
/** Estados in which a change or cancellation of the web shop still reaches the order. */
export const ANTES_DE_SALIR = derived.beforeLeaving;
export const { listed: estadosListed, progress: PROGRESO, sql: ESTADO_SQL } = derived;
