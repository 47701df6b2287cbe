import type { ClienteField } from '../pedidos/fields.ts';

/** Zones of shipping, with the setting for each cost in euros. */
export const ZONAS = {
  peninsula: { label: 'Península', setting: 'shippingPeninsula' },
  baleares: { label: 'Baleares', setting: 'shippingBaleares' },
  canarias: { label: 'Canarias', setting: 'shippingCanarias' },
  ceuta_melilla: { label: 'Ceuta y Melilla', setting: 'shippingCeutaMelilla' },
} as const;
export type Zona = keyof typeof ZONAS;

/** First two digits of a Spanish postcode; all others are peninsula. */
const BY_PREFIX: Record<string, Zona> = {
  '07': 'baleares',
  '35': 'canarias',
  '38': 'canarias',
  '51': 'ceuta_melilla',
  '52': 'ceuta_melilla',
};
const BY_PROVINCIA: [RegExp, Zona][] = [
  [/balear|mallorca|menorca|ibiza|eivissa/, 'baleares'],
  [/canaria|las palmas|tenerife/, 'canarias'],
  [/ceuta|melilla/, 'ceuta_melilla'],
];

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

/** Zone of an address by postcode, else province; undefined outside Spain. */
export function zonaOf({
  cliente_codigo_postal,
  cliente_provincia,
  cliente_pais,
}: Partial<Record<ClienteField, string | null>>): Zona | undefined {
  if (cliente_pais && !['espana', 'es', 'spain'].includes(plain(cliente_pais))) return undefined;
  const postcode = cliente_codigo_postal?.replace(/\s/g, '') ?? '';
  if (/^\d{5}$/.test(postcode)) return BY_PREFIX[postcode.slice(0, 2)] ?? 'peninsula';
  const provincia = plain(cliente_provincia ?? '');
  return BY_PROVINCIA.find(([pattern]) => pattern.test(provincia))?.[1] ?? 'peninsula';
}
