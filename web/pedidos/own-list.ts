import type { Role } from '../../contract/policy/policy.ts';

/** Screen of a role's own orders. */
export const OWN_LIST = {
  superadmin: { to: '/pedidos', label: 'Ver pedidos' },
  revendedor: { to: '/mis-pedidos', label: 'Ver Mis Pedidos' },
  transportista: { to: '/pedidos-asignados', label: 'Ver pedidos asignados' },
} as const satisfies Record<Role, { to: string; label: string }>;
