export const CONJUNTOS = ['pedidos', 'lineas', 'cobros', 'caja', 'empresas', 'revendedores', 'transportistas'] as const;

export type Conjunto = (typeof CONJUNTOS)[number];

export const FORMATOS = ['xlsx', 'csv'] as const;

/** Number of exports stored per person (specification, section 9). */
export const RECENT_EXPORTS = 5;
