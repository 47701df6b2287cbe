import type { PedidoDisponible } from '../../contract/pedidos.ts';

type Place = Pick<
  PedidoDisponible,
  'cliente_direccion' | 'cliente_codigo_postal' | 'cliente_ciudad' | 'cliente_provincia' | 'cliente_pais'
>;

const joined = (parts: (string | null)[], separator: string) => parts.filter(Boolean).join(separator);

/** Postcode, city and province, omitting a repeated name: «28013 Madrid», «08201 Sabadell, Barcelona». */
export function townOf({ cliente_codigo_postal, cliente_ciudad, cliente_provincia }: Place): string {
  const province = cliente_provincia === cliente_ciudad ? null : cliente_provincia;
  return joined([joined([cliente_codigo_postal, cliente_ciudad], ' '), province], ', ');
}

/** Link to the address in the phone's map application, or on the web. */
export function mapHref(place: Place): string {
  const query = joined([place.cliente_direccion, townOf(place), place.cliente_pais], ', ');
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(query)}`;
}

/** `tel:` link for a number as people write it, with spaces and dots. */
export const callHref = (phone: string): string => `tel:${phone.replace(/[^\d+*#]/g, '')}`;
