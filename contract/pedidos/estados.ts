export const ESTADOS = ['pendiente_pago', 'pendiente', 'asignado', 'en_proceso', 'en_ruta', 'completado', 'cancelado'] as const;
export type Estado = (typeof ESTADOS)[number];

/** `color`: a name from the Mantine palette. */
export const ESTADO: Record<Estado, { label: string; short: string; color: string }> = {
  pendiente_pago: { label: 'Pendiente Pago', short: 'Pend. pago', color: 'orange' },
  pendiente: { label: 'Pendiente', short: 'Pendiente', color: 'yellow' },
  asignado: { label: 'Asignado', short: 'Asignado', color: 'blue' },
  en_proceso: { label: 'En Proceso', short: 'En Proceso', color: 'violet' },
  en_ruta: { label: 'En Ruta', short: 'En Ruta', color: 'cyan' },
  completado: { label: 'Completado', short: 'Completado', color: 'green' },
  cancelado: { label: 'Cancelado', short: 'Cancelado', color: 'red' },
};
/** Fallback for an estado unknown to this version (specification, section 4). */
export const ESTADO_DESCONOCIDO = { label: 'Desconocido', short: 'Desconocido', color: 'gray' };

/** Groups of the dashboards (specification, section 2.4). */
export const GRUPO_ESTADOS = {
  pendiente: ['pendiente', 'pendiente_pago'],
  en_proceso: ['asignado', 'en_proceso', 'en_ruta'],
  completado: ['completado'],
  cancelado: ['cancelado'],
} as const satisfies Record<string, readonly Estado[]>;

/** Estados in which a carrier holds the order. */
export const EN_MANOS: readonly Estado[] = ['asignado', 'en_proceso', 'en_ruta'];
export const FINALES: readonly Estado[] = ['completado', 'cancelado'];
/** Estados counted as income: all except cancelled and waiting for payment (design, section 4.19). */
export const CON_INGRESO: readonly Estado[] = ['pendiente', 'asignado', 'en_proceso', 'en_ruta', 'completado'];
