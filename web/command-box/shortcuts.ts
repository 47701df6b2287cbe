import type { Role } from '../../contract/policy/policy.ts';

/** Name of this platform's modifier key. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export const NEW_PEDIDO: Partial<Record<Role, string>> = { superadmin: '/pedidos/nuevo-admin', revendedor: '/pedidos/nuevo' };
