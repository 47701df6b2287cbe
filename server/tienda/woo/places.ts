/** Spanish provinces by WooCommerce's codes, which are those of ISO 3166-2:ES. */
const PROVINCES: Readonly<Record<string, string>> = {
  C: 'A Coruña',
  VI: 'Álava',
  AB: 'Albacete',
  A: 'Alicante',
  AL: 'Almería',
  O: 'Asturias',
  AV: 'Ávila',
  BA: 'Badajoz',
  PM: 'Illes Balears',
  B: 'Barcelona',
  BU: 'Burgos',
  CC: 'Cáceres',
  CA: 'Cádiz',
  S: 'Cantabria',
  CS: 'Castellón',
  CE: 'Ceuta',
  CR: 'Ciudad Real',
  CO: 'Córdoba',
  CU: 'Cuenca',
  GI: 'Girona',
  GR: 'Granada',
  GU: 'Guadalajara',
  SS: 'Gipuzkoa',
  H: 'Huelva',
  HU: 'Huesca',
  J: 'Jaén',
  LO: 'La Rioja',
  GC: 'Las Palmas',
  LE: 'León',
  L: 'Lleida',
  LU: 'Lugo',
  M: 'Madrid',
  MA: 'Málaga',
  ML: 'Melilla',
  MU: 'Murcia',
  NA: 'Navarra',
  OR: 'Ourense',
  P: 'Palencia',
  PO: 'Pontevedra',
  SA: 'Salamanca',
  TF: 'Santa Cruz de Tenerife',
  SG: 'Segovia',
  SE: 'Sevilla',
  SO: 'Soria',
  T: 'Tarragona',
  TE: 'Teruel',
  TO: 'Toledo',
  V: 'Valencia',
  VA: 'Valladolid',
  BI: 'Bizkaia',
  ZA: 'Zamora',
  Z: 'Zaragoza',
};

const names = new Intl.DisplayNames('es', { type: 'region' });

/** Returns the name of the Spanish province with this code, any other text unchanged; null for an empty text. */
export const provinceOf = (country: string, state: string): string | null =>
  (country === 'ES' && PROVINCES[state.replace(/^ES-/, '')]) || state || null;

/** Returns the Spanish name of the country with this code of two letters, any other text unchanged; null for an empty text. */
export const countryOf = (code: string): string | null => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code) || null;
