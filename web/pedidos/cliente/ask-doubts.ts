import type { Doubt } from '../../../contract/doubts/doubts.ts';
import { postcodePrefix } from '../../../contract/doubts/towns.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import type { ClienteValues } from './cliente-values.ts';
import { loadProvinces } from './poblaciones.ts';

// Loaded when the order is saved, because the form stands sooner without it.
const loadDoubts = () => import('../../../contract/doubts/doubts.ts').catch(() => undefined);

/** Time in ms to wait for the rules and the towns of a postcode; on a slow line the order is saved, and the server's answer says what is doubtful. */
const LIMIT_MS = 2_000;

/** Calls `save` with what was doubtful, after a confirmation if something is doubtful. Skips doubts that `before` already raised. */
export async function askDoubts(values: ClienteValues, save: (asked: readonly Doubt[]) => void, before?: ClienteValues): Promise<void> {
  const prefixes = [values, before].flatMap((each) => (each && postcodePrefix(each.cliente_codigo_postal, each.cliente_pais)) || []);
  const slow = new Promise<undefined>((done) => setTimeout(done, LIMIT_MS));
  const loading = prefixes.length > 0 ? loadProvinces(prefixes) : undefined;
  const rules = await Promise.race([loadDoubts(), slow]);
  if (!rules) return save([]);
  const provinces = (await Promise.race([loading, slow])) ?? new Map();
  const doubts = before ? rules.newDoubts(before, values, { provinces }) : rules.orderDoubts(values, { provinces });
  const message = doubts.map(({ frase }) => frase).join(' ');
  const question = { title: 'Revisa los datos', message, confirm: 'Guardar de todas formas', cancel: 'Corregir' };
  if (doubts.length === 0 || (await confirm(question))) save(doubts);
}
