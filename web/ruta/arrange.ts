import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { type Fijas, type Parada, proponerRuta } from '../../contract/ruta/orden.ts';
import type { Ruta } from '../../contract/ruta/ruta.ts';

/** Sequence of the visits, and the first and last visit if pinned. */
export type Orden = Fijas & { pedidos: string[] };

/** Sorts orders by the sequence of visits; new orders come last, but before a pinned last visit. */
export function inOrder<P extends { id: string }>(pedidos: readonly P[], { pedidos: ids, ultima }: Orden): P[] {
  const placed = ids.flatMap((id) => pedidos.find((pedido) => pedido.id === id) ?? []);
  const fresh = pedidos.filter(({ id }) => !ids.includes(id));
  const last = placed.at(-1);
  return last && last.id === ultima ? [...placed.slice(0, -1), ...fresh, last] : [...placed, ...fresh];
}

/** Returns the ids with `id` moved to index `to`. */
export function moveStop(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((other) => other !== id);
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}

/** Unpins a first or last visit that has moved away from that end. */
export const pinnedAtEnds = ({ pedidos, primera, ultima }: Orden): Orden => ({
  pedidos,
  primera: pedidos[0] === primera ? primera : null,
  ultima: pedidos.at(-1) === ultima && pedidos.length > 1 ? ultima : null,
});

/** A short route through the towns of the orders, and the number of orders whose town is unknown. */
export function proposedOrder(pedidos: readonly PedidoTransportista[], paradas: Ruta['paradas'], fijas: Fijas) {
  const stops = pedidos.map(({ id, cliente_codigo_postal, cliente_direccion }): Parada => {
    const at = paradas.find((parada) => parada.id === id);
    return { id, punto: at ? { lat: at.lat, lng: at.lng } : null, codigo_postal: cliente_codigo_postal, direccion: cliente_direccion };
  });
  return { pedidos: proponerRuta(stops, fijas), unknown: stops.filter(({ punto }) => punto === null).length };
}
