import { createPedido } from '../../contract/pedidos/pedidos.ts';
import { listProducts } from '../../contract/products/products.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';

const UNITS = 60;
const BUYERS = 100;
const ROUNDS = 20;

/** The last units are sold exactly once: as many orders as units. */
export const row: Row = {
  name: 'stock',
  what: `${BUYERS} buyers at once for ${UNITS} units, on two instances`,
  seconds: 150,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const resellers = await shop.crew('revendedor', 10);
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    for (const round of range(ROUNDS)) {
      const product = await shop.product({ stock: UNITS });
      const pack = await shop.pack({ product_id: product.id });
      const body = (i: number) => ({ cliente_nombre: `Ana ${i}`, cliente_direccion: 'Calle 1', pack_id: pack.id, cantidad: 1 });
      const replies = await each(range(BUYERS), BUYERS, (i) =>
        (resellers[i % 10] as (typeof resellers)[0]).call(createPedido, { body: body(i) }),
      );
      statuses.push(...replies.map(({ status }) => status));
      const sold = replies.filter(({ status }) => status === 201).length;
      const left = (await shop.admin.call(listProducts)).body.data.find(({ id }) => id === product.id)?.stock;
      expect(sold === UNITS && left === 0, () => `round ${round}: ${sold} sold, ${left} left`);
    }
    expect(
      statuses.every((status) => status === 201 || status === 422),
      () => `answers ${tally(statuses)}`,
    );
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(`${BUYERS} buyers × ${ROUNDS}: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'the stock in the UPDATE and its CHECK',
      edits: [
        { file: 'server/products/stock.ts', find: 'Math.max(0, -unidades)', replace: '-2_000_000_000' },
        { file: 'server/db/migrations/001-initial.ts', find: 'CHECK (stock BETWEEN 0 AND 2000000000)', replace: '' },
      ],
    },
  ],
};
