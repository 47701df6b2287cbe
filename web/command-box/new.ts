import type { Role } from '../../contract/policy.ts';

/** The path where each role creates an order. */
export const NEW_PEDIDO: Partial<Record<Role, string>> = { superadmin: '/pedidos/nuevo-admin', revendedor: '/pedidos/nuevo' };
