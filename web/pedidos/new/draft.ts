import { draftName } from '../../drafts.ts';
import { type ClienteValues, EMPTY_CLIENTE } from '../cliente-values.ts';

/** Form values; `cantidad` as typed. */
export type NewPedidoValues = ClienteValues & { pack_id: string; cantidad: string; revendedor_id: string; cobrar: string };
export const EMPTY: NewPedidoValues = { ...EMPTY_CLIENTE, pack_id: '', cantidad: '1', revendedor_id: '', cobrar: '' };

/** `key` is the idempotency key: submitting a form twice creates one order. `from` is the number of the order it repeats. */
export type Draft = { key: string; values: NewPedidoValues; from?: string };

const FIELDS = Object.keys(EMPTY) as (keyof NewPedidoValues)[];
export const hasContent = (values: NewPedidoValues): boolean => FIELDS.some((field) => values[field] !== EMPTY[field]);

/** Avoids crypto.randomUUID, which needs a secure context. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export function readDraft(owner: string): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(draftName(owner)) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('key' in stored) || !('values' in stored)) return undefined;
    const { key, values } = stored;
    if (typeof key !== 'string' || typeof values !== 'object' || values === null) return undefined;
    const kept = Object.entries(values).filter(([field, value]) => field in EMPTY && typeof value === 'string');
    const from = 'from' in stored && typeof stored.from === 'string' && { from: stored.from };
    return { key, values: { ...EMPTY, ...Object.fromEntries(kept) }, ...from };
  } catch {
    return undefined;
  }
}

/** Stores the draft, or removes it when the form is empty. */
export function keepDraft(owner: string, draft: Draft): void {
  try {
    if (hasContent(draft.values)) sessionStorage.setItem(draftName(owner), JSON.stringify(draft));
    else sessionStorage.removeItem(draftName(owner));
  } catch {
    // Storage may be blocked; only the convenience is lost.
  }
}
