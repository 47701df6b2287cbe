import type { PedidoDisponible } from '../../contract/pedidos.ts';

type Lugar = Pick<
  PedidoDisponible,
  'cliente_direccion' | 'cliente_codigo_postal' | 'cliente_ciudad' | 'cliente_provincia' | 'cliente_pais'
>;

const joined = (parts: (string | null)[], separator: string) => parts.filter(Boolean).join(separator);

/** Postcode, city and province, without saying Madrid twice: «28013 Madrid», «08201 Sabadell, Barcelona». */
export function localidad({ cliente_codigo_postal, cliente_ciudad, cliente_provincia }: Lugar): string {
  const province = cliente_provincia === cliente_ciudad ? null : cliente_provincia;
  return joined([joined([cliente_codigo_postal, cliente_ciudad], ' '), province], ', ');
}

/** Opens the phone's map application, or the web's, at the street. */
export function mapa(lugar: Lugar): string {
  const place = joined([lugar.cliente_direccion, localidad(lugar), lugar.cliente_pais], ', ');
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`;
}

/** The address that dials a number as people write it: spaces and dots left out. */
export const llamar = (telefono: string): string => `tel:${telefono.replace(/[^\d+*#]/g, '')}`;
