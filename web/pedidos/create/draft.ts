import { draftName } from '../../drafts.ts';
import { type ClienteValues, EMPTY_CLIENTE } from '../cliente/cliente-values.ts';
import { EMPTY_LINEA, isUntouched, type LineaValues, TEXTS } from '../lineas/values.ts';

/** Fields other than the lines, as text. */
type TextValues = ClienteValues & Record<'revendedor_id' | 'forma' | 'pago_metodo' | 'pago_fecha' | 'envio' | 'descuento', string>;
export type NewPedidoValues = TextValues & { lineas: LineaValues[] };
const EMPTY_TEXTS: TextValues = {
  ...EMPTY_CLIENTE,
  revendedor_id: '',
  forma: '',
  pago_metodo: '',
  pago_fecha: '',
  envio: '',
  descuento: '',
};
export const EMPTY: NewPedidoValues = { ...EMPTY_TEXTS, lineas: [EMPTY_LINEA] };

/** `key` is the idempotency key: a second submission creates no second order. `from` is the number of the copied order. */
export type Draft = { key: string; values: NewPedidoValues; from?: string };

const FIELDS = Object.keys(EMPTY_TEXTS) as (keyof TextValues)[];
export const hasContent = (values: NewPedidoValues): boolean =>
  FIELDS.some((field) => values[field] !== EMPTY[field]) || values.lineas.length > 1 || !values.lineas.every(isUntouched);

type Unknown = Partial<Record<string, unknown>>;
const textsOf = (stored: Unknown, names: readonly string[]) =>
  Object.fromEntries(Object.entries(stored).filter(([name, value]) => names.includes(name) && typeof value === 'string'));

/** Form values of a stored draft. Older drafts have no lines, but the fields of a single line in the order itself. */
export function valuesFrom(stored: Unknown): NewPedidoValues {
  const lineas = Array.isArray(stored.lineas) && stored.lineas.length ? (stored.lineas as unknown[]) : [stored];
  return {
    ...EMPTY,
    ...textsOf(stored, FIELDS),
    lineas: lineas.map((linea, index) => {
      const kept: Unknown = typeof linea === 'object' && linea !== null ? (linea as Unknown) : {};
      return { ...EMPTY_LINEA, ...textsOf(kept, TEXTS), key: index + 1, libre: kept.libre === true };
    }),
  };
}

export function readDraft(owner: string): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(draftName(owner)) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('key' in stored) || !('values' in stored)) return undefined;
    const { key, values } = stored;
    if (typeof key !== 'string' || typeof values !== 'object' || values === null) return undefined;
    const from = 'from' in stored && typeof stored.from === 'string' && { from: stored.from };
    return { key, values: valuesFrom(values as Unknown), ...from };
  } catch {
    return undefined;
  }
}

/** Stores the draft, or removes it when the form is empty. */
export function storeDraft(owner: string, draft: Draft): void {
  try {
    if (hasContent(draft.values)) sessionStorage.setItem(draftName(owner), JSON.stringify(draft));
    else sessionStorage.removeItem(draftName(owner));
  } catch {
    // Storage may be blocked; only the draft is lost.
  }
}
