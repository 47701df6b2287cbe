import type { PedidoDisponible } from '../../contract/pedidos.ts';

type Place = Pick<
  PedidoDisponible,
  'cliente_direccion' | 'cliente_codigo_postal' | 'cliente_ciudad' | 'cliente_provincia' | 'cliente_pais'
>;

const joined = (parts: (string | null)[], separator: string) => parts.filter(Boolean).join(separator);

/** Postcode, city and province, without saying Madrid twice: «28013 Madrid», «08201 Sabadell, Barcelona». */
export function townOf({ cliente_codigo_postal, cliente_ciudad, cliente_provincia }: Place): string {
  const province = cliente_provincia === cliente_ciudad ? null : cliente_provincia;
  return joined([joined([cliente_codigo_postal, cliente_ciudad], ' '), province], ', ');
}

/** Opens the phone's map application, or the web's, at the street. */
export function mapHref(place: Place): string {
  const query = joined([place.cliente_direccion, townOf(place), place.cliente_pais], ', ');
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(query)}`;
}

/** The address that dials a number as people write it: spaces and dots left out. */
export const callHref = (phone: string): string => `tel:${phone.replace(/[^\d+*#]/g, '')}`;
