import type { ClienteField } from '../pedidos/fields.ts';
import { readCountry, readPostcode } from '../text/country.ts';
import { foldText } from '../text/normalize.ts';

/** Shipping zones, each with the setting of its cost in euros. */
export const ZONAS = {
  peninsula: { label: 'Península', setting: 'shippingPeninsula' },
  baleares: { label: 'Baleares', setting: 'shippingBaleares' },
  canarias: { label: 'Canarias', setting: 'shippingCanarias' },
  ceuta_melilla: { label: 'Ceuta y Melilla', setting: 'shippingCeutaMelilla' },
} as const;
export type Zona = keyof typeof ZONAS;

/** Zone by the first two digits of a Spanish postcode; all other prefixes are peninsula. */
const BY_PREFIX: Record<string, Zona> = {
  '07': 'baleares',
  '35': 'canarias',
  '38': 'canarias',
  '51': 'ceuta_melilla',
  '52': 'ceuta_melilla',
};
const BY_PROVINCIA: readonly (readonly [RegExp, Zona])[] = [
  [/balear|mallorca|menorca|ibiza|eivissa|formentera|\b(pm|ib)\b/, 'baleares'],
  [/canaria|canary|palmas|tenerife|lanzarote|fuerteventura|\b(la palma|gomera|hierro|graciosa|gc|tf|cn)\b/, 'canarias'],
  [/ceuta|melilla|\b(ce|ml)\b/, 'ceuta_melilla'],
];

/** Returns the zone of an address by postcode, else by province or an island named as country; undefined outside Spain. */
export function zonaOf({
  cliente_codigo_postal,
  cliente_provincia,
  cliente_pais,
}: Partial<Record<ClienteField, string | null>>): Zona | undefined {
  const country = readCountry(cliente_pais);
  if (!country.spain) return undefined;
  const postcode = readPostcode(cliente_codigo_postal);
  if (postcode) return BY_PREFIX[postcode.slice(0, 2)] ?? 'peninsula';
  const provincia = foldText(cliente_provincia ?? '');
  return BY_PROVINCIA.find(([pattern]) => pattern.test(provincia))?.[1] ?? country.part ?? 'peninsula';
}
