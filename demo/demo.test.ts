import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCajas } from '../contract/caja/caja.ts';
import { comprobarRespuesta } from '../contract/envios/envios.ts';
import { ESTADOS } from '../contract/pedidos/estados.ts';
import { ROLES } from '../contract/policy/policy.ts';
import { login } from '../contract/session/session.ts';
import { isIban } from '../contract/text/iban.ts';
import { listSinEnviar } from '../contract/transportista/transportista.ts';
import { recountAccounts } from '../server/cuadre/run.ts';
import { onSnapshot, transact } from '../server/db/open.ts';
import { openFiles } from '../server/files/open-files.ts';
import { rebuildTotals } from '../server/pedidos/lectura/totals.ts';
import { refuseGuessablePassword } from '../server/session/passwords.ts';
import { readSettings } from '../server/settings/settings.ts';
import { CLIENTES_THAT_DIFFER, PEDIDOS_OF_ANOTHER_CLIENTE } from '../test/clientes.ts';
import { createWorld, type World } from '../test/world.ts';
import { headingTarget } from '../web/sheets/headings.ts';
import { TO_COLLECT } from './cash.ts';
import { ensureDemo } from './demo.ts';
import { fillDemo } from './fill.ts';

const NOW = new Date('2026-11-20T14:30:00Z');
const SIZE = { orders: 650, months: 5, now: NOW };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function rows(query: string): Promise<unknown[]> {
  return (await sql.raw(query).execute(world.db)).rows;
}

// Counts the orders in plain SQL, independently of the trigger's functions.
const TOTALS_THAT_DIFFER = `
  WITH a AS (
    SELECT ambito, owner_id, dia, estado, count(*)::bigint AS pedidos, sum(precio_total_cents)::bigint AS total_cents
    FROM (SELECT p.*, (fecha_pedido AT TIME ZONE coalesce((SELECT data ->> 'timezone' FROM settings), 'Europe/Madrid'))::date AS hoy
          FROM pedidos p WHERE deleted_at IS NULL) p,
      LATERAL (VALUES ('todo', NULL), ('revendedor', revendedor_id), ('transportista', transportista_id)) AS s (ambito, owner),
      LATERAL (SELECT coalesce(owner, '00000000-0000-0000-0000-000000000000') AS owner_id) i,
      LATERAL (VALUES (hoy), ('0001-01-01'::date)) AS d (dia)
    GROUP BY 1, 2, 3, 4)
  SELECT * FROM a FULL JOIN (
    SELECT ambito, ambito_id, dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total_cents FROM pedidos_totales
    GROUP BY 1, 2, 3, 4 HAVING sum(pedidos) <> 0) t
    ON (t.ambito, t.ambito_id, t.dia, t.estado) = (a.ambito, a.owner_id, a.dia, a.estado)
  WHERE (a.pedidos, a.total_cents) IS DISTINCT FROM (t.pedidos, t.total_cents)`;

describe('the demonstration', () => {
  let accounts: Awaited<ReturnType<typeof ensureDemo>>;
  beforeAll(async () => {
    await world.reset();
    accounts = await ensureDemo(world.db, world.config, SIZE);
  });

  test('the demonstration has an account per role with the printed password', async () => {
    expect(accounts.map((a) => a.role)).toEqual([...ROLES]);
    for (const { email, password, full_name } of accounts) {
      expect(email).toMatch(/@demo\.enruta\.es$/);
      await refuseGuessablePassword(world.db, password, { email, full_name });
      expect((await world.nobody().call(login, { body: { email, password } })).status).toBe(200);
    }
  });

  test('the demonstration has a company with name, e-mail address and IBAN', async () => {
    const settings = await readSettings(world.db);
    expect(settings).toMatchObject({ companyName: expect.stringMatching(/./), companyEmail: expect.stringMatching(/@/) });
    expect(isIban(settings.companyIban)).toBe(true);
  });

  test('the demonstration has orders in every estado, some late', async () => {
    const found = await rows('SELECT DISTINCT estado FROM pedidos');
    expect(found).toHaveLength(ESTADOS.length);
    const late = `fecha_estimada < '${NOW.toISOString()}' AND estado IN ('asignado', 'en_proceso', 'en_ruta')`;
    expect(await rows(`SELECT 1 FROM pedidos WHERE ${late}`)).not.toEqual([]);
    expect(await rows('SELECT id FROM pedidos')).toHaveLength(SIZE.orders + TO_COLLECT);
  });

  test('the demonstration has orders for today on any weekday, and payments of the day on which they were made', async () => {
    expect(await rows("SELECT 1 FROM pedidos WHERE dia_negocio(fecha_estimada) = dia_negocio(now()) AND estado = 'asignado'")).not.toEqual(
      [],
    );
    expect(await rows('SELECT 1 FROM pagos WHERE caja_dia IS NULL AND fecha <> dia_negocio(created_at)')).toEqual([]);
    expect(
      await rows(
        "SELECT 1 FROM pedidos p WHERE en_empresa IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pedidos_historial h WHERE h.pedido_id = p.id AND h.accion LIKE 'Fichero de envío%')",
      ),
    ).toEqual([]);
  });

  test('the demonstration has a paid and an unpaid month of earnings, and open lines', async () => {
    const months =
      "SELECT to_char(mes, 'YYYY-MM') AS mes, bool_and(pagada_el IS NOT NULL) AS pagada, count(*)::int > 5 AS muchas FROM liquidaciones";
    expect(await rows(`${months} GROUP BY 1 ORDER BY 1`)).toEqual([
      { mes: '2026-09', pagada: true, muchas: true },
      { mes: '2026-10', pagada: false, muchas: true },
    ]);
    const sums = 'SELECT liquidacion_id, sum(cents) AS cents, count(*) AS lineas FROM ganancias GROUP BY 1';
    const wrong = 'l.total_cents IS DISTINCT FROM s.cents OR l.num_lineas IS DISTINCT FROM s.lineas';
    expect(await rows(`SELECT 1 FROM liquidaciones l LEFT JOIN (${sums}) s ON s.liquidacion_id = l.id WHERE ${wrong}`)).toEqual([]);
    for (const concepto of ['margen', 'entrega', 'intento', 'ajuste'])
      expect(await rows(`SELECT 1 FROM ganancias WHERE concepto = '${concepto}'`), concepto).not.toEqual([]);
    expect(await rows("SELECT 1 FROM ganancias WHERE liquidacion_id IS NULL AND concepto = 'entrega'")).not.toEqual([]);
    expect(await rows("SELECT 1 FROM ganancias WHERE liquidacion_id IS NULL AND dia < '2026-11-01'")).toEqual([]);
  });

  test('the demonstration has a blocked customer and a few anonymised orders', async () => {
    const blocked = await rows("SELECT 1 FROM pedidos WHERE cliente_nombre = 'Cliente bloqueado' AND bloqueado_at IS NOT NULL");
    expect(blocked.length).toBeGreaterThan(1);
    expect(await rows('SELECT 1 FROM datos_bloqueados')).toHaveLength(blocked.length);
    expect(await rows("SELECT 1 FROM pedidos WHERE cliente_nombre = 'Cliente anonimizado' AND anonimizado_at IS NOT NULL")).toHaveLength(6);
  });

  test('the demonstration has signed and photographed deliveries, and a delivery whose photo is missing', async () => {
    const entregas = await world.db.selectFrom('entregas').select('forma_entrega').execute();
    expect(entregas).toHaveLength(5);
    const pruebas = await world.db.selectFrom('pruebas').select(['tipo', 'fichero']).execute();
    expect(pruebas.map(({ tipo }) => tipo).sort()).toEqual(['firma', 'firma', 'firma', 'foto']);
    for (const { fichero } of pruebas) expect(await openFiles(world.config).get(fichero ?? '')).toBeDefined();
  });

  test('the demonstration has damaged and refused parts of deliveries, and a refund to make', async () => {
    expect(await rows("SELECT motivo FROM devoluciones_lineas WHERE motivo <> '' ORDER BY 1")).toEqual([
      { motivo: 'danado' },
      { motivo: 'rechazado' },
    ]);
    expect(await rows('SELECT 1 FROM pedidos WHERE por_reembolsar_cents > 0')).not.toEqual([]);
  });

  test('the demonstration has cash on delivery in every stage, from collection to confirmation', async () => {
    const carrier = accounts.find(({ role }) => role === 'transportista');
    const own = `transportista_id = (SELECT id FROM users WHERE email = '${carrier?.email}')`;
    expect(await rows(`SELECT 1 FROM pedidos WHERE por_cobrar_cents > 0 AND ${own}`)).not.toEqual([]);
    const cajas = await world.db.selectFrom('cajas').select(['motivo', 'recibido_cents', 'esperado_cents', 'contado_cents']).execute();
    expect(cajas.map(({ recibido_cents }) => recibido_cents !== null).sort()).toEqual([false, true]);
    expect(cajas.find(({ recibido_cents }) => recibido_cents !== null)?.motivo).toMatch(/cambio/);
    expect(
      await rows(
        `SELECT 1 FROM pagos g WHERE ${own} AND caja_dia NOT IN (SELECT dia FROM cajas c WHERE c.transportista_id = g.transportista_id)`,
      ),
    ).not.toEqual([]);
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
  });

  test('the demonstration has three carriers on the road, each in a different situation', async () => {
    const onTheRoad = await rows(`SELECT transportista_id, bool_or(incidencia_at IS NOT NULL) AS espera FROM pedidos
      WHERE estado IN ('asignado', 'en_proceso', 'en_ruta') GROUP BY 1 HAVING bool_or(estado = 'en_ruta')`);
    expect(onTheRoad.length).toBeGreaterThanOrEqual(3);
    expect(onTheRoad).toContainEqual(expect.objectContaining({ espera: true }));
    const office = world.nobody();
    const { email = '', password = '' } = accounts.find(({ role }) => role === 'superadmin') ?? {};
    await office.call(login, { body: { email, password } });
    const [unsent, ...others] = (await office.call(listSinEnviar)).body.data;
    expect(others).toEqual([]);
    expect(unsent).toMatchObject({ pedidos: 2 });
    expect(onTheRoad).toContainEqual(expect.objectContaining({ transportista_id: unsent?.transportista_id, espera: false }));
    const cajas = (await office.call(listCajas)).body.data;
    const transportista_nombre = accounts.find(({ role }) => role === 'transportista')?.full_name;
    expect(cajas).toContainEqual(expect.objectContaining({ transportista_nombre, caja_id: null }));
  });

  test('the demonstration has a batch at Correos, still without an answer', async () => {
    const batch = await world.db.selectFrom('envios').select(['empresa', 'respondido_at']).execute();
    expect(batch).toEqual([{ empresa: 'Correos', respondido_at: null }]);
    expect(await rows('SELECT 1 FROM envios_pedidos')).toHaveLength(3);
    expect(await rows("SELECT 1 FROM pedidos WHERE estado = 'pendiente' AND deleted_at IS NULL AND en_empresa IS NULL")).not.toEqual([]);
  });

  test('the demonstration has an answer of Correos with four different results', async () => {
    const [head = '', ...lines] = readFileSync(join(world.config.dataDir, 'respuesta-correos.csv'), 'utf8').trim().split('\r\n');
    const columns = head.split(';').map((title) => headingTarget('respuesta', title));
    const filas = lines.map((line) => {
      const cells = line.split(';');
      const cell = (target: string) => cells[columns.indexOf(target)] ?? '';
      return { referencia: cell('referencia'), seguimiento: cell('seguimiento'), estado: cell('estado') };
    });
    const office = world.nobody();
    const { email = '', password = '' } = accounts.find(({ role }) => role === 'superadmin') ?? {};
    await office.call(login, { body: { email, password } });
    const { id } = await world.db.selectFrom('envios').select('id').executeTakeFirstOrThrow();
    const { status, body } = await office.call(comprobarRespuesta, { params: { id }, body: { filas } });
    expect([status, body.data.map(({ resultado }) => resultado).sort()]).toEqual([
      200,
      ['completar', 'en_camino', 'incidencia', 'no_encaja'],
    ]);
  });

  test('the demonstration has a route half done', async () => {
    const { pedidos } = await world.db.selectFrom('rutas').select('pedidos').executeTakeFirstOrThrow();
    const visits = await world.db.selectFrom('pedidos').select(['id', 'estado']).where('id', 'in', pedidos).execute();
    const done = visits.filter(({ estado }) => estado === 'completado').length;
    expect(done).toBeGreaterThan(0);
    expect(visits.length - done).toBeGreaterThan(1);
    expect((await readSettings(world.db)).dayRoute).toBe(true);
  });

  test('the demonstration has a vehicle half loaded', async () => {
    const carried = await world.db
      .selectFrom('pedidos')
      .innerJoin('users', 'users.id', 'transportista_id')
      .select('cargado_at')
      .where('email', '=', 'transportista@demo.enruta.es')
      .where('estado', 'in', ['asignado', 'en_proceso'])
      .execute();
    const loaded = carried.filter(({ cargado_at }) => cargado_at !== null);
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.length).toBeLessThan(carried.length);
    expect((await readSettings(world.db)).labelsAndLoading).toBe(true);
  });

  test('the demonstration has a stock equal to its movements, never below zero', async () => {
    expect(
      await rows('SELECT 1 FROM products p WHERE stock <> (SELECT sum(unidades) FROM stock_movements WHERE product_id = p.id)'),
    ).toEqual([]);
    const running = 'SELECT sum(unidades) OVER (PARTITION BY product_id ORDER BY created_at, unidades DESC) AS stock FROM stock_movements';
    expect(await rows(`SELECT * FROM (${running}) m WHERE stock < 0`)).toEqual([]);
    expect(await rows('SELECT 1 FROM products WHERE is_active AND stock <= min_stock')).not.toEqual([]);
    expect(await rows('SELECT 1 FROM products WHERE is_active AND stock > min_stock')).not.toEqual([]);
  });

  const BACK = `(SELECT coalesce(sum(r.unidades), 0) FROM devoluciones d JOIN devoluciones_lineas r ON r.devolucion_id = d.id WHERE d.pedido_id = p.id)`;
  test('the lines of orders agree with packs, totals and reserved units', async () => {
    expect(
      await rows(`SELECT p.numero_orden FROM pedidos p, LATERAL (
          SELECT sum(l.unidades) AS unidades, sum(l.precio_total_cents) AS cents, sum(l.cantidad) AS cantidad,
            bool_and(l.unidades = coalesce(l.cantidad * pack_quantity, 0)
              AND l.precio_total_cents = l.cantidad * coalesce(pack_price_cents, l.precio_unitario_cents)) AS agree
          FROM pedidos_lineas l LEFT JOIN product_packs k ON k.id = l.pack_id WHERE l.pedido_id = p.id) l
        WHERE NOT agree OR p.cantidad <> l.cantidad OR precio_total_cents <> cents
          OR unidades_retenidas <> CASE WHEN estado = 'cancelado' THEN 0 ELSE l.unidades - ${BACK} END
          OR unidades_retenidas <> -coalesce((SELECT sum(unidades) FROM stock_movements WHERE pedido_id = p.id), 0)`),
    ).toEqual([]);
  });

  test('the daily totals agree with the orders', async () => {
    expect(await rows(TOTALS_THAT_DIFFER)).toEqual([]);
  });

  test('the demonstration has returning customers, some with notes, blocked or joined', async () => {
    expect(await rows(CLIENTES_THAT_DIFFER)).toEqual([]);
    expect(await rows(PEDIDOS_OF_ANOTHER_CLIENTE)).toEqual([]);
    for (const what of ['pedidos > 2', 'nota IS NOT NULL', 'avisar_antes', 'bloqueado_motivo IS NOT NULL', 'unido_a IS NOT NULL'])
      expect(await rows(`SELECT 1 FROM clientes WHERE ${what}`), what).not.toEqual([]);
  });

  test('the history ends in the order’s estado, and each paid order has a payment', async () => {
    expect(
      await rows(`SELECT p.numero_orden FROM pedidos p, LATERAL (
          SELECT estado_nuevo FROM pedidos_historial WHERE pedido_id = p.id AND estado_nuevo IS NOT NULL ORDER BY created_at DESC LIMIT 1) h
        WHERE h.estado_nuevo <> p.estado OR p.version <> (SELECT count(*) FROM pedidos_historial WHERE pedido_id = p.id)`),
    ).toEqual([]);
    expect(
      await rows(`SELECT p.numero_orden FROM pedidos p LEFT JOIN pagos g ON g.pedido_id = p.id
        WHERE NOT p.contra_reembolso AND ((fecha_pago, precio_total_cents) IS DISTINCT FROM (g.created_at, coalesce(importe_cents, precio_total_cents))
          OR pago_token IS NULL OR pagado_cents <> coalesce(importe_cents, 0)
          OR (p.estado <> 'pendiente_pago' AND p.estado <> 'cancelado' AND revendedor_id IS NOT NULL AND fecha_pago IS NULL))`),
    ).toEqual([]);
  });

  test('the demonstration has a feed of the last 24 hours, without prices', async () => {
    const recent = await rows(`SELECT 1 FROM audit_logs WHERE created_at > '${NOW.toISOString()}'::timestamptz - interval '24 hours'`);
    expect(recent.length).toBeGreaterThan(7);
    expect(await rows("SELECT 1 FROM audit_logs WHERE antes::text || despues::text LIKE '%precio%'")).toEqual([]);
  });

  test('new order numbers continue where the demonstration ends', async () => {
    expect(await rows('SELECT last_value::int AS next FROM numeros_2026')).toEqual([{ next: SIZE.orders + TO_COLLECT }]);
    expect(await rows(`SELECT 1 FROM pedidos WHERE numero_orden = 'ORD-2026${String(SIZE.orders).padStart(6, '0')}'`)).toHaveLength(1);
  });

  test('the daily totals are recounted after a change of time zone', async () => {
    const setZone = (timezone: string) =>
      transact(world.db, async (tx) => {
        await tx
          .updateTable('settings')
          .set({ data: sql`data || ${JSON.stringify({ timezone })}::jsonb` })
          .execute();
        await rebuildTotals(tx);
      });
    const days = () =>
      rows(
        "SELECT dia, estado, sum(pedidos) FROM pedidos_totales WHERE ambito = 'todo' GROUP BY 1, 2 HAVING sum(pedidos) > 0 ORDER BY 1, 2",
      );
    // 03:00 in Madrid is still yesterday in New York.
    await world.pedido({ fecha_pedido: '2026-11-20T02:00:00Z' });
    const inMadrid = await days();
    await setZone('America/New_York');
    expect(await days()).not.toEqual(inMadrid);
    expect(await rows(TOTALS_THAT_DIFFER)).toEqual([]);
    await setZone('Europe/Madrid');
    expect(await days()).toEqual(inMadrid);
  });

  test('a trigger updates the daily totals', async () => {
    await world.db.updateTable('pedidos').set({ precio_total_cents: 99_999_999 }).where('numero_orden', '=', 'ORD-2026000001').execute();
    await world.pedido();
    expect(await rows(TOTALS_THAT_DIFFER)).toEqual([]);
  });
});

describe('the demonstration on a second start', () => {
  const everything = async () =>
    Promise.all(
      ['users', 'settings', 'products', 'pedidos', 'pedidos_historial', 'stock_movements', 'pagos', 'audit_logs', 'pedidos_totales'].map(
        (table) => rows(`SELECT '${table}' AS name, count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${table} t`),
      ),
    );
  beforeAll(() => world.reset());

  test('a second start leaves the demonstration unchanged, and refuses a database with other data', async () => {
    const first = await ensureDemo(world.db, world.config, { orders: 60, months: 2, now: NOW });
    const before = await everything();
    expect(await ensureDemo(world.db, world.config)).toEqual(first);
    expect(await everything()).toEqual(before);

    await world.db.updateTable('users').set({ password_changed_at: '2020-01-01T00:00:00.000Z' }).execute();
    await ensureDemo(world.db, world.config);
    const expired = await world.db.selectFrom('users').select('email').where('password_changed_at', '<', '2020-01-02').execute();
    expect(expired.filter(({ email }) => first.some((account) => account.email === email))).toEqual([]);

    await world.reset();
    await world.user({ role: 'superadmin' });
    const foreign = await everything();
    await expect(ensureDemo(world.db, world.config)).rejects.toThrow('Esta base de datos no es de la demostración');
    expect(await everything()).toEqual(foreign);
  });
});

describe('the demonstration in several transactions', () => {
  const size = { orders: 120, months: 2, now: NOW, chunk: 50 };
  const what = `SELECT (SELECT md5(string_agg((to_jsonb(t) - 'cliente_id')::text, '|' ORDER BY id)) FROM pedidos t) AS pedidos,
    (SELECT md5(string_agg(stock::text, '|' ORDER BY id)) FROM products) AS stock,
    (SELECT count(*) FROM pedidos_historial) AS historial, (SELECT count(*) FROM stock_movements) AS movements,
    (SELECT count(*) FROM audit_logs) AS audit, (SELECT count(*) FROM pedidos_busqueda) AS busqueda, (SELECT data FROM settings) AS settings`;

  test('filling in several transactions reports progress and gives the result of a single transaction', async () => {
    await world.reset();
    await transact(world.db, (tx) => fillDemo(tx, size));
    const once = await rows(what);
    await world.reset();
    const progress: string[] = [];
    await fillDemo(world.db, size, (done) => progress.push(done));
    expect(await rows(what)).toEqual(once);
    expect(await rows(TOTALS_THAT_DIFFER)).toEqual([]);
    expect(progress).toEqual([
      '50 de 120 pedidos',
      '100 de 120 pedidos',
      '120 de 120 pedidos',
      'movimientos de stock',
      'clientes',
      'liquidaciones',
      'totales por día',
      'texto de búsqueda',
    ]);
  });

  test('an interrupted filling leaves the triggers enabled and no valid demonstration', async () => {
    await world.reset();
    // Collides with an order of the second chunk.
    await world.pedido({ numero_orden: 'ORD-2026000070' });
    await expect(fillDemo(world.db, size)).rejects.toThrow('pedidos_numero_orden_key');
    expect(await rows("SELECT numero_orden FROM pedidos WHERE numero_orden = 'ORD-2026000050'")).toHaveLength(1);
    expect(await rows("SELECT tgname FROM pg_trigger WHERE tgenabled = 'D'")).toEqual([]);
    await expect(ensureDemo(world.db, world.config)).rejects.toThrow('Esta base de datos no es de la demostración');
  });
});
