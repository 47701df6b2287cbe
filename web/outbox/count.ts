import { guardarRuta } from '../../contract/ruta/ruta.ts';
import { UNSENT } from '../../contract/session/fields.ts';
import type { Operation } from './operation.ts';

/* What this phone says of its outbox with each call (decision 064). */

/** Remembers that the server knows of something, so that it hears of the end of it after a reload too. */
const COUNTED = 'enruta-sin-enviar';
/** «0» is said for a while, because answers may cross. */
const EMPTY_MS = 120_000;

function counted(person: string, set?: boolean): boolean {
  try {
    if (set === true) localStorage.setItem(COUNTED, person);
    if (set === false) localStorage.removeItem(COUNTED);
    return localStorage.getItem(COUNTED) === person;
  } catch {
    return set ?? false;
  }
}

export function createCount(person: string) {
  let said: string | undefined;
  let emptied: number | undefined;
  return {
    /** Counts orders: a signature and a photo of one delivery are one thing to the office, and an arranged route is none. */
    set(all: readonly Operation[]): void {
      const unsent = all.filter(({ path }) => path !== guardarRuta.path);
      const orders = new Set(unsent.map(({ pedido }) => pedido)).size;
      said = orders ? `${orders};${unsent[0]?.at}` : undefined;
      if (orders) [emptied] = [undefined, counted(person, true)];
      else if (counted(person)) emptied ??= Date.now();
    },
    /** The header of a call made now; none if there is nothing to say. */
    headers(): Record<string, string> {
      if (said) return { [UNSENT]: said };
      if (emptied === undefined) return {};
      if (Date.now() - emptied > EMPTY_MS) [emptied] = [undefined, counted(person, false)];
      return { [UNSENT]: '0' };
    },
  };
}
