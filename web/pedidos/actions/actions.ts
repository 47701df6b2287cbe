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

/** What a person can do with an order from its row or its dialog. `estado` takes it through a transition. */
export type Accion =
  | { kind: 'ver' | 'editar' | 'asignar' | 'completar' | 'duplicar' | 'eliminar' }
  | { kind: 'estado'; name: TextTransition };
/** What every dialog of an order takes; without an order it is closed. */
export type PedidoDialogProps = {
  pedido: Pedido | undefined;
  accion: Accion;
  onClose: () => void;
  /** What is said after completing an order. */
  success?: string | undefined;
  /** Instead of the dialog's own title. */
  title?: string | undefined;
};

export type AccionItem = {
  accion: Accion;
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

// These have a place of their own in the menu, from whichever estado they are made; the others are listed only
// where they can be made.
const PLACED = ['asignar', 'tomar', 'pagar', 'completar', 'cancelar'] as const;
type Placed = (typeof PLACED)[number];
const isMove = (name: TransitionName): name is Exclude<TransitionName, Placed> => !PLACED.includes(name as Placed);

/** The menu of an order for `actor`, in order; what cannot be done says why (design, section 4.1). */
export function accionesDe(actor: Actor, pedido: PedidoFacts): AccionItem[] {
  const possible = transitionsFor(actor, pedido);
  const because = pedido.deleted_at ? 'El pedido está eliminado' : IS[pedido.estado];
  const item = (accion: Accion, label: string, allowed: boolean, reason = because): AccionItem => ({
    accion,
    label,
    ...(!allowed && { reason }),
  });
  const through = (name: TextTransition, reason?: string) =>
    item({ kind: 'estado', name }, TRANSITIONS[name].label, possible.includes(name), reason);
  const assignable = TRANSITIONS.asignar.from.includes(pedido.estado) || EN_MANOS.includes(pedido.estado);

  return [
    item({ kind: 'ver' }, 'Ver', can(actor, 'pedido:read', pedido)),
    item({ kind: 'editar' }, 'Editar', can(actor, 'pedido:edit', pedido)),
    item({ kind: 'asignar' }, TRANSITIONS.asignar.label, assignable && can(actor, 'pedido:assign', pedido)),
    through('pagar', 'No está pendiente de pago'),
    ...possible.filter(isMove).map((name) => through(name)),
    item({ kind: 'completar' }, TRANSITIONS.completar.label, possible.includes('completar')),
    item({ kind: 'duplicar' }, 'Duplicar', can(actor, 'pedido:duplicate')),
    through('cancelar'),
    item({ kind: 'eliminar' }, 'Eliminar', can(actor, 'pedido:delete', pedido)),
  ];
}
