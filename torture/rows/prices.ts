import { sql } from 'kysely';
import { euros } from '../../contract/kit/schemas.ts';
import { calcularTotal, createPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { updatePack } from '../../contract/products/products.ts';
import { adminStats } from '../../contract/stats/stats.ts';
import { toCents, toEuros } from '../../server/kit/money.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { type Row, verdict } from '../row.ts';
import type { Shop } from '../world.ts';

const PRICES = 100_000;
const STORED = 10_000;
const PART = 500;
const ASKED = 400;

/** Prices, totals and their sum come back exact to the cent. */
export const row: Row = {
  name: 'prices',
  what: `${PRICES} prices to cents and back, thousands of them stored and listed, hundreds multiplied by the server`,
  seconds: 120,
  run: async (world) => {
    const { expect, outcome } = verdict();
    const schema = euros();
    for (const n of range(PRICES)) {
      // Every cent up to 500 euros, then samples over the whole range.
      const cents = n < 100_000 / 2 ? n : (n * 1999) % 100_000_001;
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      const [number, written] = [schema.safeParse(toEuros(cents)), schema.safeParse(text)];
      expect(number.success && toCents(number.data) === cents, () => `${cents} cents as a number`);
      expect(written.success && toCents(written.data) === cents, () => `${cents} cents as «${text}»`);
      expect(JSON.stringify(toEuros(cents)) === String(Number(text)), () => `${cents} cents on the wire`);
    }

    const shop = await world.open();
    await multiplied(shop, ASKED, expect);
    const before = BigInt(toCents((await shop.admin.call(adminStats)).body.data.ingresos));
    const stored = range(STORED).map((n) => (n * 7919 + 1) % 100_000_001);
    await shop.inspect(async (db) => {
      // Inserts in batches, because within one transaction each order makes the day's totals slower to read.
      for (let from = 0; from < stored.length; from += PART)
        await sql`
          INSERT INTO pedidos (estado, numero_orden, cliente_nombre, cliente_direccion, producto, cantidad, precio_unitario_cents, precio_total_cents, fecha_pedido)
          SELECT 'pendiente', 'PRE-' || n + ${from}::int, 'Precio', 'Calle 1', 'x', 1, cents::bigint, cents::bigint, now() - (n + ${from}::int) * interval '1 second'
          FROM json_array_elements_text(${JSON.stringify(stored.slice(from, from + PART))}::json) WITH ORDINALITY AS t (cents, n)`.execute(
          db,
        );
    });
    const read = new Map<string, number>();
    await each(range(STORED / 100), 4, async (page) => {
      const { data } = (
        await shop.admin.call(listPedidos, { query: { per_page: 100, page: page + 1, sort: 'fecha_pedido', search: 'precio' } })
      ).body;
      for (const order of data) if ('precio_total' in order) read.set(order.numero_orden, order.precio_total);
    });
    for (const [i, cents] of stored.entries())
      expect(read.get(`PRE-${i + 1}`) === toEuros(cents), () => `PRE-${i + 1}: ${read.get(`PRE-${i + 1}`)} instead of ${cents} cents`);
    const sum = stored.reduce((total, cents) => total + BigInt(cents), before);
    const shown = (await shop.admin.call(adminStats)).body.data.ingresos;
    expect(BigInt(Math.round(shown * 100)) === sum, () => `income ${shown} instead of ${sum} cents`);
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(`${PRICES} prices, ${read.size} listed, ${ASKED} multiplied and ordered, one sum of ${sum} cents`);
  },
  control: [
    {
      guard: 'the rounding to whole cents',
      edits: [{ file: 'server/kit/money.ts', find: 'Math.round(euros * 100)', replace: 'Math.trunc(euros * 100)' }],
    },
  ],
};

/** Multiplies many prices by many quantities: the calculated total must equal the charged total. */
async function multiplied({ admin, pack, product }: Shop, times: number, expect: (fine: boolean, complaint: () => string) => void) {
  const product_id = (await product({ stock: 1_000_000 })).id;
  const { id, name, alias } = await pack({ product_id });
  for (const n of range(times)) {
    const [cents, cantidad] = [1 + ((n * 3571) % 99_999), 1 + ((n * 37) % 400)];
    await admin.call(updatePack, { params: { id }, body: { name, alias, pack_quantity: 1, pack_price: cents / 100, is_active: true } });
    const total = Number(BigInt(cents) * BigInt(cantidad)) / 100;
    const { data } = (await admin.call(calcularTotal, { body: { pack_id: id, cantidad } })).body;
    expect(data?.precio_unitario === cents / 100 && data.total === total, () => `${cents} cents × ${cantidad}: ${data?.total}`);
    if (n % 4) continue;
    const made = (await admin.call(createPedido, { body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: id, cantidad } }))
      .body.data;
    expect(made?.precio_total === total, () => `${cents} cents × ${cantidad} ordered: ${made?.precio_total}`);
  }
}
