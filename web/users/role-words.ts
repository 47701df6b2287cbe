import type { Role } from '../../contract/policy/policy.ts';

export const ROLE_WORDS: Record<Role, { singular: string; plural: string; tab: string }> = {
  revendedor: { singular: 'revendedor', plural: 'revendedores', tab: 'Revendedores' },
  transportista: { singular: 'transportista', plural: 'transportistas', tab: 'Transportistas' },
  superadmin: { singular: 'superadmin', plural: 'superadmins', tab: 'Superadmins' },
};
