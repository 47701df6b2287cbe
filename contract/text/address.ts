import { isSpain } from './country.ts';

type Place = Record<'cliente_direccion' | 'cliente_codigo_postal' | 'cliente_ciudad' | 'cliente_provincia', string | null>;
type Lines = Place & Partial<Record<'cliente_direccion2' | 'cliente_pais', string | null>>;

const joined = (parts: (string | null | undefined)[], separator = ', ') => parts.filter(Boolean).join(separator);

/** Postcode, city and province, omitting a repeated name: «28013 Madrid», «08201 Sabadell, Barcelona». */
export function townLine({ cliente_codigo_postal, cliente_ciudad, cliente_provincia }: Omit<Place, 'cliente_direccion'>): string {
  const province = cliente_provincia === cliente_ciudad ? null : cliente_provincia;
  return joined([joined([cliente_codigo_postal, cliente_ciudad], ' '), province]);
}

/** Formats the address in one line; names the country only outside Spain. */
export function addressLine(pedido: Lines): string {
  const country = isSpain(pedido.cliente_pais) ? null : pedido.cliente_pais;
  return joined([pedido.cliente_direccion, pedido.cliente_direccion2, townLine(pedido), country]);
}

/** Lines of the address as on a delivery note, with the country. */
export const addressLines = (pedido: Lines): string[] =>
  [pedido.cliente_direccion, pedido.cliente_direccion2, townLine(pedido), pedido.cliente_pais].filter((line) => !!line) as string[];

/** Link to the phone's map app, or to a map on the web. */
export function mapHref(pedido: Lines): string {
  const query = joined([pedido.cliente_direccion, townLine(pedido), pedido.cliente_pais]);
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(query)}`;
}

/** Link to directions from the phone's position through `via` to the address. Google Maps in a phone's browser takes at most three waypoints. */
export function directionsHref(pedido: Lines, via: readonly Lines[] = []): string {
  const [destination = '', ...waypoints] = [pedido, ...via].map((at) => joined([at.cliente_direccion, townLine(at), at.cliente_pais]));
  const between = via.length > 0 ? `&waypoints=${encodeURIComponent(waypoints.join('|'))}` : '';
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(destination)}${between}`;
}
