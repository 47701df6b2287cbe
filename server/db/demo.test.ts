import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ESTADOS, mayTransition, transition } from '../../contract/pedidos.flow.ts';
import { ROLES } from '../../contract/policy.ts';
import { login } from '../../contract/session.ts';
import { createWorld, type World } from '../../test/world.ts';
import { nextNumber } from '../pedidos/numbers.ts';
import { rebuildTotals } from '../pedidos/totals.ts';
import { refuseCommonPassword } from '../session/passwords.ts';
import { ensureDemo } from './demo.ts';
import { DAY, fromMadrid, HOUR, monthsBefore, toMadrid } from './demo/calendar.ts';
import { buildCatalogue } from './demo/catalogue.ts';
import { buildOrders } from './demo/orders.ts';
import { account, buildPeople, type Person } from './demo/people.ts';
import { seeded } from './demo/random.ts';
import { buildLedger } from './demo/stock.ts';
import { transact } from './open.ts';

const NOW = new Date('2026-11-20T14:30:00Z');
const SIZE = { orders: 650, months: 5, now: NOW };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** The rows of a check that must find nothing. */
async function rows(query: string): Promise<unknown[]> {
  return (await sql.raw(query).execute(world.db)).rows;
}

// Counted from the orders in plain SQL, without the functions that the trigger uses.
const TOTALS_THAT_DIFFER = `
  WITH a AS (
    SELECT ambito, id, dia, estado, count(*)::bigint AS pedidos, sum(precio_total_cents)::bigint AS total_cents
    FROM (SELECT p.*, (fecha_pedido AT TIME ZONE coalesce((SELECT data ->> 'timezone' FROM settings), 'Europe/Madrid'))::date AS hoy
          FROM pedidos p WHERE deleted_at IS NULL) p,
      LATERAL (VALUES ('todo', NULL), ('revendedor', revendedor_id), ('transportista', transportista_id)) AS s (ambito, owner),
      LATERAL (SELECT coalesce(owner, '00000000-0000-0000-0000-000000000000') AS id) i,
      LATERAL (VALUES (hoy), ('0001-01-01'::date)) AS d (dia)
    GROUP BY 1, 2, 3, 4)
  SELECT * FROM a FULL JOIN (SELECT * FROM pedidos_totales WHERE pedidos <> 0) t
    ON (t.ambito, t.ambito_id, t.dia, t.estado) = (a.ambito, a.id, a.dia, a.estado)
  WHERE (a.pedidos, a.total_cents) IS DISTINCT FROM (t.pedidos, t.total_cents)`;

describe('the demonstration', () => {
  let accounts: Awaited<ReturnType<typeof ensureDemo>>;
  beforeAll(async () => {
    await world.reset();
    accounts = await ensureDemo(world.db, SIZE);
  });

  test('has an account of each role that signs in with the printed password', async () => {
    expect(accounts.map((a) => a.role)).toEqual([...ROLES]);
    for (const { email, password } of accounts) {
      expect(email).toMatch(/@demo\.enruta\.es$/);
      expect(() => refuseCommonPassword(password)).not.toThrow();
      expect((await world.nobody().call(login, { body: { email, password } })).status).toBe(200);
    }
  });

  test('is a company that can be paid', async () => {
    const { data } = await world.db.selectFrom('settings').select('data').executeTakeFirstOrThrow();
    expect(data).toMatchObject({ demo: true, companyName: expect.stringMatching(/./), companyEmail: expect.stringMatching(/@/) });
    // ISO 13616: the country and the check digits go to the end, letters count from 10, and 97 leaves 1.
    const iban = String(data.companyIban);
    const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (c) => String(c.charCodeAt(0) - 55));
    expect(BigInt(digits) % 97n).toBe(1n);
  });

  test('has orders in every estado, some of them late', async () => {
    const found = await rows('SELECT DISTINCT estado FROM pedidos');
    expect(found).toHaveLength(ESTADOS.length);
    const late = `fecha_estimada < '${NOW.toISOString()}' AND estado IN ('asignado', 'en_proceso', 'en_ruta')`;
    expect(await rows(`SELECT 1 FROM pedidos WHERE ${late}`)).not.toEqual([]);
    expect(await rows('SELECT id FROM pedidos')).toHaveLength(SIZE.orders);
  });

  test('has a stock that is the sum of its movements, and that never was below zero', async () => {
    expect(await rows('SELECT 1 FROM products p WHERE stock <> (SELECT sum(unidades) FROM stock_movements WHERE product_id = p.id)')).toEqual([]);
    const running = 'SELECT sum(unidades) OVER (PARTITION BY product_id ORDER BY created_at, unidades DESC) AS stock FROM stock_movements';
    expect(await rows(`SELECT * FROM (${running}) m WHERE stock < 0`)).toEqual([]);
    expect(await rows('SELECT 1 FROM products WHERE is_active AND stock <= min_stock')).not.toEqual([]);
    expect(await rows('SELECT 1 FROM products WHERE is_active AND stock > min_stock')).not.toEqual([]);
  });

  test('has orders that hold the units of their packs, and cancelled ones that gave them back', async () => {
    expect(
      await rows(`SELECT p.numero_orden FROM pedidos p LEFT JOIN product_packs k ON k.id = p.pack_id
        WHERE unidades_retenidas <> CASE WHEN estado = 'cancelado' THEN 0 ELSE coalesce(cantidad * pack_quantity, 0) END
          OR unidades_retenidas <> -coalesce((SELECT sum(unidades) FROM stock_movements WHERE pedido_id = p.id), 0)
          OR precio_total_cents <> cantidad * coalesce(pack_price_cents, precio_unitario_cents)`),
    ).toEqual([]);
  });

  test('has totals that agree with its orders', async () => {
    expect(await rows(TOTALS_THAT_DIFFER)).toEqual([]);
  });

  test('has a history that ends where each order is, and a payment for each paid one', async () => {
    expect(
      await rows(`SELECT p.numero_orden FROM pedidos p, LATERAL (
          SELECT estado_nuevo FROM pedidos_historial WHERE pedido_id = p.id AND estado_nuevo IS NOT NULL ORDER BY created_at DESC LIMIT 1) h
        WHERE h.estado_nuevo <> p.estado OR p.version <> (SELECT count(*) FROM pedidos_historial WHERE pedido_id = p.id)`),
    ).toEqual([]);
    expect(
      await rows(`SELECT p.numero_orden FROM pedidos p LEFT JOIN pagos g ON g.pedido_id = p.id
        WHERE (fecha_pago, precio_total_cents) IS DISTINCT FROM (g.created_at, coalesce(importe_cents, precio_total_cents))
          OR (revendedor_id IS NULL) <> (pago_token IS NULL)
          OR (estado <> 'pendiente_pago' AND estado <> 'cancelado' AND revendedor_id IS NOT NULL AND fecha_pago IS NULL)`),
    ).toEqual([]);
  });

  test('leaves a feed for the last 24 hours, without prices', async () => {
    const recent = await rows(`SELECT 1 FROM audit_logs WHERE created_at > '${NOW.toISOString()}'::timestamptz - interval '24 hours'`);
    expect(recent.length).toBeGreaterThan(7);
    expect(await rows("SELECT 1 FROM audit_logs WHERE antes::text || despues::text LIKE '%precio%'")).toEqual([]);
  });

  test('numbers the next order after its own', async () => {
    const last = await world.db.selectFrom('pedidos').select((eb) => eb.fn.max('numero_orden').as('n')).executeTakeFirstOrThrow();
    await world.db.transaction().execute(async (tx) => {
      await tx.insertInto('order_numbers').values({ year: new Date().getUTCFullYear(), last: 0 }).onConflict((oc) => oc.doNothing()).execute();
      const next = await nextNumber(tx.withoutPlugins());
      if (next.slice(0, 8) === last.n.slice(0, 8)) expect(Number(next.slice(8))).toBe(Number(last.n.slice(8)) + 1);
    });
    expect(
      await rows(`SELECT 1 FROM order_numbers o FULL JOIN (SELECT substr(numero_orden, 5, 4)::int AS year, max(substr(numero_orden, 9)::int) AS last
        FROM pedidos GROUP BY 1) p USING (year) WHERE p.last > o.last OR o.last IS NULL`),
    ).toEqual([]);
  });
});
