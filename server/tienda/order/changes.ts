import { PARTE_LABEL, PARTES, type ParteWeb } from '../../../contract/tienda/fields.ts';
import type { WebOrder } from '../reading/order.ts';

/** Parts of an order that can change in the shop, as last agreed to. */
export type AgreedParts = Record<ParteWeb, unknown>;

/** `annulled`: the office has annulled the shop's payment. */
type Known = { annulled: boolean };

const OF: Record<ParteWeb, (order: WebOrder, known: Known) => unknown> = {
  direccion: ({ cliente: { cliente_nif: _, ...address } }) => address,
  nif: ({ cliente }) => cliente.cliente_nif,
  productos: ({ lineas }) =>
    lineas.map(({ clave, nombre, texto, cantidad, total_cents }) => [clave, nombre, texto ?? '', cantidad, total_cents]),
  importe: ({ envio_cents, descuento_cents, total_cents }) => [envio_cents, descuento_cents, total_cents],
  instrucciones: ({ instrucciones, elegido = [] }) => [instrucciones, ...elegido.map(({ que, texto }) => `${que}: ${texto}`)],
  pago: ({ pago }, { annulled }) => (pago ? ['pagado', annulled] : null),
  estado: ({ situacion }) => situacion,
};

export const agreedParts = (order: WebOrder, known: Known): AgreedParts =>
  Object.fromEntries(PARTES.map((parte) => [parte, OF[parte](order, known) ?? null])) as AgreedParts;

export const valuesDiffer = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

const BEGIN = 'En la tienda ha cambiado ';
const wordsOf = (cambios: readonly string[]) =>
  cambios.length
    ? `${BEGIN}${PARTES.filter((parte) => cambios.includes(parte))
        .map((parte) => PARTE_LABEL[parte])
        .join(', ')}`
    : '';

const SEPARATOR = '. ';
/** Returns the notice with its changes replaced and `notices` added; null if it would be empty. */
export function changesNotice(
  aviso: string | null,
  before: readonly string[],
  after: readonly string[],
  notices: readonly string[] = [],
): string | null {
  const changes = wordsOf(before);
  const kept = (aviso ?? '').split(SEPARATOR).filter((sentence) => sentence && sentence !== changes);
  const further = notices.filter((sentence) => !kept.includes(sentence));
  return [...kept, ...further, wordsOf(after)].filter(Boolean).join(SEPARATOR) || null;
}
