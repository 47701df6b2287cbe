import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { proveIdentity } from '../../contract/account/account.ts';
import { listCajas } from '../../contract/caja/caja.ts';
import { listFacturables } from '../../contract/facturables/facturables.ts';
import { setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import * as api from '../../contract/pedidos/pedidos.ts';
import { listProducts } from '../../contract/products/products.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { seededRandom } from '../../demo/random.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import { each, range } from '../each.ts';
import { recount } from '../recount.ts';
import { type Row, verdict } from '../row.ts';
import {
  ATTEMPT,
  cents,
  create,
  DELIVERY,
  dueOf,
  FAULTS,
  handOver,
  isEarned,
  live,
  MARGIN,
  marginOf,
  owedOf,
  PACK,
  SHIPPING,
  sum,
  totalOf,
  UNITS,
  unitsOf,
  type Week,
  worthOf,
} from '../week/acts.ts';
import type { Shop } from '../world.ts';

const DAYS = 7;
const ORDERS_A_DAY = 8;
const ACTS_A_DAY = 45;
const STOCK = 100_000;

/** Puts every moment and day of the database a day into the past: the shop's next day begins. */
const nextDay = (shop: Shop): Promise<void> =>
  shop.inspect((db) =>
    db.transaction().execute(async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx);
      const { rows } = await sql<{ name: string; type: string; table: string }>`
        SELECT quote_ident(c.table_name) AS "table", quote_ident(column_name) AS name, data_type AS type FROM information_schema.columns c
        JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kysely%' AND is_generated = 'NEVER'
          AND data_type IN ('date', 'timestamp with time zone')`.execute(tx);
      for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
        // In two steps, because a day before may be in the same unique index. Sums of all days stand at the first day of the calendar.
        const moved = (days: number) =>
          columns
            .map(({ name }) => `${name} = CASE WHEN ${name} < '1000-01-01' THEN ${name} ELSE ${name} + interval '${days} days' END`)
            .join(', ');
        for (const days of [-10_000, 9_999]) await sql.raw(`UPDATE ${table} SET ${moved(days)}`).execute(tx);
      }
    }),
  );

/** Returns where the program says something else than the model, each difference with its place first. */
async function differences({ shop, people, orders, product_id, cash }: Week): Promise<string[]> {
  const { admin } = people;
  const found: string[] = [];
  const same = (place: string, is: unknown, should: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(should)) found.push(`${place}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`);
  };
  await each(orders, 4, async (order) => {
    const p = (await admin.call(api.getPedido, { params: { id: order.id } })).body.data as api.Pedido;
    const due = order.deleted ? 0 : cents(p.pendiente);
    same(
      'order',
      [p.estado, cents(p.precio_total), due, cents(p.por_reembolsar), cents(p.reembolsado)],
      [order.estado, totalOf(order), dueOf(order), owedOf(order), order.refunded],
    );
  });
  const listed = (await admin.call(api.listPedidos, { query: { devolucion: 'pendiente', per_page: 100 } })).body.data.map(({ id }) => id);
  const owing = orders.filter((order) => owedOf(order) + order.owed > 0).map(({ id }) => id);
  same('refunds', listed.toSorted(), owing.toSorted());
  same('count of refunds', (await admin.call(atencionStats)).body.data.devoluciones, owing.length);
  same('stock', (await admin.call(listProducts)).body.data.find(({ id }) => id === product_id)?.stock, STOCK - sum(orders, unitsOf));
  const cajas = (await admin.call(listCajas, {})).body.data.filter(({ estado }) => estado === 'abierta');
  same('cash', cents(cajas.reduce((all, { esperado }) => all + esperado, 0)), cash);
  const sold = sum(orders, (order) => (isEarned(order) ? worthOf(order) : 0));
  const sums = () =>
    shop.inspect(async (db) => {
      const { rows } = await sql<Record<'paid' | 'margin' | 'fees' | 'sold', number>>`SELECT
        (SELECT coalesce(sum(importe_cents - devuelto_cents), 0)::int FROM pagos WHERE estado = 'pagado') AS paid,
        (SELECT coalesce(sum(cents), 0)::int FROM ganancias g JOIN users u ON u.id = g.user_id WHERE role = 'revendedor') AS margin,
        (SELECT coalesce(sum(cents), 0)::int FROM ganancias g JOIN users u ON u.id = g.user_id WHERE role = 'transportista') AS fees,
        (SELECT coalesce(sum(total_cents), 0)::int FROM facturables) AS sold`.execute(db);
      return rows[0];
    });
  // Rows of invoices are settled when somebody reads them.
  for (let tries = 0; tries < 20 && (await sums())?.sold !== sold; tries += 1) {
    await admin.call(listFacturables, { query: { limite: 1 } });
    await sleep(200);
  }
  const is = await sums();
  same(
    'payments',
    is?.paid,
    sum(orders, ({ paid }) => paid),
  );
  same('margin', is?.margin, sum(orders, marginOf));
  same(
    'fees',
    is?.fees,
    sum(orders, (order) => (isEarned(order) ? DELIVERY : 0) + order.failed * ATTEMPT),
  );
  same('to be invoiced', is?.sold, sold);
  return found;
}

/** Cells that are falsified by a cent or a unit, with the place that has to notice. */
const CELLS: readonly [place: string, table: string, columns: string, where: string, key?: string][] = [
  ['order', 'pedidos', 'precio_total_cents', "estado = 'pendiente_pago'"],
  ['payments', 'pagos', 'importe_cents', "estado = 'pagado' AND transportista_id IS NULL"],
  ['cash', 'pagos', 'importe_cents', "estado = 'pagado' AND caja_dia IS NOT NULL AND caja_dia NOT IN (SELECT dia FROM cajas)"],
  ['stock', 'products', 'stock', 'true'],
  ['margin', 'ganancias', 'cents', "concepto = 'margen'"],
  ['to be invoiced', 'facturables', 'base_cents total_cents', 'true', 'seq'],
];

async function falsify({ shop }: Week, [, table, columns, where, key = 'id']: (typeof CELLS)[number], by: 1 | -1): Promise<bigint> {
  return shop.inspect((db) =>
    db.transaction().execute(async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx);
      const set = columns
        .split(' ')
        .map((column) => `${column} = ${column} + ${by}`)
        .join(', ');
      const cell = `(SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${key} LIMIT 1)`;
      const { numAffectedRows = 0n } = await sql.raw(`UPDATE ${table} SET ${set} WHERE ctid = ${cell}`).execute(tx);
      return numAffectedRows;
    }),
  );
}

/** Seven days of a shop agree with an independent model in every place, whatever answers were lost, and a falsified cell is noticed. */
export const row: Row = {
  name: 'week',
  what: `${DAYS} days of a shop, all roles, ${FAULTS * 100} % of the writes doubled, dropped or killed, against a model; ${CELLS.length} falsified cells`,
  seconds: 600,
  run: async (world) => {
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
    console.error(`  week: SEED=${seed}`);
    const shop = await world.open();
    const { expect, outcome } = verdict();
    const product = await shop.product({ stock: STOCK, iva: '21' });
    const pack = await shop.pack({ product_id: product.id, pack_quantity: UNITS, pack_price: PACK / 100 });
    const settings = { cashOnDelivery: true, shippingPeninsula: SHIPPING / 100, iva: true, maxAttempts: 3 };
    await shop.prove();
    await shop.admin.call(updateSettings, { body: settings });
    const [reseller, carrier] = [await shop.user('revendedor'), await shop.user('transportista')];
    const rule = (id: string, body: object) => shop.admin.call(setGanancia, { params: { id }, body: body as never });
    await rule(reseller.id, { margen: { tipo: 'porcentaje', valor: MARGIN * 100 } });
    await rule(carrier.id, { tarifas: [{ zona: 'peninsula', entrega: DELIVERY / 100, intento: ATTEMPT / 100 }] });
    const books = { orders: [], cash: 0, writes: 0, faults: 0, problems: [] };
    const week: Week = {
      shop,
      random: seededRandom(seed),
      people: {} as Week['people'],
      pack_id: pack.id,
      product_id: product.id,
      ...books,
    };
    for (const day of range(DAYS)) {
      // Sessions of yesterday have ended.
      const [admin, rita, tomas] = [await shop.signIn(SUPERADMIN), await shop.signIn(reseller), await shop.signIn(carrier)];
      await admin.call(proveIdentity, { body: { password: SUPERADMIN.password } });
      week.people = { admin, reseller: rita, carrier: tomas };
      for (let n = 0; n < ORDERS_A_DAY; n += 1) await create(week);
      for (let n = 0; n < ACTS_A_DAY; n += 1) await live(week, week.random.pick(week.orders));
      for (const line of [...week.problems.splice(0), ...(await differences(week))]) expect(false, () => `day ${day + 1}: ${line}`);
      if (day === DAYS - 1) break;
      // Some cash stays in the carrier's hands at the end.
      if (day % 2 === 0) await handOver(week);
      await nextDay(shop);
    }
    for (const cell of CELLS) {
      const [place, table, column] = cell;
      expect((await falsify(week, cell, 1)) === 1n, () => `${table}.${column}: there is no such cell`);
      const noticed = await differences(week);
      expect(
        noticed.some((line) => line.startsWith(`${place}:`)),
        () => `${table}.${column} is falsified, and «${place}» does not notice: ${noticed.join(' · ')}`,
      );
      await falsify(week, cell, -1);
    }
    for (const line of [...(await differences(week)), ...(await shop.inspect(recount))]) expect(false, () => `at the end: ${line}`);
    return outcome(
      `seed ${seed}: ${week.orders.length} orders, ${week.writes} writes, ${week.faults} faults; ${CELLS.length} falsified cells`,
    );
  },
  control: [
    {
      guard: 'the memory of keys',
      edits: [{ file: 'server/repeats/repeats.ts', find: '  if (!numInsertedOrUpdatedRows) throw new Taken();\n', replace: '' }],
    },
    {
      guard: 'that a deleted paid order owes its money',
      edits: [
        {
          file: 'server/db/migrations/111-returns-owe.ts',
          find: ' WHEN deleted_at IS NOT NULL THEN greatest(0, pagado - reembolsado)',
          replace: '',
        },
      ],
    },
  ],
};
