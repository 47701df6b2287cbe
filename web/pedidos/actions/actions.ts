import { EN_MANOS, ESTADO, type Estado } from '../../../contract/pedidos/estados.ts';
import { type TextTransition, TRANSITIONS, type TransitionName, transitionsFor } from '../../../contract/pedidos/flow.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { REVERSAL_NAMES, REVERSALS, type ReversalName, reversalsFor } from '../../../contract/pedidos/reversals.ts';
import { type SituationOrder, situationOf } from '../../../contract/pedidos/situation.ts';
import { type Paso, PLAIN } from '../../../contract/pedidos/situations.ts';
import type { PedidoFacts } from '../../../contract/policy/facts.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import { clock } from '../../ui/format/format.ts';

export type Asking =
  | { kind: 'view' | 'edit' | 'lineas' | 'postpone' | 'assign' | 'complete' | 'pay' | 'separate' | 'answer' | 'receive' }
  | { kind: 'estado'; name: TextTransition }
  | { kind: 'undo'; name: ReversalName };
export type Action =
  | Asking
  | { kind: 'print' }
  | { kind: 'label' }
  | { kind: 'duplicate' }
  | { kind: 'delete' }
  | { kind: 'restore' }
  | { kind: 'takeOut' }
  | { kind: 'readAnswer' }
  | { kind: 'askPay' };
/** Props that the dialogs of an order share; a dialog is closed while `pedido` is undefined. */
export type PedidoDialogProps = {
  pedido: Pedido | undefined;
  action: Action;
  onClose: () => void;
  /** Toast after completing an order. */
  success?: string | undefined;
  title?: string | undefined;
  /** Runs another action on the order shown. */
  onAction?: (action: Action, pedido: Pedido, from: Element | null) => void;
  /** Neighbours of the order in its list. */
  around?: { previous: Pedido | undefined; next: Pedido | undefined; go: (pedido: Pedido) => void } | undefined;
};

export const POSTPONE = 'Aplazar la entrega';
export const NOTE_PAYMENT = 'Anotar pago';
export const SEPARATE_SALE = 'Es otra venta';

export type ActionItem = {
  action: Action;
  label: string;
  /** Why the action is disabled. */
  reason?: string;
};

const isIn = (estado: Estado): string => ESTADO[estado].is ?? `Está ${ESTADO[estado].label.toLowerCase()}`;

// Transitions with a fixed place in the menu, and `tomar`, which the menu never offers. Other transitions appear only when possible.
const PLACED = ['asignar', 'tomar', 'pagar', 'completar', 'cancelar'] as const;
type Placed = (typeof PLACED)[number];
const isMove = (name: TransitionName): name is Exclude<TransitionName, Placed> => !PLACED.includes(name as Placed);

/** `pendiente`: euros that are still due; `venta_conjunta`: true if the order shares the legal limit of cash with other orders. */
type Due = { pendiente?: number | undefined; venta_conjunta?: boolean | undefined };
type Sealed = Partial<Pick<Pedido, 'anonimizado_at' | 'bloqueado_at'>>;

/** Reason why actions that need the customer's data are disabled: anonymised or blocked data. Otherwise undefined. */
export const sealedReason = ({ anonimizado_at, bloqueado_at }: Sealed): string | undefined =>
  anonimizado_at ? 'Los datos del cliente están anonimizados' : bloqueado_at ? 'Los datos del cliente están bloqueados' : undefined;

/** Menu items of an order for `actor`, from top to bottom; a disabled item has a reason (design, section 4.1). */
export function actionsFor(
  actor: Actor & { etiquetas?: true | undefined },
  pedido: PedidoFacts & SituationOrder & Sealed & Due,
): ActionItem[] {
  const possible = transitionsFor(actor, pedido);
  const because = pedido.deleted_at ? 'El pedido está eliminado' : isIn(pedido.estado);
  const item = (action: Action, label: string, allowed: boolean, reason = because): ActionItem => ({
    action,
    label,
    ...(!allowed && { reason }),
  });
  const matter = () => situationOf(pedido, actor, clock()).sentence;
  const through = (name: TextTransition, reason?: string) =>
    item({ kind: 'estado', name }, TRANSITIONS[name].label, possible.includes(name), reason);
  const assignable = [...TRANSITIONS.asignar.from, ...EN_MANOS].includes(pedido.estado);
  const free = can(actor, 'paso:asignar', pedido);

  const view = item({ kind: 'view' }, 'Ver', can(actor, 'pedido:read', pedido));
  const sealed = sealedReason(pedido);
  const duplicate = item({ kind: 'duplicate' }, 'Duplicar', can(actor, 'pedido:duplicate') && !sealed, sealed);
  if (can(actor, 'pedido:restore', pedido)) return [view, item({ kind: 'restore' }, 'Restaurar', !sealed, sealed), duplicate];
  return [
    view,
    item({ kind: 'edit' }, 'Editar', can(actor, 'pedido:edit', pedido) && !sealed, sealed),
    ...(can(actor, 'pedido:edit-lines', pedido) ? [item({ kind: 'lineas' }, 'Cambiar productos', true)] : []),
    // What a company has or the customer collects changes no carrier, whatever the estado.
    item({ kind: 'assign' }, TRANSITIONS.asignar.label, assignable && free, assignable && !free ? matter() : because),
    ...payment(actor, pedido).map((reason) => item({ kind: 'pay' }, NOTE_PAYMENT, !reason, reason)),
    ...possible.filter(isMove).map((name) => through(name)),
    item({ kind: 'complete' }, TRANSITIONS.completar.label, possible.includes('completar')),
    ...reversalsFor(actor, pedido).map((name) => item({ kind: 'undo', name }, REVERSALS[name].label, !sealed, sealed)),
    item({ kind: 'print' }, 'Imprimir albarán', can(actor, 'pedido:batch') && !pedido.deleted_at),
    ...(actor.etiquetas && can(actor, 'pedido:label', pedido) ? [item({ kind: 'label' }, 'Imprimir etiqueta', !sealed, sealed)] : []),
    duplicate,
    ...(pedido.venta_conjunta && can(actor, 'pedido:separate-sale', pedido) ? [item({ kind: 'separate' }, SEPARATE_SALE, true)] : []),
    through('cancelar'),
    item({ kind: 'delete' }, 'Eliminar', can(actor, 'pedido:delete', pedido)),
  ];
}

/** Holds the reason why no payment can be recorded, or '' if possible. Empty for an actor who never records payments. */
function payment(actor: Actor, { deleted_at, estado, pendiente = 0 }: PedidoFacts & Due): string[] {
  if (!can(actor, 'pago:manage')) return [];
  if (deleted_at) return ['El pedido está eliminado'];
  return [estado === 'cancelado' ? isIn(estado) : pendiente > 0 ? '' : 'No queda nada por cobrar'];
}

export const actionName = (action: Action) => (action.kind === 'estado' || action.kind === 'undo' ? action.name : action.kind);

/** Actions of a row's menu besides the next step; the open order offers the rest. */
const IN_A_ROW = ['view', 'edit', 'assign', ...REVERSAL_NAMES, 'print', 'label', 'duplicate', 'cancelar', 'delete'];

const ACTION_OF: Partial<Record<Paso, Action>> = {
  asignar: { kind: 'assign' },
  completar: { kind: 'complete' },
  cobrar: { kind: 'pay' },
  responder: { kind: 'answer' },
  leer_respuesta: { kind: 'readAnswer' },
  sacar: { kind: 'takeOut' },
  pedir_pago: { kind: 'askPay' },
  // The open order has the form.
  reembolsar: { kind: 'view' },
  recibir: { kind: 'receive' },
  restaurar: { kind: 'restore' },
};
export const stepAction = (paso: Paso): Action => ACTION_OF[paso] ?? { kind: 'estado', name: paso as TextTransition };

/** True if the order's situation offers `paso` to `actor`. */
export function isOffered(actor: Actor, pedido: SituationOrder, paso: Paso): boolean {
  const { next, others } = situationOf(pedido, actor, clock());
  return [next, ...others].some((step) => step?.paso === paso);
}

/** Menu items of an order's row: the steps of its situation, then `IN_A_ROW`. Omits impossible actions, except editing an order with sealed data. */
export function rowActionsFor(actor: Parameters<typeof actionsFor>[0], pedido: Parameters<typeof actionsFor>[1]): ActionItem[] {
  const sealed = sealedReason(pedido);
  const { id, next, others } = situationOf(pedido, actor, clock());
  const steps = [...(next ? [next] : []), ...(PLAIN.includes(id) ? [] : others)].map(({ paso, label }) => ({
    action: stepAction(paso),
    label,
  }));
  const rest = actionsFor(actor, pedido).filter(
    ({ action, label, reason }) =>
      IN_A_ROW.includes(actionName(action)) &&
      !steps.some((step) => step.label === label) &&
      (!reason || (action.kind === 'edit' && reason === sealed)),
  );
  return [...steps, ...rest];
}
