import { type ClienteValues, EMPTY_CLIENTE } from '../cliente-values.ts';

/** What the fields hold; `cantidad` as typed. */
export type NewPedidoValues = ClienteValues & { pack_id: string; cantidad: string };
export const EMPTY: NewPedidoValues = { ...EMPTY_CLIENTE, pack_id: '', cantidad: '1' };

/** `key` goes with one filled form: sending it twice makes one order. */
export type Draft = { key: string; values: NewPedidoValues };

const FIELDS = Object.keys(EMPTY) as (keyof NewPedidoValues)[];
export const hasContent = (values: NewPedidoValues): boolean => FIELDS.some((field) => values[field] !== EMPTY[field]);

/** Not crypto.randomUUID: browsers only have that one on pages served securely. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

// This tab's storage: a customer's data should not outlive the visit. Each person has their own.
const nameOf = (owner: string) => `pedido-borrador-${owner}`;

export function readDraft(owner: string): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(nameOf(owner)) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('key' in stored) || !('values' in stored)) return undefined;
    const { key, values } = stored;
    if (typeof key !== 'string' || typeof values !== 'object' || values === null) return undefined;
    const kept = Object.entries(values).filter(([field, value]) => field in EMPTY && typeof value === 'string');
    return { key, values: { ...EMPTY, ...Object.fromEntries(kept) } };
  } catch {
    return undefined;
  }
}

/** Keeps what is typed in case the page is left; an empty form is nothing to keep. */
export function keepDraft(owner: string, draft: Draft): void {
  try {
    if (hasContent(draft.values)) sessionStorage.setItem(nameOf(owner), JSON.stringify(draft));
    else sessionStorage.removeItem(nameOf(owner));
  } catch {
    // A browser that keeps nothing only loses the convenience.
  }
}
