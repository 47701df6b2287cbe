import { TRANSITIONS, type TransitionName } from './flow.ts';

/* Words for past steps, in history and log. Older entries have the command's name; screens convert them with `stepInPast`. */

const HECHO: Record<TransitionName, string> = {
  pagar: 'Pagado',
  asignar: 'Transportista asignado',
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

/** Converts a recorded step: «Completar: ORD-2026000001» becomes «Entregado: ORD-2026000001». Other texts stay. */
export function stepInPast(recorded: string): string {
  const [step = '', ...rest] = recorded.split(/(?=: )/);
  const words = WORDS.get(step);
  return words ? [words, ...rest].join('') : recorded;
}
