import { TRANSITIONS, type TransitionName } from './pedidos.flow.ts';

/*
 * What has happened to an order, for its history and the log. Those of before this version keep the name of the step, which
 * is a command; screens read them with `hecho` too.
 */

const HECHO: Record<TransitionName, string> = {
  pagar: 'Pagado',
  asignar: 'Transportista asignado',
  // Recorded under the same name.
  tomar: 'Transportista asignado',
  preparar: 'En preparación',
  salir: 'En reparto',
  completar: 'Entregado',
  fallar: 'Intento fallido',
  volver: 'De vuelta a asignado',
  devolver: 'De vuelta a disponibles',
  cancelar: 'Pedido cancelado',
};
const WORDS = new Map<string, string>([
  ...Object.entries(HECHO).map(([name, words]): [string, string] => [TRANSITIONS[name as TransitionName].label, words]),
  ['Reasignar', 'Transportista cambiado'],
  ['Cambiar empresa de transporte', 'Empresa de transporte cambiada'],
  ['Cambiar de revendedor', 'Revendedor cambiado'],
]);

/** A recorded step as what has happened: «Completar: ORD-2026000001» is «Entregado: ORD-2026000001». Other texts stay. */
export function hecho(recorded: string): string {
  const [step = '', ...rest] = recorded.split(/(?=: )/);
  const words = WORDS.get(step);
  return words ? [words, ...rest].join('') : recorded;
}
