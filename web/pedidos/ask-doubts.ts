import { confirm } from '../ui/dialog/confirm.ts';
import type { ClienteValues } from './cliente-values.ts';
import { doubtsOf } from './warnings.ts';

/** Calls `save`, but first asks about a telephone or a postcode that looks wrong. */
export function askDoubts(values: ClienteValues, save: () => void): void {
  const doubts = doubtsOf(values);
  const question = { title: 'Revisa los datos', message: doubts.join(' '), confirm: 'Guardar de todas formas', cancel: 'Corregir' };
  if (doubts.length === 0) save();
  else
    void confirm(question).then((yes) => {
      if (yes) save();
    });
}
