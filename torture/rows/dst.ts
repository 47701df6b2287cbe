import { sql } from 'kysely';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { adminStats, serieStats } from '../../contract/stats/stats.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { range } from '../each.ts';
import { type Row, verdict } from '../row.ts';

// Both days of a clock change, 23 and 25 hours long in Madrid, with the hours around them.
const NIGHTS = [
  { first: '2026-03-28T21:30:00Z', minutes: 26 * 60 },
  { first: '2026-10-24T20:30:00Z', minutes: 28 * 60 },
];
const DAYS = ['2026-03-29', '2026-10-25'].flatMap((day) => [addDays(day, -1), day, addDays(day, 1)]);

/** Around a clock change, filters, totals and charts count an order on its day in Madrid. */
export const row: Row = {
  name: 'dst',
  what: 'an order in every minute of both nights in which the clocks change: filters, searches, totals, charts',
  seconds: 120,
  run: async (world) => {
    const shop = await world.open();
    const instants = NIGHTS.flatMap(({ first, minutes }) =>
      range(minutes).map((n) => new Date(Date.parse(first) + n * 60_000).toISOString()),
    );
    // Each order has a different price, so that a wrong order shows in the sum.
    const orders = instants.map((at, n) => ({ at, cents: n + 1, day: dayInMadrid(at) }));
    const days = await shop.inspect(async (db) => {
      await sql`
        INSERT INTO pedidos (estado, numero_orden, cliente_nombre, cliente_direccion, producto, cantidad, precio_unitario_cents, precio_total_cents, fecha_pedido)
        SELECT 'pendiente', 'MIN-' || o.cents, 'Minuto', 'Calle 1', 'x', 1, o.cents, o.cents, o.at
        FROM json_to_recordset(${JSON.stringify(orders)}::json) AS o (at timestamptz, cents int)`.execute(db);
      const { rows } = await sql<{
        cents: number;
        day: string;
      }>`SELECT precio_total_cents AS cents, dia_negocio(fecha_pedido)::text AS day FROM pedidos`.execute(db);
      return new Map(rows.map(({ cents, day }) => [Number(cents), day]));
    });

    const { expect, outcome } = verdict();
    for (const { at, cents, day } of orders) expect(days.get(cents) === day, () => `${at} is ${day}, not ${days.get(cents)}`);
    for (const day of DAYS) {
      const of = orders.filter((order) => order.day === day);
      const euros = of.reduce((sum, { cents }) => sum + cents, 0) / 100;
      const { totalPedidos, ingresos } = (await shop.admin.call(adminStats, { query: { from: day, to: day } })).body.data;
      const [point] = (await shop.admin.call(serieStats, { query: { from: day, to: day } })).body.data;
      const bounds = { fecha_desde: day, fecha_hasta: day, per_page: 100 };
      const counted = (await shop.admin.call(listPedidos, { query: bounds })).body;
      expect(
        totalPedidos === of.length && ingresos === euros,
        () => `${day}: totals ${totalPedidos}, ${ingresos} € instead of ${of.length}, ${euros} €`,
      );
      expect(point?.pedidos === of.length && point.ingresos === euros, () => `${day}: chart ${point?.pedidos}, ${point?.ingresos} €`);
      expect(counted.total === of.length, () => `${day}: the list counts ${counted.total} of ${of.length}`);
      const found = new Set<number>();
      for (let page = 1; page <= Math.ceil(of.length / 100); page += 1) {
        // Repeats with a search, which reads the orders instead of the totals.
        const { data } = (await shop.admin.call(listPedidos, { query: { ...bounds, page, search: 'minuto' } })).body;
        for (const order of data) if ('precio_total' in order) found.add(Math.round(order.precio_total * 100));
      }
      expect(
        found.size === of.length && of.every(({ cents }) => found.has(cents)),
        () => `${day}: ${found.size} of ${of.length} orders are found`,
      );
    }
    return outcome(`${orders.length} minutes, ${DAYS.length} days`);
  },
  control: [
    {
      guard: 'the time zone of the business in the bounds of a day',
      edits: [{ file: 'server/settings/zone.ts', find: "ZONE = settingSql('timezone')", replace: "ZONE = sql<string>`'Etc/GMT-1'`" }],
    },
    {
      guard: 'the time zone of the business in the totals',
      edits: [
        {
          file: 'server/db/migrations/001-initial.ts',
          find: "(SELECT data ->> 'timezone' FROM settings), 'Europe/Madrid'",
          replace: "'Etc/GMT-1'",
        },
      ],
    },
  ],
};
