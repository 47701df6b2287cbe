import { plural } from '../../contract/text/plural.ts';
import type { User } from '../../contract/users/users.ts';
import { inZonas } from '../../contract/zonas/reparto.ts';

export type Carrier = Pick<User, 'id' | 'full_name' | 'zonas' | 'pedidos_abiertos'>;
type Place = { cliente_codigo_postal?: string | null };

const MAX = 3;

/** Returns the carriers whose zones cover some of the orders: most covered orders first, then fewest open orders. */
export const zonaProposals = (carriers: readonly Carrier[], orders: readonly Place[]): { id: string; words: string }[] =>
  carriers
    .map((carrier) => ({ carrier, n: orders.filter((order) => inZonas(carrier.zonas, order.cliente_codigo_postal)).length }))
    .filter(({ n }) => n > 0)
    .toSorted((a, b) => b.n - a.n || a.carrier.pedidos_abiertos - b.carrier.pedidos_abiertos)
    .slice(0, MAX)
    .map(({ carrier: { id, full_name, pedidos_abiertos: open }, n }) => {
      const zona = n < orders.length ? `su zona en ${n} de ${orders.length}` : 'su zona';
      return { id, words: `${full_name} · ${zona} · ${plural(open, 'pedido')}` };
    });
