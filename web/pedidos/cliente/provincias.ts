import { isSpain } from '../../../contract/text/country.ts';
import { typedPostcode } from '../../../contract/text/postcode.ts';

// Ordered by the first two digits of postcodes, 01 to 52; the index is one less.
export const PROVINCIAS: readonly string[] = [
  'Álava',
  'Albacete',
  'Alicante',
  'Almería',
  'Ávila',
  'Badajoz',
  'Baleares',
  'Barcelona',
  'Burgos',
  'Cáceres',
  'Cádiz',
  'Castellón',
  'Ciudad Real',
  'Córdoba',
  'A Coruña',
  'Cuenca',
  'Girona',
  'Granada',
  'Guadalajara',
  'Gipuzkoa',
  'Huelva',
  'Huesca',
  'Jaén',
  'León',
  'Lleida',
  'La Rioja',
  'Lugo',
  'Madrid',
  'Málaga',
  'Murcia',
  'Navarra',
  'Ourense',
  'Asturias',
  'Palencia',
  'Las Palmas',
  'Pontevedra',
  'Salamanca',
  'Santa Cruz de Tenerife',
  'Cantabria',
  'Segovia',
  'Sevilla',
  'Soria',
  'Tarragona',
  'Teruel',
  'Toledo',
  'Valencia',
  'Valladolid',
  'Bizkaia',
  'Zamora',
  'Zaragoza',
  'Ceuta',
  'Melilla',
];

/** Province of a Spanish postcode of at least two digits; undefined for other postcodes. */
export function provinciaOf(postcode: string, country: string): string | undefined {
  const digits = typedPostcode(postcode);
  if (!isSpain(country) || !/^\d{2,5}$/.test(digits)) return undefined;
  return PROVINCIAS[Number(digits.slice(0, 2)) - 1];
}
