import type { Insertable } from 'kysely';
import type { Tables } from '../server/db/schema.ts';
import { atWork, DAY, HOUR, MINUTE } from './calendar.ts';
import type { Sold } from './catalogue.ts';
import type { Draft } from './life.ts';
import { type Person, printedAccount } from './people.ts';
import type { Random } from './random.ts';

export type Movement = Insertable<Tables['stock_movements']> & { created_at: string };
type Actor = { id: string | null; full_name: string };
/** Kept small, because all flows are in memory at once. */
export type Flow = { at: number; product: string; pedido: string; unidades: number; actor: Actor };

/** Yields the stock ledger of each product, with purchases that prevent running out. Sets `stock` and `min_stock` in the catalogue. */
export function* buildLedger(
  flows: Flow[],
  catalogue: Sold[],
  people: Person[],
  random: Random,
  start: number,
  now: number,
): Generator<Movement[]> {
  const buyer = printedAccount(people, 'superadmin').actor;
  const byProduct = Map.groupBy(flows, (flow) => flow.product);

  for (const { row, low, until } of catalogue) {
    const movements: Movement[] = [];
    const own = (byProduct.get(row.id) ?? []).sort((a, b) => a.at - b.at);
    const demand = own.reduce((sum, { unidades }) => sum - unidades, 0);
    const daily = demand / (((now - start) * (until ?? 1)) / DAY);
    const lot = nice(daily * 21 + 24);
    const reorder = nice(daily * 9 + 12);
    const quiet = low ? now - 13 * DAY : now;
    let stock = 0;
    let arrival = Number.POSITIVE_INFINITY;

    const book = (at: number, unidades: number, motivo: string, nota: string | null, actor: Actor, pedido_id: string | null) => {
      stock += unidades;
      const created_at = new Date(at).toISOString();
      movements.push({
        product_id: row.id,
        unidades,
        motivo,
        pedido_id,
        nota,
        actor_user_id: actor.id,
        actor_nombre: actor.full_name,
        created_at,
      });
    };
    const buy = (at: number, unidades: number) => {
      book(at, unidades, 'ajuste', random.fill('Compra a proveedor, albarán ####'), buyer, null);
      arrival = Number.POSITIVE_INFINITY;
    };

    book(Date.parse(row.created_at) + HOUR, lot, 'inicial', null, buyer, null);
    for (const { at, unidades, pedido, actor } of own) {
      if (arrival <= at) buy(arrival, lot);
      // Buys more just in time if the stock would run out before the purchase arrives.
      if (stock + unidades < 0) buy(at - 7 * MINUTE, nice(low && at > quiet ? -unidades + daily : lot - unidades));
      book(at, unidades, unidades < 0 ? 'pedido' : 'devolucion', null, actor, pedido);
      if (stock < reorder && at < quiet && !Number.isFinite(arrival)) arrival = atWork(at, 16, random.next());
    }
    if (arrival <= now) buy(arrival, lot);

    const minimum = nice(daily * 4);
    row.stock = stock;
    row.min_stock = until ? 0 : low && stock > minimum ? nice(stock) : Math.min(minimum, low ? minimum : Math.floor(stock * 0.6));
    yield movements.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  }
}

export const stockFlows = ({ row: { id }, lines, steps }: Draft): Flow[] =>
  steps
    .filter(({ unidades }) => unidades !== 0)
    .flatMap(({ at, unidades, historial: { actor_user_id, actor_nombre } }) =>
      lines.flatMap((line) =>
        line.product_id
          ? [
              {
                at,
                product: line.product_id,
                pedido: id,
                unidades: Math.sign(unidades) * line.unidades,
                actor: { id: actor_user_id, full_name: actor_nombre },
              },
            ]
          : [],
      ),
    );

function nice(units: number): number {
  const step = units < 50 ? 5 : units < 500 ? 10 : 10 ** Math.floor(Math.log10(units) - 1);
  return Math.max(step, Math.ceil(units / step) * step);
}
