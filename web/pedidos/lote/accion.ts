import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import type { lotePedidos } from '../../../contract/pedidos/lote.ts';

export type Lote = BodyIn<typeof lotePedidos>;
export type Accion = Lote['accion'];
/** Step in the menu of the bar of bulk actions. */
export type LoteStep = 'pagar' | 'preparar' | 'salir' | 'completar';
