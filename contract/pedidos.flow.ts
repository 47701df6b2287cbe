import type { Actor, PedidoFacts } from './policy.ts';

export const ESTADOS = ['pendiente_pago', 'pendiente', 'asignado', 'en_proceso', 'en_ruta', 'completado', 'cancelado'] as const;
export type Estado = (typeof ESTADOS)[number];

/** Label and colour (Mantine palette) of each estado; `short` where room is scarce. */
export const ESTADO: Record<Estado, { label: string; short: string; color: string }> = {
  pendiente_pago: { label: 'Pendiente Pago', short: 'Pend. pago', color: 'orange' },
  pendiente: { label: 'Pendiente', short: 'Pendiente', color: 'yellow' },
  asignado: { label: 'Asignado', short: 'Asignado', color: 'blue' },
  en_proceso: { label: 'En Proceso', short: 'En Proceso', color: 'violet' },
  en_ruta: { label: 'En Ruta', short: 'En Ruta', color: 'cyan' },
  completado: { label: 'Completado', short: 'Completado', color: 'green' },
  cancelado: { label: 'Cancelado', short: 'Cancelado', color: 'red' },
};
/** What is shown for an estado this version does not know (specification, section 4). */
export const ESTADO_DESCONOCIDO = { label: 'Desconocido', short: 'Desconocido', color: 'gray' };

/** The three groups of the dashboards: the block of section 2.4 of the specification. */
export const GRUPO_ESTADOS = {
  pendiente: ['pendiente', 'pendiente_pago'],
  en_proceso: ['asignado', 'en_proceso', 'en_ruta'],
  completado: ['completado'],
  cancelado: ['cancelado'],
} as const satisfies Record<string, readonly Estado[]>;

/** Estados in which a carrier holds the order, and the ones nothing leaves. */
export const EN_MANOS: readonly Estado[] = ['asignado', 'en_proceso', 'en_ruta'];
export const FINALES: readonly Estado[] = ['completado', 'cancelado'];
/** Estados whose amount counts as income: neither cancelled nor unpaid (design, section 4.19). */
export const CON_INGRESO: readonly Estado[] = ['pendiente', 'asignado', 'en_proceso', 'en_ruta', 'completado'];

/** What a person must give for a transition to be made. */
export type Needs = 'referencia' | 'transportista' | 'metodo_entrega' | 'motivo';

export type Transition = {
  from: Estado;
  to: Estado;
  label: string;
  needs?: Needs;
  /** `carrier`: the carrier that holds it may; `taker`: any carrier, by taking it; `owner`: its reseller may. A superadmin may all. */
  also?: 'carrier' | 'taker' | 'owner';
  /** `release` leaves the order without a carrier; `return` gives its units back to the stock. */
  effect?: 'release' | 'return';
};

/** The order's state table (design, section 4.1). `completado` and `cancelado` are final. */
export const TRANSITIONS: readonly Transition[] = [
  { from: 'pendiente_pago', to: 'pendiente', label: 'Marcar como pagado', needs: 'referencia' },
  { from: 'pendiente_pago', to: 'cancelado', label: 'Cancelar pedido', also: 'owner', effect: 'return' },
  { from: 'pendiente', to: 'asignado', label: 'Asignar transportista', needs: 'transportista', also: 'taker' },
  { from: 'pendiente', to: 'completado', label: 'Completar', needs: 'metodo_entrega' },
  { from: 'pendiente', to: 'cancelado', label: 'Cancelar pedido', effect: 'return' },
  { from: 'asignado', to: 'en_proceso', label: 'Empezar a preparar', also: 'carrier' },
  { from: 'asignado', to: 'en_ruta', label: 'Salir a reparto', also: 'carrier' },
  { from: 'asignado', to: 'completado', label: 'Completar', needs: 'metodo_entrega', also: 'carrier' },
  { from: 'asignado', to: 'pendiente', label: 'Devolver a disponibles', also: 'carrier', effect: 'release' },
  { from: 'asignado', to: 'cancelado', label: 'Cancelar pedido', effect: 'return' },
  { from: 'en_proceso', to: 'en_ruta', label: 'Salir a reparto', also: 'carrier' },
  { from: 'en_proceso', to: 'completado', label: 'Completar', needs: 'metodo_entrega', also: 'carrier' },
  { from: 'en_proceso', to: 'asignado', label: 'Volver a asignado', also: 'carrier' },
  { from: 'en_proceso', to: 'cancelado', label: 'Cancelar pedido', effect: 'return' },
  { from: 'en_ruta', to: 'completado', label: 'Completar', needs: 'metodo_entrega', also: 'carrier' },
  { from: 'en_ruta', to: 'asignado', label: 'Intento fallido', needs: 'motivo', also: 'carrier' },
  { from: 'en_ruta', to: 'cancelado', label: 'Cancelar pedido', effect: 'return' },
];

/** The row of the state table from one estado to another; undefined when there is none. */
export function transition(from: Estado, to: Estado): Transition | undefined {
  return TRANSITIONS.find((t) => t.from === from && t.to === to);
}

/** True when `actor` may take `pedido` through `t`; it does not look at what the transition needs. */
export function mayTransition(actor: Actor, t: Transition, pedido: PedidoFacts): boolean {
  if (pedido.estado !== t.from || pedido.deleted_at) return false;
  if (actor.role === 'superadmin' || actor.role === 'sistema') return true;
  if (actor.role === 'revendedor') return t.also === 'owner' && pedido.revendedor_id === actor.id;
  return (t.also === 'carrier' && pedido.transportista_id === actor.id) || (t.also === 'taker' && pedido.transportista_id === null);
}

/** The transitions `actor` may make from where `pedido` is: the row menus are this list. */
export function transitionsFor(actor: Actor, pedido: PedidoFacts): Transition[] {
  return TRANSITIONS.filter((t) => mayTransition(actor, t, pedido));
}

export const METODOS_ENTREGA = ['correos', 'mrw', 'fedex', 'manual', 'otro'] as const;
export type MetodoEntrega = (typeof METODOS_ENTREGA)[number];
export const METODO_ENTREGA_LABEL: Record<MetodoEntrega, string> = {
  correos: 'Correos',
  mrw: 'MRW',
  fedex: 'FedEx',
  manual: 'Entrega manual',
  otro: 'Otro',
};

/** The name of a carrier company or delivery method by its code; anything else as it was written. */
export function companyLabel(company: string): string {
  const known = METODOS_ENTREGA.find((code) => code === company);
  return known ? METODO_ENTREGA_LABEL[known] : company;
}
