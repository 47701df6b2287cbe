import { isSpain, typedPostcode } from './country.ts';

/** Codes of ISO 3166-2:ES and names of the provinces, by the first two digits of postcodes, 01 to 52; the index is one less. */
const CODES: readonly (readonly [code: string, name: string])[] = [
  ['VI', 'Álava'],
  ['AB', 'Albacete'],
  ['A', 'Alicante'],
  ['AL', 'Almería'],
  ['AV', 'Ávila'],
  ['BA', 'Badajoz'],
  ['PM', 'Baleares'],
  ['B', 'Barcelona'],
  ['BU', 'Burgos'],
  ['CC', 'Cáceres'],
  ['CA', 'Cádiz'],
  ['CS', 'Castellón'],
  ['CR', 'Ciudad Real'],
  ['CO', 'Córdoba'],
  ['C', 'A Coruña'],
  ['CU', 'Cuenca'],
  ['GI', 'Girona'],
  ['GR', 'Granada'],
  ['GU', 'Guadalajara'],
  ['SS', 'Gipuzkoa'],
  ['H', 'Huelva'],
  ['HU', 'Huesca'],
  ['J', 'Jaén'],
  ['LE', 'León'],
  ['L', 'Lleida'],
  ['LO', 'La Rioja'],
  ['LU', 'Lugo'],
  ['M', 'Madrid'],
  ['MA', 'Málaga'],
  ['MU', 'Murcia'],
  ['NA', 'Navarra'],
  ['OR', 'Ourense'],
  ['O', 'Asturias'],
  ['P', 'Palencia'],
  ['GC', 'Las Palmas'],
  ['PO', 'Pontevedra'],
  ['SA', 'Salamanca'],
  ['TF', 'Santa Cruz de Tenerife'],
  ['S', 'Cantabria'],
  ['SG', 'Segovia'],
  ['SE', 'Sevilla'],
  ['SO', 'Soria'],
  ['T', 'Tarragona'],
  ['TE', 'Teruel'],
  ['TO', 'Toledo'],
  ['V', 'Valencia'],
  ['VA', 'Valladolid'],
  ['BI', 'Bizkaia'],
  ['ZA', 'Zamora'],
  ['Z', 'Zaragoza'],
  ['CE', 'Ceuta'],
  ['ML', 'Melilla'],
];

/** Names of the provinces, in the order of postcodes. */
export const PROVINCIAS: readonly string[] = CODES.map(([, name]) => name);

/** Province of a Spanish postcode of at least two digits; undefined for other postcodes. */
export function provinciaByPostcode(postcode: string, country: string): string | undefined {
  const digits = typedPostcode(postcode);
  if (!isSpain(country) || !/^\d{2,5}$/.test(digits)) return undefined;
  return PROVINCIAS[Number(digits.slice(0, 2)) - 1];
}

/** Province with this code («PM», «ES-PM»); undefined for other texts. */
export const provinciaOfCode = (code: string): string | undefined => CODES.find(([known]) => known === code.replace(/^ES-/, ''))?.[1];
