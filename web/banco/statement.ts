import type { MovimientoLeido } from '../../contract/banco/banco.ts';
import { accountKey, MAX_TEXTO } from '../../contract/banco/fields.ts';
import { cleanText } from '../../contract/text/normalize.ts';

/** A movement of a file. `undone`: the bank takes back an earlier credit of the same amount. Amounts in cents, debits negative. */
export type FileMovement = { cuenta: string; fecha: string; cents: number; texto: string; undone?: true };

/** Thrown for a file that is not whole, or says other than its own totals; the message is a Spanish sentence. */
export class BadStatement extends Error {}

/** Text of a movement from its parts, each once, such as concept, payer and references. */
export function movementText(parts: readonly string[]): string {
  const clean = parts.map((part) => cleanText(part).replace(/\s+/g, ' ').trim()).filter((part) => /[^0\s]/.test(part));
  return [...new Set(clean)].join(' ').slice(0, MAX_TEXTO);
}

/**
 * Returns the credits of a file. One that the bank takes back within the file leaves with it, the latest of its account and amount; one that it
 * takes back later stays as a negative credit, for a person to see.
 */
export function creditsIn(movements: readonly FileMovement[]): MovimientoLeido[] {
  const kept = movements.filter(({ cents }) => cents > 0);
  for (const movement of movements) {
    if (!movement.undone) continue;
    const at = kept.findLastIndex(({ cuenta, cents }) => cuenta === movement.cuenta && cents === -movement.cents);
    if (at < 0) kept.push(movement);
    else kept.splice(at, 1);
  }
  return kept.map(({ cuenta, fecha, cents, texto }) => ({ cuenta: accountKey(cuenta), fecha, importe: cents / 100, texto }));
}

/** Parts of at most about `size` movements that end with a day, since the server tells equal movements of a day apart. */
export function partsByDay(movements: readonly MovimientoLeido[], size: number): MovimientoLeido[][] {
  const parts: MovimientoLeido[][] = [[]];
  for (const day of Map.groupBy(movements, ({ fecha }) => fecha).values()) {
    const last = parts.at(-1) as MovimientoLeido[];
    if (last.length > 0 && last.length + day.length > size) parts.push([...day]);
    else for (const each of day) last.push(each);
  }
  return parts;
}
