import { EN_MANOS, type Estado, TRANSITIONS, type Transition, transitionsFor } from '../../../contract/pedidos.flow.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { type Actor, can, type PedidoFacts } from '../../../contract/policy.ts';

/** What a person can do with an order from its row or its dialog. `estado` takes it through a transition. */
export type Accion =
  | { kind: 'ver' | 'editar' | 'asignar' | 'duplicar' | 'eliminar' }
  | { kind: 'estado' | 'completar'; transition: Transition };
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

// The transitions that have a place of their own in the menu, from whichever estado they are made; the
// others are listed only where they can be made.
const always = (to: Estado, needs: Transition['needs']) => TRANSITIONS.filter((t) => t.to === to && t.needs === needs);
const PAY = always('pendiente', 'referencia');
const COMPLETE = always('completado', 'metodo_entrega');
const CANCEL = always('cancelado', undefined);
const ASSIGN = always('asignado', 'transportista');

/** The menu of an order for `actor`, in order; what cannot be done says why (design, section 4.1). */
export function accionesDe(actor: Actor, pedido: PedidoFacts): AccionItem[] {
  const possible = transitionsFor(actor, pedido);
  const because = pedido.deleted_at ? 'El pedido está eliminado' : IS[pedido.estado];
  const item = (accion: Accion, label: string, allowed: boolean, reason = because): AccionItem => ({
    accion,
    label,
    ...(!allowed && { reason }),
  });
  const through = (kind: 'estado' | 'completar', list: readonly Transition[], reason?: string): AccionItem[] => {
    const [named] = list;
    const now = possible.find((t) => list.includes(t));
    return named ? [item({ kind, transition: now ?? named }, named.label, !!now, reason)] : [];
  };
  const moves = possible.filter((t) => ![PAY, COMPLETE, CANCEL, ASSIGN].some((list) => list.includes(t)));
  const assignable = pedido.estado === 'pendiente' || EN_MANOS.includes(pedido.estado);

  return [
    item({ kind: 'ver' }, 'Ver', can(actor, 'pedido:read', pedido)),
    item({ kind: 'editar' }, 'Editar', can(actor, 'pedido:edit', pedido)),
    item({ kind: 'asignar' }, 'Asignar transportista', assignable && can(actor, 'pedido:assign', pedido)),
    ...through('estado', PAY, 'No está pendiente de pago'),
    ...moves.map((transition) => item({ kind: 'estado', transition }, transition.label, true)),
    ...through('completar', COMPLETE),
    item({ kind: 'duplicar' }, 'Duplicar', can(actor, 'pedido:duplicate')),
    ...through('estado', CANCEL),
    item({ kind: 'eliminar' }, 'Eliminar', can(actor, 'pedido:delete', pedido)),
  ];
}
