import type { InputName } from '../pedidos/inputs.ts';

export const MAX_TOMAR = 50;

/** Inputs of a refused step shown to the office. */
export const TOLD_INPUTS = [
  'motivo',
  'llamado',
  'metodo_entrega',
  'cobrado',
  'cobrado_metodo',
  'cobrado_motivo',
  'forma_entrega',
  'receptor_nombre',
  'receptor_relacion',
] as const satisfies readonly InputName[];
