import type { Punto } from '../../contract/ruta/orden.ts';
import { readPostcode } from '../../contract/text/postcode.ts';
import { zonaOf } from '../../contract/zonas/zonas.ts';
import type { PedidosTable } from '../db/schema.ts';
import lugares from './lugares.json' with { type: 'json' };

/** Centres of towns by province, made by make-lugares.ts: «Getafe 40.306 -3.733 901 902|…», with the end of each postcode. */
const LUGARES: Readonly<Record<string, string>> = lugares;

export type Address = Pick<PedidosTable, 'cliente_codigo_postal' | 'cliente_ciudad' | 'cliente_provincia' | 'cliente_pais'>;
type Town = { names: readonly string[]; codes: ReadonlySet<string>; punto: Punto };

const LINE = /^(.+) (\d+\.\d{3}) (-?\d+\.\d{3})((?: \d{3})*)$/;
const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Names by which a town is known: «Donostia / San Sebastián» has two, and articles are optional. */
function namesOf(town: string): string[] {
  const whole = plain(town);
  return [whole, ...whole.split(/\s*[/-]\s*/)]
    .map((name) => name.replace(/^((el|la|los|las|els|les|o|a|os|as)\s+|l'\s*)/, ''))
    .filter(Boolean);
}

const parsed = new Map<string, Town[]>();
function townsOf(province: string): Town[] {
  const known = parsed.get(province);
  if (known) return known;
  const towns = (LUGARES[province] ?? '').split('|').flatMap((line): Town[] => {
    const [, name = '', lat, lng, codes = ''] = LINE.exec(line) ?? [];
    return name ? [{ names: namesOf(name), codes: new Set(codes.trim().split(' ')), punto: { lat: Number(lat), lng: Number(lng) } }] : [];
  });
  parsed.set(province, towns);
  return towns;
}

/** Centre of the town of a Spanish address, by postcode, else by name; null if the town is not known. The address stays as it was typed. */
export function lugarDe(address: Address): Punto | null {
  if (!zonaOf(address)) return null;
  const postcode = readPostcode(address.cliente_codigo_postal);
  const wanted = namesOf(address.cliente_ciudad ?? '');
  const isNamed = ({ names }: Town) => names.some((name) => wanted.includes(name));
  if (/^\d{5}$/.test(postcode)) {
    const towns = townsOf(postcode.slice(0, 2));
    const coded = towns.filter(({ codes }) => codes.has(postcode.slice(2)));
    return (coded.find(isNamed) ?? coded[0] ?? towns.find(isNamed))?.punto ?? null;
  }
  // Without a postcode, a name that only one town has.
  const named = Object.keys(LUGARES).flatMap((province) => townsOf(province).filter(isNamed));
  return named.length === 1 ? (named[0]?.punto ?? null) : null;
}
