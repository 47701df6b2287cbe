import type { ClienteValues } from '../cliente-values.ts';
import { postcodeDigits, provinciaOf } from '../provincias.ts';

/* What looks wrong in a new order and may well be right: said, never refused. */

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

// Other names that people write for a province, beside the one that `provinciaOf` gives.
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

/** Says when a Spanish postcode belongs to another province than the one written. */
export function postcodeWarning({ cliente_codigo_postal, cliente_provincia, cliente_pais }: ClienteValues): string | undefined {
  const found = postcodeDigits(cliente_codigo_postal).length === 5 && provinciaOf(cliente_codigo_postal, cliente_pais);
  const written = plain(cliente_provincia);
  if (!found || !written) return undefined;
  // «Comunidad de Madrid» and «Alicante/Alacant» name the province too.
  const same = [plain(found), ...(ALSO[found] ?? [])].some((name) => ` ${written} `.includes(` ${name} `));
  return same ? undefined : `El código postal ${cliente_codigo_postal.trim()} es de ${found}, no de ${cliente_provincia.trim()}.`;
}

/** Digits of a phone, without the prefix of Spain. */
export const digitsOf = (phone: string): string => phone.replace(/\D/g, '').replace(/^(0034|34)(?=\d{9}$)/, '');

// One number or several: Spanish ones, or foreign ones with their prefix.
const PHONES = /^(((\+|00)?34)?[6-9]\d{8}|(\+|00)(?!34)\d{8,15})+$/;

/** Says when a phone is neither a Spanish number nor a foreign one with its prefix, whatever is written around it. */
export function phoneWarning({ cliente_telefono }: Pick<ClienteValues, 'cliente_telefono'>): string | undefined {
  const written = cliente_telefono.trim();
  return !written || PHONES.test(written.replace(/[^\d+]/g, '')) ? undefined : `El teléfono ${written} no parece completo.`;
}

type Known = Pick<ClienteValues, 'cliente_nombre' | 'cliente_direccion'> & { cliente_telefono: string | null };

/** True for an order of the same phone, or of the same name at the same address. */
export function isSame(values: ClienteValues, other: Known): boolean {
  const phone = digitsOf(values.cliente_telefono);
  if (phone.length >= 7 && phone === digitsOf(other.cliente_telefono ?? '')) return true;
  const [name, address] = [plain(values.cliente_nombre), plain(values.cliente_direccion)];
  return !!name && !!address && name === plain(other.cliente_nombre) && address === plain(other.cliente_direccion);
}
