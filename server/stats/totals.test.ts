import fc from 'fast-check';
import { type Selectable, sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { ESTADOS, type Estado } from '../../contract/pedidos/estados.ts';
import { anyEstado, type PedidoRow, type UserRow } from '../../test/builders.ts';
import { dayInMadrid } from '../../test/day.ts';
import { createWorld, type World } from '../../test/world.ts';
import { firstContradiction } from '../cuadre/run.ts';
import { transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { createLog } from '../log/log.ts';
import { countUnfolded, foldTotals } from '../pedidos/lectura/totals.ts';

/** Compares the stored totals with totals counted from the orders in JavaScript, by an independent calendar. */

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const NOBODY = '00000000-0000-0000-0000-000000000000';
type Sums = Record<string, [pedidos: number, cents: number, porCobrar: number, dueCents: number]>;

function counted(pedidos: PedidoRow[]): Sums {
  const sums: Sums = {};
  for (const p of pedidos.filter((row) => row.deleted_at === null)) {
    for (const who of [`todo ${NOBODY}`, `revendedor ${p.revendedor_id ?? NOBODY}`, `transportista ${p.transportista_id ?? NOBODY}`]) {
      for (const day of [dayInMadrid(p.fecha_pedido), '0001-01-01']) {
        const sum = (sums[`${who} ${day} ${p.estado}`] ??= [0, 0, 0, 0]);
        sum[0] += 1;
        sum[1] += p.precio_total_cents;
        sum[2] += p.pendiente_cents > 0 ? 1 : 0;
        sum[3] += p.pendiente_cents;
      }
    }
  }
  return sums;
}

async function stored(): Promise<Sums> {
  const { rows } = await sql<Selectable<Tables['pedidos_totales']>>`
    SELECT ambito, ambito_id, dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total_cents,
      sum(por_cobrar) AS por_cobrar, sum(por_cobrar_cents) AS por_cobrar_cents FROM pedidos_totales
    GROUP BY 1, 2, 3, 4`.execute(world.db);
  const filled = rows.filter((row) => row.pedidos !== 0 || row.total_cents !== 0 || row.por_cobrar !== 0 || row.por_cobrar_cents !== 0);
  return Object.fromEntries(
    filled.map((row) => [
      `${row.ambito} ${row.ambito_id} ${row.dia} ${row.estado}`,
      [row.pedidos, row.total_cents, row.por_cobrar, row.por_cobrar_cents],
    ]),
  );
}

// Around midnight on clock changes and at the end of a year.
const INSTANTS = [
  '2026-03-28T22:59:59.999Z',
  '2026-03-28T23:00:00.000Z',
  '2026-03-29T01:30:00.000Z',
  '2026-03-29T21:59:59.999Z',
  '2026-03-29T22:00:00.000Z',
  '2026-10-24T22:00:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T01:30:00.000Z',
  '2026-10-25T22:59:59.999Z',
  '2026-10-25T23:00:00.000Z',
  '2025-12-31T22:59:59.999Z',
  '2025-12-31T23:00:00.000Z',
];
const CARRIED: Estado[] = ['asignado', 'en_proceso', 'en_ruta', 'completado'];

const change = fc.record(
  {
    estado: fc.constantFrom(...ESTADOS),
    carrier: fc.constantFrom(0, 1),
    reseller: fc.constantFrom(0, 1, null),
    fecha_pedido: fc.constantFrom(...INSTANTS),
    precio_total_cents: fc.integer({ min: 0, max: 10_000_000 }),
    pagado_cents: fc.integer({ min: 0, max: 10_000_000 }),
    deleted: fc.boolean(),
  },
  { requiredKeys: ['estado', 'carrier'] },
);
type Change = {
  estado: Estado;
  carrier: number;
  reseller?: number | null;
  fecha_pedido?: string;
  precio_total_cents?: number;
  pagado_cents?: number;
  deleted?: boolean;
};

function columns({ estado, carrier, reseller, deleted, ...rest }: Change, people: UserRow[]) {
  const completado = estado === 'completado';
  return {
    ...rest,
    estado: anyEstado(estado),
    transportista_id: CARRIED.includes(estado) ? people[carrier]!.id : null,
    fecha_completado: completado ? '2026-11-01T00:00:00.000Z' : null,
    metodo_entrega: completado ? ('mrw' as const) : null,
    unidades_retenidas: 0,
    ...(reseller === undefined ? {} : { revendedor_id: reseller === null ? null : people[2 + reseller]!.id }),
    ...(deleted === undefined ? {} : { deleted_at: deleted ? '2026-11-01T00:00:00.000Z' : null }),
  };
}

test('stored and counted totals match after any changes, several at a time', async () => {
  const people = await Promise.all(
    (['transportista', 'transportista', 'revendedor', 'revendedor'] as const).map((role) => world.user({ role })),
  );
  const pack = await world.pack();
  const orders = await Promise.all(Array.from({ length: 6 }, () => world.pedido({ pack, revendedor_id: people[2]!.id })));
  const step = fc.record({
    changes: fc.array(fc.tuple(fc.nat(orders.length - 1), change), { minLength: 1, maxLength: 4 }),
    fold: fc.boolean(),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      for (const { changes, fold } of steps) {
        await Promise.all([
          ...changes.map(([i, fields]) =>
            world.db.updateTable('pedidos').set(columns(fields, people)).where('id', '=', orders[i]!.id).execute(),
          ),
          fold && foldTotals(world.db, world.process.log),
        ]);
      }
      expect(await stored()).toEqual(counted(await world.db.selectFrom('pedidos').selectAll().execute()));
    }),
    { numRuns: 25 },
  );
});

test('concurrently created and removed orders are all counted', async () => {
  const reseller = await world.user({ role: 'revendedor' });
  const pack = await world.pack();
  const orders = await Promise.all(INSTANTS.map((fecha_pedido) => world.pedido({ pack, fecha_pedido, revendedor_id: reseller.id })));
  expect(await stored()).toEqual(counted(orders));

  await world.db.deleteFrom('stock_movements').execute();
  const [gone, kept] = [orders.slice(0, 5), orders.slice(5)];
  await Promise.all(gone.map(({ id }) => world.db.deleteFrom('pedidos').where('id', '=', id).execute()));
  expect(await stored()).toEqual(counted(kept));
});

test('the totals match the orders at any moment, while orders change and totals are folded', async () => {
  const pack = await world.pack();
  const orders = await Promise.all(INSTANTS.map((fecha_pedido) => world.pedido({ pack, fecha_pedido })));
  let over = false;
  const write = async (lane: number) => {
    for (let i = 0; i < 10; i += 1) {
      const { id } = orders[(lane * 5 + i) % orders.length]!;
      await world.db
        .updateTable('pedidos')
        .set({ precio_total_cents: lane * 1000 + i })
        .where('id', '=', id)
        .execute();
    }
  };
  const writers = Promise.all([1, 2, 3].map(write)).finally(() => (over = true));
  const found = new Set<string | undefined>();
  const look = async () => {
    while (!over) found.add(await transact(world.db, firstContradiction));
  };
  const fold = async () => {
    while (!over) await foldTotals(world.db, world.process.log);
  };
  await Promise.all([writers, look(), fold()]);
  await foldTotals(world.db, world.process.log);
  expect([...found, await countUnfolded(world.db), await transact(world.db, firstContradiction)]).toEqual([undefined, 0, undefined]);
});

test('totals with a large backlog are still folded, with a warning in the log', async () => {
  await world.pedido({ estado: 'pendiente' });
  await sql`INSERT INTO pedidos_totales_cambios SELECT c.* FROM pedidos_totales_cambios c, generate_series(1, 50000)`.execute(world.db);
  const lines: string[] = [];
  await foldTotals(world.db, createLog('warn', { write: (line) => void lines.push(line) }));
  expect(await countUnfolded(world.db)).toBe(0);
  expect(lines.join()).toContain('the totals had fallen behind');
});
