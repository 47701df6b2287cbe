import type { Role } from '../../contract/policy/policy.ts';

/** Path to create an order, by role. */
export const NEW_PEDIDO: Partial<Record<Role, string>> = { superadmin: '/pedidos/nuevo-admin', revendedor: '/pedidos/nuevo' };
