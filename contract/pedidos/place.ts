import type { Role } from '../policy/policy.ts';

export type Place = { to: string; search?: Record<string, string> };

export const PEDIDO_AT: Record<Role, (pedido: { id: string; numero_orden: string }) => Place> = {
  superadmin: ({ id }) => ({ to: `/pedidos/${id}` }),
  revendedor: ({ numero_orden }) => ({ to: '/mis-pedidos', search: { search: numero_orden } }),
  transportista: ({ numero_orden }) => ({ to: '/pedidos-asignados', search: { search: numero_orden } }),
};

export const placePath = ({ to, search }: Place): string => (search ? `${to}?${new URLSearchParams(search)}` : to);
