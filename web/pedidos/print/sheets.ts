import type { Linea } from '../../../contract/pedidos/lineas.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { mayLeave, mayPrepare } from '../../../contract/pedidos/situation.ts';
import type { Pack } from '../../../contract/products/products.ts';

/* Data of the printed sheets. */

export type Printed = Pedido & { lineas: readonly Linea[] };

/** Orders that belong on a sheet: every order has a delivery note, what may not leave is no stop, and what waits is not picked. */
export const onSheet = { albaranes: () => true, preparacion: mayPrepare, ruta: mayLeave };

type Due = { contra_reembolso: boolean; por_cobrar: number | null };

/** Euros that the carrier collects for an order; 0 unless the order is paid on delivery. */
export const toCollect = ({ contra_reembolso, por_cobrar }: Due): number => (contra_reembolso ? (por_cobrar ?? 0) : 0);

export function sumCollected<P extends Due>(pedidos: readonly P[]) {
  const orders = pedidos.filter((pedido) => toCollect(pedido) > 0);
  return { orders, total: orders.reduce((cents, pedido) => cents + Math.round(toCollect(pedido) * 100), 0) / 100 };
}

/** Product to pick, with its units and the ordered packs. */
export type Pick = { product: string; picture?: string | null | undefined; unidades: number; packs: { name: string; cantidad: number }[] };

const { compare } = new Intl.Collator('es', { sensitivity: 'base', numeric: true });

/** Units by product, sorted by name. The text of a line without a known pack counts as a product. */
export function pickingLines(pedidos: readonly Printed[], packs: readonly Pack[]): Pick[] {
  const byId = new Map(packs.map((pack) => [pack.id, pack]));
  const picks = new Map<string, Pick>();
  for (const { pack_id, producto, cantidad, unidades } of pedidos.flatMap(({ lineas }) => lineas)) {
    const pack = pack_id === null ? undefined : byId.get(pack_id);
    const pick = getOrMake(picks, pack?.product_id ?? producto, () => ({
      product: pack?.product_name ?? producto,
      picture: pack?.picture,
      unidades: 0,
      packs: [],
    }));
    pick.unidades += pack_id === null ? cantidad : unidades;
    if (!pack) continue;
    const same = pick.packs.find(({ name }) => name === pack.name);
    if (same) same.cantidad += cantidad;
    else pick.packs.push({ name: pack.name, cantidad });
  }
  return [...picks.values()]
    .map((pick) => ({ ...pick, packs: pick.packs.toSorted((a, b) => compare(a.name, b.name)) }))
    .toSorted((a, b) => compare(a.product, b.product));
}

/** Stops of a carrier by postcode (missing ones last), town and street; `carrier` is null for unassigned orders. */
export type Route = { carrier: string | null; stops: Printed[] };

/** Routes by carrier name; unassigned orders come last. */
export function carrierRoutes(pedidos: readonly Printed[]): Route[] {
  const routes = new Map<string | null, Route>();
  for (const pedido of pedidos) {
    getOrMake(routes, pedido.transportista_id, () => ({ carrier: pedido.transportista_nombre, stops: [] })).stops.push(pedido);
  }
  const place = ({ cliente_codigo_postal, cliente_ciudad, cliente_direccion }: Pedido) =>
    [cliente_codigo_postal, cliente_ciudad, cliente_direccion].join(' ');
  const late = ({ cliente_codigo_postal }: Pedido) => Number(!cliente_codigo_postal);
  return [...routes.values()]
    .map(({ carrier, stops }) => ({ carrier, stops: stops.toSorted((a, b) => late(a) - late(b) || compare(place(a), place(b))) }))
    .toSorted((a, b) => Number(a.carrier === null) - Number(b.carrier === null) || compare(a.carrier ?? '', b.carrier ?? ''));
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
