import { type RawBuilder, sql } from 'kysely';
import { type Fila, importPedidos } from '../../contract/pedidos/import.ts';
import { updatePack } from '../../contract/products/products.ts';
import type { Client } from '../../test/client.ts';
import { each, range } from '../each.ts';
import { recount } from '../recount.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

const ROWS = 200;
const ROUNDS = 4;

/** An imported sheet creates all its orders once, or none. */
export const row: Row = {
  name: 'import',
  what: `${ROWS} rows sent five times at once, two sheets of the same customers in opposite order, a wrong row at the end; on two instances`,
  seconds: 150,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const [rita] = (await shop.crew('revendedor', 1)) as [Member];
    const sides = [rita, await shop.signIn(rita.person, 1)] as const;
    const product_id = (await shop.product({ stock: 100_000 })).id;
    const pack = await shop.pack({ product_id });
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    const send = async (who: Client, filas: Fila[], key?: string) => {
      const reply = await who.call(importPedidos, { body: { filas }, ...(key && { headers: { 'idempotency-key': key } }) });
      statuses.push(reply.status);
      return reply;
    };

    for (const round of range(ROUNDS)) {
      const sheet = rowsOf(pack.id, `7${round}`);
      const before = await countAll(shop);
      await each(range(5), 5, (i) => send(sides[i % 2] as Client, sheet, `import-${round}`));
      const after = await countAll(shop);
      expect(after.pedidos - before.pedidos === ROWS, () => `sent five times: ${after.pedidos - before.pedidos} orders of ${ROWS} rows`);

      const both = rowsOf(pack.id, `8${round}`);
      const replies = await Promise.all([send(sides[0], both), send(sides[1], both.toReversed())]);
      expect(
        replies.every(({ status }) => status === 201),
        () => `two at once: ${tally(replies.map(({ status }) => status))}`,
      );
      const made = await countAll(shop);
      expect(made.pedidos - after.pedidos === 2 * ROWS, () => `two at once: ${made.pedidos - after.pedidos} orders`);
      expect(made.clientes - after.clientes === ROWS, () => `two at once: ${made.clientes - after.clientes} customers`);
    }
    const deadlocks = (await countAll(shop)).deadlocks;
    expect(deadlocks === 0, () => `${deadlocks} deadlocks`);

    const { id, name, alias } = await shop.pack({ product_id });
    await shop.admin.call(updatePack, { params: { id }, body: { name, alias, pack_quantity: 1, pack_price: 1, is_active: false } });
    const scarce = await shop.pack({ product_id: (await shop.product({ stock: ROWS - 1 })).id });
    const last = { cliente_nombre: 'Última', cliente_direccion: 'Calle 1' };
    const wrong: [string, Fila[], string][] = [
      ['a pack that is no more', [...rowsOf(pack.id, '90').slice(1), { ...last, pack_id: id }], `filas.${ROWS - 1}.pack_id`],
      [
        'no name',
        [...rowsOf(pack.id, '91').slice(1), { ...last, cliente_nombre: ' ', pack_id: pack.id }],
        `filas.${ROWS - 1}.cliente_nombre`,
      ],
      ['stock that does not suffice', rowsOf(scarce.id, '92'), 'filas'],
    ];
    for (const [what, sheet, field] of wrong) {
      const before = await countAll(shop);
      const { status, body } = await send(sides[0], sheet);
      expect(status === 422, () => `${what}: ${status}`);
      expect(Object.keys(body.errors ?? {}).join() === field, () => `${what}: ${Object.keys(body.errors ?? {}).join()}`);
      const after = await countAll(shop);
      const left = Object.entries(after).filter(([table, n]) => n !== before[table as keyof typeof before]);
      expect(left.length === 0, () => `${what} leaves ${left.map(([table]) => table).join(', ')}`);
    }
    for (const line of await shop.inspect(recount)) expect(false, () => line);
    return outcome(`${statuses.length} imports of ${ROWS} rows: ${tally(statuses)}; ${deadlocks} deadlocks`);
  },
  control: [
    {
      guard: 'the key of an import',
      edits: [
        {
          file: 'server/repeats/repeats.ts',
          find: 'who ? withIdempotencyKey(',
          replace: 'false ? withIdempotencyKey(',
        },
      ],
    },
    {
      guard: 'the order in which an import locks customers',
      edits: [
        {
          file: 'server/pedidos/escritura/import.ts',
          find: 'await inLockOrder(tx, await numbered(tx, await build(tx, actor, input)));',
          replace: 'await numbered(tx, await build(tx, actor, input));',
        },
      ],
    },
    {
      guard: 'that an import is all or nothing',
      edits: [
        {
          file: 'server/pedidos/escritura/import.ts',
          find: "    await adjustStockOf(tx, actor, taken, 'pedido', 'filas');\n",
          replace:
            "      await sql`SAVEPOINT hecho`.execute(tx);\n      await adjustStockOf(tx, actor, taken, 'pedido', 'filas').catch(() => sql`ROLLBACK TO hecho`.execute(tx));\n",
        },
      ],
    },
  ],
};

/** Rows of a sheet, each for a different customer. */
const rowsOf = (pack_id: string, telephone: string): Fila[] =>
  range(ROWS).map((n) => ({
    cliente_nombre: `Fila ${n}`,
    cliente_telefono: `6${telephone}${String(n).padStart(8 - telephone.length, '0')}`,
    cliente_direccion: `Calle ${n}`,
    pack_id,
    cantidad: 1,
  }));

type Counts = Record<'pedidos' | 'lineas' | 'historial' | 'clientes' | 'movimientos' | 'avisos' | 'stock' | 'claves' | 'deadlocks', number>;
const of = (table: string): RawBuilder<number> => sql`(SELECT count(*) FROM ${sql.table(table)})`;

const countAll = (shop: Shop): Promise<Counts> =>
  shop.inspect(async (db) => {
    const { rows } = await sql<Counts>`
      SELECT ${of('pedidos')} AS pedidos, ${of('pedidos_lineas')} AS lineas, ${of('pedidos_historial')} AS historial, ${of('clientes')} AS clientes,
        ${of('stock_movements')} AS movimientos, ${of('notifications')} AS avisos, ${of('idempotency_keys')} AS claves,
        (SELECT sum(stock) FROM products) AS stock,
        (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()) AS deadlocks`.execute(db);
    return rows[0] as Counts;
  });
