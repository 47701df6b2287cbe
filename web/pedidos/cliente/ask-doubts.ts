import { confirm } from '../../ui/dialog/confirm.ts';
import type { ClienteValues } from './cliente-values.ts';
import { doubtsOf } from './warnings.ts';

/** Calls `save`, after a confirmation if the phone or postcode looks wrong. Skips doubts that `before` already raised. */
export function askDoubts(values: ClienteValues, save: () => void, before?: ClienteValues): void {
  const known = before ? doubtsOf(before) : [];
  const doubts = doubtsOf(values).filter((doubt) => !known.includes(doubt));
  const question = { title: 'Revisa los datos', message: doubts.join(' '), confirm: 'Guardar de todas formas', cancel: 'Corregir' };
  if (doubts.length === 0) save();
  else
    void confirm(question).then((yes) => {
      if (yes) save();
    });
}
