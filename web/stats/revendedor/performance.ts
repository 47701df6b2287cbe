import type { Answer } from '../../../contract/kit/endpoint.ts';
import type { revendedorStats } from '../../../contract/stats/stats.ts';

export type Stats = Answer<typeof revendedorStats>['data'];

/** «Resumen de Rendimiento» (specification, section 2.5): percentages, whole euros, and a count. */
export function performanceOf({ totalPedidos, ingresos, estado }: Stats) {
  const per = (amount: number) => (totalPedidos === 0 ? 0 : Math.round(amount / totalPedidos));
  return { completados: per(estado.completado * 100), averageTicket: per(ingresos), pendientes: estado.pendiente };
}
