import type { Role } from '../../contract/policy/policy.ts';

export const OWN_LIST = {
  superadmin: { to: '/pedidos', label: 'Ver pedidos' },
  revendedor: { to: '/mis-pedidos', label: 'Ver Mis Pedidos' },
  transportista: { to: '/pedidos-asignados', label: 'Ver pedidos asignados' },
} as const satisfies Record<Role, { to: string; label: string }>;
