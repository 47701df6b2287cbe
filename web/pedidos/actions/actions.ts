import {
  EN_MANOS,
  type Estado,
  type TextTransition,
  TRANSITIONS,
  type TransitionName,
  transitionsFor,
} from '../../../contract/pedidos.flow.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { type Actor, can, type PedidoFacts } from '../../../contract/policy.ts';

/** An action that has a dialog. `estado` takes the order through a transition. */
export type Asking = { kind: 'view' | 'edit' | 'lineas' | 'assign' | 'complete' } | { kind: 'estado'; name: TextTransition };
/** An action on an order from its row or dialog. */
export type Action = Asking | { kind: 'print' } | { kind: 'duplicate' } | { kind: 'delete' } | { kind: 'restore' };
/** Props of every dialog of an order; closed while `pedido` is undefined. */
export type PedidoDialogProps = {
  pedido: Pedido | undefined;
  action: Action;
  onClose: () => void;
  /** Toast after completing an order. */
  success?: string | undefined;
  /** Replaces the dialog's own title. */
  title?: string | undefined;
  /** Does something else with the order that is shown. */
  onAction?: (action: Action, pedido: Pedido, from: Element | null) => void;
  /** The orders before and after it in its list. */
  around?: { previous: Pedido | undefined; next: Pedido | undefined; go: (pedido: Pedido) => void } | undefined;
};

export type ActionItem = {
  action: Action;
  label: string;
  /** Why it cannot be done now; absent when it can. */
  reason?: string;
};

const IS: Record<Estado, string> = {
  pendiente_pago: 'Está pendiente de pago',
  pendiente: 'Está pendiente',
  asignado: 'Está asignado',
  en_proceso: 'Está en proceso',
  en_ruta: 'Está en ruta',
  completado: 'Ya está completado',
  cancelado: 'Está cancelado',
};

// Always listed at a fixed place, disabled or not; the other transitions appear only where possible.
const PLACED = ['asignar', 'tomar', 'pagar', 'completar', 'cancelar'] as const;
type Placed = (typeof PLACED)[number];
const isMove = (name: TransitionName): name is Exclude<TransitionName, Placed> => !PLACED.includes(name as Placed);

type Sealed = Partial<Pick<Pedido, 'anonimizado_at' | 'bloqueado_at'>>;

/** Why nothing may be done with an order's customer; undefined while their data is there. */
export const sealedReason = ({ anonimizado_at, bloqueado_at }: Sealed): string | undefined =>
  anonimizado_at ? 'Los datos del cliente están anonimizados' : bloqueado_at ? 'Los datos del cliente están bloqueados' : undefined;

/** Menu items of an order for `actor`, in order; an impossible one carries its reason (design, section 4.1). */
export function actionsFor(actor: Actor, pedido: PedidoFacts & Sealed): ActionItem[] {
  const possible = transitionsFor(actor, pedido);
  const because = pedido.deleted_at ? 'El pedido está eliminado' : IS[pedido.estado];
  const item = (action: Action, label: string, allowed: boolean, reason = because): ActionItem => ({
    action,
    label,
    ...(!allowed && { reason }),
  });
  const through = (name: TextTransition, reason?: string) =>
    item({ kind: 'estado', name }, TRANSITIONS[name].label, possible.includes(name), reason);
  const assignable = TRANSITIONS.asignar.from.includes(pedido.estado) || EN_MANOS.includes(pedido.estado);

  const view = item({ kind: 'view' }, 'Ver', can(actor, 'pedido:read', pedido));
  const sealed = sealedReason(pedido);
  const duplicate = item({ kind: 'duplicate' }, 'Duplicar', can(actor, 'pedido:duplicate') && !sealed, sealed);
  if (can(actor, 'pedido:restore', pedido)) return [view, item({ kind: 'restore' }, 'Restaurar', !sealed, sealed), duplicate];
  return [
    view,
    item({ kind: 'edit' }, 'Editar', can(actor, 'pedido:edit', pedido) && !sealed, sealed),
    ...(can(actor, 'pedido:edit-lines', pedido) ? [item({ kind: 'lineas' }, 'Cambiar productos', true)] : []),
    item({ kind: 'assign' }, TRANSITIONS.asignar.label, assignable && can(actor, 'pedido:assign', pedido)),
    through('pagar', 'No está pendiente de pago'),
    ...possible.filter(isMove).map((name) => through(name)),
    item({ kind: 'complete' }, TRANSITIONS.completar.label, possible.includes('completar')),
    item({ kind: 'print' }, 'Imprimir albarán', can(actor, 'pedido:batch') && !pedido.deleted_at),
    duplicate,
    through('cancelar'),
    item({ kind: 'delete' }, 'Eliminar', can(actor, 'pedido:delete', pedido)),
  ];
}
