import { confirm } from '../../ui/dialog/confirm.ts';
import type { ClienteValues } from './cliente-values.ts';
import { loadProvinces, prefixOf } from './poblaciones.ts';
import { doubtsOf } from './warnings.ts';

/** Time in ms to wait for the towns of a postcode; on a slow line the order is saved without comparing them. */
const LIMIT_MS = 2_000;

/** Calls `save`, after a confirmation if phone, postcode or town look wrong. Skips doubts that `before` already raised. */
export async function askDoubts(values: ClienteValues, save: () => void, before?: ClienteValues): Promise<void> {
  const prefixes = [values, before].flatMap((each) => (each && prefixOf(each.cliente_codigo_postal, each.cliente_pais)) || []);
  const slow = new Promise<undefined>((done) => setTimeout(done, LIMIT_MS));
  const provinces = (prefixes.length > 0 && (await Promise.race([loadProvinces(prefixes), slow]))) || new Map();
  const known = before ? doubtsOf(before, provinces) : [];
  const doubts = doubtsOf(values, provinces).filter((doubt) => !known.includes(doubt));
  const question = { title: 'Revisa los datos', message: doubts.join(' '), confirm: 'Guardar de todas formas', cancel: 'Corregir' };
  if (doubts.length === 0 || (await confirm(question))) save();
}
