/** Maximum number of days in a series: two years, with room for leap days. */
export const MAX_DIAS_SERIE = 732;

export const PERIODOS = ['hoy', '7d', '30d'] as const;
