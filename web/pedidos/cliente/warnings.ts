import { isSpain } from '../../../contract/text/country.ts';
import { typedPostcode } from '../../../contract/text/postcode.ts';
import { isWholeTelephone, telephoneDigits } from '../../../contract/text/telephone.ts';
import { plain } from '../../ui/list/local-list.ts';
import type { ClienteValues } from './cliente-values.ts';
import { namesOfTown } from './poblaciones.ts';
import { provinciaOf } from './provincias.ts';

/* Warnings about an order’s customer. Warnings never block, because the data may be right. */

const wordsOf = (text: string) =>
  plain(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

// Common names and places of a province, besides the name from `provinciaOf`.
const ALSO: Record<string, string[]> = {
  Álava: ['araba'],
  Alicante: ['alacant'],
  Asturias: ['oviedo'],
  Baleares: ['balears', 'mallorca', 'menorca', 'ibiza', 'eivissa', 'formentera'],
  Bizkaia: ['vizcaya'],
  Cantabria: ['santander'],
  Castellón: ['castello'],
  'A Coruña': ['coruna'],
  Gipuzkoa: ['guipuzcoa'],
  Girona: ['gerona'],
  'La Rioja': ['rioja', 'logrono'],
  'Las Palmas': ['palmas', 'gran canaria', 'lanzarote', 'fuerteventura'],
  Lleida: ['lerida'],
  Navarra: ['nafarroa', 'pamplona'],
  Ourense: ['orense'],
  'Santa Cruz de Tenerife': ['tenerife', 'la palma', 'la gomera', 'el hierro'],
};

/** Warns if a Spanish postcode does not belong to the written province. */
export function postcodeWarning({ cliente_codigo_postal, cliente_provincia, cliente_pais }: ClienteValues): string | undefined {
  const found = typedPostcode(cliente_codigo_postal).length === 5 && provinciaOf(cliente_codigo_postal, cliente_pais);
  const written = wordsOf(cliente_provincia);
  if (!found || !written) return undefined;
  // «Comunidad de Madrid» and «Alicante/Alacant» name the province too.
  const same = [wordsOf(found), ...(ALSO[found] ?? [])].some((name) => ` ${written} `.includes(` ${name} `));
  return same ? undefined : `El código postal ${cliente_codigo_postal.trim()} es de ${found}, no de ${cliente_provincia.trim()}.`;
}

/** Warns if the written town is none of `towns`, the towns of the postcode. */
export function townWarning({ cliente_codigo_postal, cliente_ciudad }: ClienteValues, towns: readonly string[]): string | undefined {
  const written = wordsOf(cliente_ciudad);
  if (!written || towns.length === 0) return undefined;
  const names = towns.flatMap(namesOfTown).map(wordsOf);
  // «Palma de Mallorca» is Palma, «Madrid capital» is Madrid.
  if (names.some((name) => ` ${written} `.includes(` ${name} `) || ` ${name} `.includes(` ${written} `))) return undefined;
  const known = towns.length > 3 ? 'otra población' : towns.join(' o ');
  return `El código postal ${cliente_codigo_postal.trim()} es de ${known}, no de ${cliente_ciudad.trim()}.`;
}

/** Warns if a phone is not a whole Spanish number or a foreign number with prefix; ignores text around the digits. */
export function phoneWarning({ cliente_telefono }: Pick<ClienteValues, 'cliente_telefono'>): string | undefined {
  const written = cliente_telefono.trim();
  return !written || isWholeTelephone(written) ? undefined : `El teléfono ${written} no parece completo.`;
}

/** Warns about an invalid Spanish postcode. */
export function postcodeDoubt({ cliente_codigo_postal, cliente_pais }: ClienteValues): string | undefined {
  const written = cliente_codigo_postal.trim();
  const known = typedPostcode(written).length === 5 && provinciaOf(written, cliente_pais);
  return !written || known || !isSpain(cliente_pais) ? undefined : `El código postal ${written} no es de España.`;
}

/** Warnings about phone and postcode, to confirm before saving. */
export const doubtsOf = (values: ClienteValues): string[] =>
  [phoneWarning(values), postcodeDoubt(values), postcodeWarning(values)].filter((doubt) => doubt !== undefined);

type Known = Pick<ClienteValues, 'cliente_nombre' | 'cliente_direccion'> & { cliente_telefono: string | null };

/** True for the same phone, or the same name at the same address. */
export function isSame(values: ClienteValues, other: Known): boolean {
  const phone = telephoneDigits(values.cliente_telefono);
  if (phone.length >= 7 && phone === telephoneDigits(other.cliente_telefono ?? '')) return true;
  const [name, address] = [wordsOf(values.cliente_nombre), wordsOf(values.cliente_direccion)];
  return !!name && !!address && name === wordsOf(other.cliente_nombre) && address === wordsOf(other.cliente_direccion);
}
