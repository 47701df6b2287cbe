import { guardarRuta } from '../../contract/ruta/ruta.ts';
import { UNSENT } from '../../contract/session/fields.ts';
import type { Act } from './store.ts';

/* What this telephone says of its outbox with each call (decision 064). */

/** Remembers that the server was told of something, so that it hears of the end of it after a reload too. */
const TOLD = 'enruta-sin-enviar';
/** «0» is said for a while, because answers may cross. */
const EMPTY_MS = 120_000;

function told(person: string, set?: boolean): boolean {
  try {
    if (set === true) localStorage.setItem(TOLD, person);
    if (set === false) localStorage.removeItem(TOLD);
    return localStorage.getItem(TOLD) === person;
  } catch {
    return set ?? false;
  }
}

export function createReport(person: string) {
  let said: string | undefined;
  let emptied: number | undefined;
  return {
    /** Counts orders: a signature and a photo of one delivery are one thing to the office, and an arranged route is none. */
    set(all: readonly Act[]): void {
      const unsent = all.filter(({ path }) => path !== guardarRuta.path);
      const orders = new Set(unsent.map(({ pedido }) => pedido)).size;
      said = orders ? `${orders};${unsent[0]?.at}` : undefined;
      if (orders) [emptied] = [undefined, told(person, true)];
      else if (told(person)) emptied ??= Date.now();
    },
    /** The header of a call made now; none if there is nothing to say. */
    headers(): Record<string, string> {
      if (said) return { [UNSENT]: said };
      if (emptied === undefined) return {};
      if (Date.now() - emptied > EMPTY_MS) [emptied] = [undefined, told(person, false)];
      return { [UNSENT]: '0' };
    },
  };
}
