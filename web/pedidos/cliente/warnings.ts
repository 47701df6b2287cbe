import { isSpain, typedPostcode } from '../../../contract/text/country.ts';
import { PROVINCIAS, provinciaOf } from '../../../contract/text/provincias.ts';
import { isMadeUp, isWholeTelephone, telephoneDigits } from '../../../contract/text/telephone.ts';
import type { ClienteValues } from './cliente-values.ts';
import { namesOfTown, type Provinces, prefixOf, placeWords as wordsOf } from './poblaciones.ts';

/* Warnings about an order’s customer. Warnings never block, because the data may be right. */

// Common names and places of a province, besides the name from `provinciaOf`.
const ALSO: Record<string, string[]> = {
  Álava: ['araba', 'vitoria', 'gasteiz', 'vitoria gasteiz'],
  Alicante: ['alacant'],
  Asturias: ['oviedo'],
  Baleares: ['balears', 'palma', 'palma de mallorca', 'mallorca', 'menorca', 'ibiza', 'eivissa', 'formentera'],
  Bizkaia: ['vizcaya', 'bilbao', 'bilbo'],
  Cantabria: ['santander'],
  Castellón: ['castello'],
  'A Coruña': ['coruna'],
  Gipuzkoa: ['guipuzcoa', 'donostia', 'san sebastian'],
  Girona: ['gerona'],
  'La Rioja': ['rioja', 'logrono'],
  'Las Palmas': ['palmas', 'las palmas de gran canaria', 'gran canaria', 'lanzarote', 'fuerteventura'],
  Lleida: ['lerida'],
  Navarra: ['nafarroa', 'pamplona'],
  Ourense: ['orense'],
  'Santa Cruz de Tenerife': ['tenerife', 'la laguna', 'la palma', 'la gomera', 'el hierro'],
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

/** Province that a text names, or whose capital or island it names; undefined for other texts. */
export function provinciaNamed(text: string): string | undefined {
  const written = wordsOf(text);
  return PROVINCIAS.find((provincia) => written === wordsOf(provincia) || ALSO[provincia]?.includes(written));
}

/**
 * Warning, to confirm before saving, about a town that is surely not that of the postcode: a town of other postcodes of the province, a capital of
 * another province, or an unknown town with an unknown postcode. Unlike `townWarning` it lets villages pass that the tables lack.
 */
export function townDoubt(values: ClienteValues, provinces: Provinces): string | undefined {
  const { cliente_codigo_postal: postcode, cliente_ciudad, cliente_pais } = values;
  const towns = provinces.get(prefixOf(postcode, cliente_pais) ?? '');
  const written = wordsOf(cliente_ciudad);
  if (!towns || !written) return undefined;
  const here = towns.byPostcode.get(typedPostcode(postcode)) ?? [];
  const warning = townWarning(values, here);
  if (towns.names.has(written)) return warning;
  if (here.length > 0 && !warning) return undefined;
  const provincia = provinciaOf(postcode, cliente_pais) ?? '';
  const named = provinciaNamed(cliente_ciudad);
  if (named && named !== provincia) return `El código postal ${postcode.trim()} es de ${provincia}, no de ${cliente_ciudad.trim()}.`;
  return here.length > 0 || named
    ? undefined
    : `El código postal ${postcode.trim()} no consta en ${provincia}, ni ${cliente_ciudad.trim()}.`;
}

/** Warns about an invalid Spanish postcode. */
export function postcodeDoubt({ cliente_codigo_postal, cliente_pais }: ClienteValues): string | undefined {
  const written = cliente_codigo_postal.trim();
  const known = typedPostcode(written).length === 5 && provinciaOf(written, cliente_pais);
  return !written || known || !isSpain(cliente_pais) ? undefined : `El código postal ${written} no es de España.`;
}

/** Warnings about phone, postcode and town, to confirm before saving. `provinces`: of the postcode; without it towns are not compared. */
export const doubtsOf = (values: ClienteValues, provinces: Provinces): string[] =>
  [phoneWarning(values), postcodeDoubt(values), postcodeWarning(values), townDoubt(values, provinces)].filter(
    (doubt) => doubt !== undefined,
  );

type Known = Pick<ClienteValues, 'cliente_nombre' | 'cliente_direccion'> & { cliente_telefono: string | null };

/** True for the same phone, or the same name at the same address. */
export function isSameCliente(values: ClienteValues, other: Known): boolean {
  const phone = telephoneDigits(values.cliente_telefono);
  if (!isMadeUp(phone) && phone === telephoneDigits(other.cliente_telefono)) return true;
  const [name, address] = [wordsOf(values.cliente_nombre), wordsOf(values.cliente_direccion)];
  return !!name && !!address && name === wordsOf(other.cliente_nombre) && address === wordsOf(other.cliente_direccion);
}
