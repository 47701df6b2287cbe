import { guardarRuta } from '../../contract/ruta/ruta.ts';
import { UNSENT } from '../../contract/session/fields.ts';
import { readStored, storeLocally } from '../stored.ts';
import type { Operation } from './operation.ts';

/* Header with which each request reports this phone's unsent operations (decision 064). */

/** Storage key that remembers a report of unsent operations, so that the last «0» is reported even after a reload. */
const COUNTED = 'enruta-sin-enviar';
/** Milliseconds during which «0» is sent: requests can overtake each other, so one «0» may not be the last report. */
const EMPTY_MS = 120_000;

/** Number of another person's orders with unsent steps on this phone, and the time of the oldest (ISO 8601). */
export type Waiting = { person: string; name: string | undefined; orders: number; since: string };

const ordersOf = (operations: readonly Operation[]) =>
  // Counts an order once with its signature and photo, and a rearranged route not at all.
  new Set(operations.filter(({ path }) => path !== guardarRuta.path).map(({ pedido }) => pedido)).size;

export function countWaiting(operations: readonly Operation[]): Waiting[] {
  return [...new Set(operations.map(({ person }) => person))].flatMap((person) => {
    const own = operations.filter((operation) => operation.person === person);
    const orders = ordersOf(own);
    return orders > 0 ? [{ person, name: own.find(({ personName }) => personName)?.personName, orders, since: own[0]?.at ?? '' }] : [];
  });
}

function counted(person: string, set?: boolean): boolean {
  if (set !== undefined) storeLocally(COUNTED, set ? person : '');
  return readStored(COUNTED) === person;
}

export function createCount(person: string) {
  let announced: string | undefined;
  let emptied: number | undefined;
  let theirs = '';
  return {
    /** Counts orders with unsent operations. The operations of `others` wait for their person to sign in. */
    set(all: readonly Operation[], others: readonly Waiting[] = []): void {
      const orders = ordersOf(all);
      const first = all.find(({ path }) => path !== guardarRuta.path);
      announced = orders ? `${orders};${first?.at ?? ''}` : undefined;
      theirs = others.map(({ person, orders: n, since }) => `|${person}=${n};${since}`).join('');
      if (orders) [emptied] = [undefined, counted(person, true)];
      else if (counted(person)) emptied ??= Date.now();
    },
    /** Returns the header for a request made now; none if there is nothing to report. */
    headers(): Record<string, string> {
      if (announced) return { [UNSENT]: announced + theirs };
      if (emptied === undefined) return theirs ? { [UNSENT]: `0${theirs}` } : {};
      if (Date.now() - emptied > EMPTY_MS) [emptied] = [undefined, counted(person, false)];
      return { [UNSENT]: `0${theirs}` };
    },
  };
}
