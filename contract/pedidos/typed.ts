import { METODO_PAGO_LABEL } from '../payments/fields.ts';
import { FORMA_LABEL, RELACION_LABEL } from '../pruebas/fields.ts';
import { LLAMADO_LABEL } from './attempts.ts';
import { INPUT_NAMES, INPUTS, type InputName } from './inputs.ts';
import { METODO_ENTREGA_LABEL } from './metodos.ts';

const LABELS: Partial<Record<InputName, Record<string, string>>> = {
  metodo_entrega: METODO_ENTREGA_LABEL,
  cobrado_metodo: METODO_PAGO_LABEL,
  forma_entrega: FORMA_LABEL,
  receptor_relacion: RELACION_LABEL,
  llamado: LLAMADO_LABEL,
};

/** Returns the inputs of a step in words, such as «Motivo: Ausente», without the PIN. `money` formats euros. */
export const typedWords = (body: Readonly<Record<string, unknown>>, money: (euros: number) => string): string[] =>
  INPUT_NAMES.flatMap((name) => {
    const value = body[name];
    if (name === 'pin') return [];
    if (typeof value === 'number') return [`${INPUTS[name].label}: ${money(value)}`];
    return typeof value === 'string' && value ? [`${INPUTS[name].label}: ${LABELS[name]?.[value] ?? value}`] : [];
  });
