import type { Role } from '../../contract/policy.ts';

/** Where a role makes a new order. */
export const NEW_PEDIDO: Partial<Record<Role, string>> = { superadmin: '/pedidos/nuevo-admin', revendedor: '/pedidos/nuevo' };
