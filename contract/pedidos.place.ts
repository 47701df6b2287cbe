import type { Role } from './policy.ts';

/** A screen and its search. */
export type Place = { to: string; search?: Record<string, string> };

/** Where each role sees an order: its own page, or its row in the role's list. */
export const PEDIDO_AT: Record<Role, (pedido: { id: string; numero_orden: string }) => Place> = {
  superadmin: ({ id }) => ({ to: `/pedidos/${id}` }),
  revendedor: ({ numero_orden }) => ({ to: '/mis-pedidos', search: { search: numero_orden } }),
  transportista: ({ numero_orden }) => ({ to: '/pedidos-asignados', search: { search: numero_orden } }),
};

/** The same as the path of a link. */
export const pathOf = ({ to, search }: Place): string => (search ? `${to}?${new URLSearchParams(search)}` : to);
