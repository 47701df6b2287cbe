import { CLIENTE_VACIO, type ClienteValues } from './cliente-fields.tsx';

export type Campo = keyof ClienteValues;
const CAMPOS = Object.keys(CLIENTE_VACIO) as Campo[];

/** A field whose stored value is not what this person has in the form. */
export type Diferencia = { campo: Campo; mio: string; guardado: string };

/** An order changed on the server while somebody was editing it. */
export type Conflicto = {
  diferencias: Diferencia[];
  /** What the form should hold now: what was typed, and what others stored where nothing was typed. */
  values: ClienteValues;
};

/**
 * Compares what a form was filled from (`base`), what it holds (`mio`) and what is stored now. A field that
 * only somebody else changed takes the stored value; whatever was typed stays until the person decides.
 * A field that `editable` refuses takes the stored value too, and is not asked about.
 */
export function compara(base: ClienteValues, mio: ClienteValues, guardado: ClienteValues, editable: (campo: Campo) => boolean): Conflicto {
  const differs = (campo: Campo) => mio[campo].trim() !== guardado[campo].trim();
  const typed = (campo: Campo) => mio[campo].trim() !== base[campo].trim();
  const kept = CAMPOS.map((campo) => [campo, editable(campo) && typed(campo) ? mio[campo] : guardado[campo]] as const);
  return {
    diferencias: CAMPOS.filter((campo) => editable(campo) && differs(campo)).map((campo) => ({
      campo,
      mio: mio[campo].trim(),
      guardado: guardado[campo].trim(),
    })),
    values: { ...guardado, ...Object.fromEntries(kept) },
  };
}
