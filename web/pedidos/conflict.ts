import { CLIENTE_VACIO, type ClienteValues } from './cliente-fields.tsx';

export type Campo = keyof ClienteValues;
const CAMPOS = Object.keys(CLIENTE_VACIO) as Campo[];

/** A field that somebody else changed, or that may no longer change, and is not stored as this person had it. */
export type Diferencia = { campo: Campo; mio: string; guardado: string; escrito: boolean };

/** An order changed on the server while somebody was editing it. */
export type Conflicto = {
  diferencias: Diferencia[];
  /** What the form should hold now: what was typed, and what others stored where nothing was typed. */
  values: ClienteValues;
};

/**
 * Compares what a form was filled from (`base`), what it holds (`mio`) and what is stored now. A field that
 * only somebody else changed takes the stored value; whatever was typed stays until the person decides.
 * A field that `editable` refuses takes the stored value too. What only this person changed is no difference.
 */
export function compara(base: ClienteValues, mio: ClienteValues, guardado: ClienteValues, editable: (campo: Campo) => boolean): Conflicto {
  const same = (campo: Campo, a: ClienteValues, b: ClienteValues) => a[campo].trim() === b[campo].trim();
  const typed = (campo: Campo) => !same(campo, mio, base);
  const kept = CAMPOS.map((campo) => [campo, editable(campo) && typed(campo) ? mio[campo] : guardado[campo]] as const);
  const differs = (campo: Campo) => !same(campo, mio, guardado) && !(editable(campo) && same(campo, base, guardado));
  return {
    diferencias: CAMPOS.filter(differs).map((campo) => ({
      campo,
      mio: mio[campo].trim(),
      guardado: guardado[campo].trim(),
      escrito: typed(campo),
    })),
    values: { ...guardado, ...Object.fromEntries(kept) },
  };
}
