export const AUDIT_TYPES = ['pedido', 'revendedor', 'transportista', 'exportacion', 'configuracion'] as const;

export type AuditType = (typeof AUDIT_TYPES)[number];
