import type { Destino } from '../../contract/banco/fields.ts';
import { foldText } from '../../contract/text/normalize.ts';

/* What the shop waits for at the bank, found by the words of a bank's text. Nothing is used twice. Amounts in cents. */

export type PaidPart = { clave: string; cents: number };
/** `sure`: booked without asking. `comision_cents`: what the provider of a card payout kept. */
export type Match = { destino: Destino; sure: boolean; partes: PaidPart[]; comision_cents: number };

/** Orders that owe money, noted payments, remittances, card payments and hand-overs, none of them found at the bank yet. */
export type Expected = {
  orders: { numero: string; concepto: string; externa: string | null; nombre: string; cliente: string | null; cents: number }[];
  payments: { id: string; numero: string; nombre: string; cents: number; fecha: string }[];
  remittances: { id: string; numero: number; referencia: string | null; empresa: string; cents: number; fecha: string }[];
  cards: { id: string; proveedor: string; cents: number; fecha: string }[];
  cash: { id: string; nombre: string; cents: number; dia: string }[];
};
export type ExpectedOrder = Expected['orders'][number];

export const wordsIn = (text: string): string[] => foldText(text).match(/[a-z0-9]+/g) ?? [];
export const bareText = (text: string): string => wordsIn(text).join('');
/** Shortest number that is told apart from other figures in a bank's text, such as a street number. */
const LEAST = 5;
const isNumber = (key: string) => key.length >= LEAST && /\d/.test(key);
/** Keys of a number: whole, and one of ours without its letters. */
const numberKeys = (text: string) => [...new Set([bareText(text), bareText(text).replace(/^ord(?=\d{10})/, '')])].filter(isNumber);

/** Every text of one to four neighbouring words, so that «ORD 2026-000123» is found however the bank has cut it; and long runs of figures. */
export function keysIn(words: readonly string[]): Set<string> {
  const keys = new Set<string>();
  for (const [i, word] of words.entries()) {
    let joined = '';
    for (const next of words.slice(i, i + 4)) {
      joined += next;
      keys.add(joined);
    }
    for (const figures of word.match(/\d{10,}/g) ?? []) keys.add(figures);
  }
  return keys;
}

const PARTICLES = new Set(['del', 'las', 'los', 'san', 'don', 'dona']);
const names = new WeakMap<object, string[]>();
/** Words of a name that tell people apart. Cached: a list is asked for many movements. */
export function nameWords(of: { nombre: string }): string[] {
  const known = names.get(of);
  if (known) return known;
  const words = [...new Set(wordsIn(of.nombre).filter((word) => word.length > 2 && !PARTICLES.has(word)))];
  names.set(of, words);
  return words;
}
/** True if two words of a name are in a text, or its only word. */
export function isNamed(of: { nombre: string }, wordSet: ReadonlySet<string>): boolean {
  const name = nameWords(of);
  const found = name.filter((word) => wordSet.has(word)).length;
  return found > 1 || (found === 1 && name.length === 1);
}

function indexBy<T>(all: readonly T[], keysOf: (each: T) => readonly string[]) {
  const index = new Map<string, T[]>();
  for (const each of all)
    for (const key of keysOf(each)) {
      const known = index.get(key);
      if (known) known.push(each);
      else index.set(key, [each]);
    }
  return (keys: Iterable<string>): T[] => [...new Set([...keys].flatMap((key) => index.get(key) ?? []))];
}

export type Index = ReturnType<typeof indexExpected>;
/** Finds what is expected by number and by name; `take` uses it up. */
export function indexExpected(expected: Expected) {
  const used = new Set<string>();
  const due = new Map(expected.orders.map(({ numero, cents }) => [numero, cents]));
  const dueOf = ({ numero }: ExpectedOrder): number => due.get(numero) ?? 0;
  return {
    ...expected,
    ordersByNumber: indexBy(expected.orders, ({ numero, concepto }) => [...new Set([...numberKeys(numero), ...numberKeys(concepto)])]),
    ordersByExternal: indexBy(expected.orders, ({ externa }) => (externa ? numberKeys(externa) : [])),
    ordersByName: indexBy(expected.orders, nameWords),
    paymentsByNumber: indexBy(expected.payments, ({ numero }) => numberKeys(numero)),
    paymentsByName: indexBy(expected.payments, nameWords),
    remittancesByNumber: indexBy(expected.remittances, ({ numero, referencia }) => [
      `liquidacion${numero}`,
      ...(referencia ? numberKeys(referencia) : []),
    ]),
    dueOf,
    isFree: ({ id }: { id: string }) => !used.has(id),
    part: ({ id, cents }: { id: string; cents: number }): PaidPart => ({ clave: id, cents }),
    orderPart: (order: ExpectedOrder, cents = dueOf(order)): PaidPart => ({ clave: order.numero, cents }),
    take(destino: Destino, sure: boolean, partes: PaidPart[], comision_cents = 0): Match {
      for (const { clave, cents } of partes) {
        if (destino === 'pedidos') due.set(clave, (due.get(clave) ?? 0) - cents);
        else used.add(clave);
      }
      return { destino, sure, partes, comision_cents };
    },
  };
}
