import { type Doubt, newDoubts, orderDoubts } from '../../../contract/doubts/doubts.ts';
import { postcodePrefix } from '../../../contract/doubts/towns.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import type { ClienteValues } from './cliente-values.ts';
import { loadProvinces } from './poblaciones.ts';

/** Time in ms to wait for the towns of a postcode; on a slow line the order is saved without comparing them. */
const LIMIT_MS = 2_000;

/** Calls `save` with what was doubtful, after a confirmation if something is doubtful. Skips doubts that `before` already raised. */
export async function askDoubts(values: ClienteValues, save: (asked: readonly Doubt[]) => void, before?: ClienteValues): Promise<void> {
  const prefixes = [values, before].flatMap((each) => (each && postcodePrefix(each.cliente_codigo_postal, each.cliente_pais)) || []);
  const slow = new Promise<undefined>((done) => setTimeout(done, LIMIT_MS));
  const provinces = (prefixes.length > 0 && (await Promise.race([loadProvinces(prefixes), slow]))) || new Map();
  const doubts = before ? newDoubts(before, values, { provinces }) : orderDoubts(values, { provinces });
  const message = doubts.map(({ frase }) => frase).join(' ');
  const question = { title: 'Revisa los datos', message, confirm: 'Guardar de todas formas', cancel: 'Corregir' };
  if (doubts.length === 0 || (await confirm(question))) save(doubts);
}
