import type { PedidoFacts } from '../policy/facts.ts';
import { type Actor, can } from '../policy/policy.ts';
import type { WebhookEvent } from '../webhooks/fields.ts';
import type { Estado } from './estados.ts';
import { TRANSITIONS, type TransitionName } from './flow.ts';

/* Ways back: each takes back the order's last step, by counter-entries in every ledger that the step wrote (decision 132). */

type Reversal = {
  /** Step that is taken back. */
  of: TransitionName;
  label: string;
  /** Words of the history, log and notices. */
  done: string;
  consequence: string;
  event: WebhookEvent;
};

const RECORDS = {
  volver_de_ruta: {
    of: 'salir',
    label: 'Vuelve al almacén',
    done: 'De vuelta en el almacén',
    consequence: 'No cuenta como intento: ni se paga ni lo lee el cliente.',
    event: 'pedido.salida_deshecha',
  },
  deshacer_entrega: {
    of: 'completar',
    label: 'Deshacer la entrega',
    done: 'Entrega deshecha',
    consequence: 'Lo que hizo la entrega se anula con apuntes en contra. No se borra nada.',
    event: 'pedido.entrega_deshecha',
  },
  reabrir: {
    of: 'cancelar',
    label: 'Reabrir el pedido',
    done: 'Pedido reabierto',
    consequence: 'Vuelve a coger sus unidades del stock y a contar como pedido.',
    event: 'pedido.reabierto',
  },
} as const satisfies Record<string, Reversal>;

export type ReversalName = keyof typeof RECORDS;
export type ReversalEvent = (typeof RECORDS)[ReversalName]['event'];
export const REVERSALS: Readonly<Record<ReversalName, Reversal>> = RECORDS;
export const REVERSAL_NAMES = Object.keys(RECORDS) as ReversalName[];

export const isReversal = (name: string): name is ReversalName => Object.hasOwn(RECORDS, name);

/** Label of the button of a step or of its way back. */
export const stepLabel = (name: TransitionName | ReversalName): string => (isReversal(name) ? REVERSALS[name] : TRANSITIONS[name]).label;

/** Minutes in which a carrier takes a departure back without a reason. */
export const DEPARTURE_MINUTES = 60;

/** Orders that are taken back at once. */
export const MAX_DESHACER = 100;

/** Reversal of the step that leads to `estado`. */
export const findReversal = (estado: Estado): ReversalName | undefined =>
  REVERSAL_NAMES.find((name) => TRANSITIONS[REVERSALS[name].of].to === estado);

/** Reversals that `actor` may ask for; the server also looks at when and by whom the step was made. */
export const reversalsFor = (actor: Actor, pedido: PedidoFacts): ReversalName[] =>
  REVERSAL_NAMES.filter((name) => name === findReversal(pedido.estado) && can(actor, `paso:${name}`, pedido));

/** What a step writes besides the order's row, its history, the log and the notices. */
const LEDGERS = ['stock', 'pagos', 'caja', 'ganancias', 'entregas', 'devoluciones', 'facturables', 'intentos', 'empresa'] as const;
export type Ledger = (typeof LEDGERS)[number];

type Follows = {
  writes: readonly Ledger[];
  /** Step or reversal that takes it back, or why there is none. */
  back: TransitionName | ReversalName | { never: string };
};

/** What follows from each step, and what takes it back. */
export const FOLLOWS: Readonly<Record<TransitionName, Follows>> = {
  pagar: {
    writes: ['pagos'],
    back: { never: 'The payment can be annulled; the order stays released, because carriers may have it by now' },
  },
  asignar: { writes: [], back: 'devolver' },
  tomar: { writes: [], back: 'devolver' },
  preparar: { writes: [], back: 'volver' },
  salir: { writes: [], back: 'volver_de_ruta' },
  completar: { writes: ['pagos', 'caja', 'ganancias', 'entregas', 'devoluciones', 'facturables', 'empresa'], back: 'deshacer_entrega' },
  fallar: { writes: ['intentos', 'ganancias'], back: { never: 'Somebody stood at the door: the attempt stays, and its fee' } },
  volver: { writes: [], back: 'preparar' },
  devolver: { writes: [], back: 'asignar' },
  cancelar: { writes: ['stock', 'pagos', 'empresa'], back: 'reabrir' },
};
