import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { EN_MANOS, ESTADOS, FINALES } from '../../../contract/pedidos/estados.ts';
import { lotePedidos } from '../../../contract/pedidos/lote.ts';
import { WEBHOOK_EVENT_NAMES } from '../../../contract/webhooks/fields.ts';
import type { UserRow } from '../../../test/builders.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

/* A batch writes the same rows as the same action on its orders one by one. */

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

type Accion = BodyIn<typeof lotePedidos>['accion'];

/** Returns a generator of reproducible random integers below `n`. */
function dice(seed: number) {
  let state = seed;
  return (n: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * n);
  };
}

const ORDERS = 40;
type Shop = { admin: Person; carrier: UserRow; idle: UserRow; ids: string[] };

/** Creates a shop with random orders in every estado: some deleted, paid, blocked, waiting for an answer, paid on delivery, or of a deleted carrier. */
async function openShop(stock: number): Promise<Shop> {
  await world.reset();
  const below = dice(3);
  const person = (role: UserRow['role'], name: string, fields = {}) =>
    world.user({ role, full_name: name, email: `${name.normalize('NFD').replace(/\W/g, '').toLowerCase()}@enruta.test`, ...fields });
  const admin = await world.as(await person('superadmin', 'Ada'));
  await person('superadmin', 'Alma');
  const [carrier, other, gone] = [
    await person('transportista', 'Tomás'),
    await person('transportista', 'Tere'),
    await person('transportista', 'Teo'),
  ];
  const idle = await person('transportista', 'Iker', { is_active: false });
  const sellers = [await person('revendedor', 'Rosa'), await person('revendedor', 'Raúl'), null];
  await world.db
    .insertInto('margenes')
    .values(sellers.flatMap((seller, i) => (seller ? [{ user_id: seller.id, tipo: i ? 'pack' : 'porcentaje', valor: 150 } as const] : [])))
    .execute();
  await world.db
    .insertInto('tarifas')
    .values(
      (['peninsula', 'baleares'] as const).map((zona, i) => ({
        user_id: carrier.id,
        zona,
        entrega_cents: 300 + 200 * i,
        intento_cents: 100,
      })),
    )
    .execute();
  await sql`UPDATE settings SET data = data || '{"emailNotifications": true, "emailProvider": "mailgun", "mailgunDomain": "enruta.test"}'`.execute(
    world.db,
  );
  await world.db
    .insertInto('webhooks')
    .values({ url: 'https://erp.test', descripcion: null, secreto: 'x', eventos: [...WEBHOOK_EVENT_NAMES], api_key_id: null })
    .execute();
  const packs = [];
  for (const name of ['Vela', 'Jabón']) {
    const { id } = await world.product({ name, stock: 200, min_stock: 5 });
    packs.push(await world.pack({ product_id: id, name: `Pack de ${name}`, alias: name }));
  }
  const ids: string[] = [];
  for (let i = 0; i < ORDERS; i += 1) {
    const estado = ESTADOS[below(ESTADOS.length)] ?? 'pendiente';
    const [deleted, held] = [below(2) === 0, EN_MANOS.includes(estado) || estado === 'completado'];
    const { id, precio_total_cents } = await world.pedido({
      numero_orden: `PRUEBA-${i}`,
      estado,
      pack: packs[below(2)] as NonNullable<(typeof packs)[0]>,
      cantidad: 1 + below(3),
      cliente_nombre: `Cliente ${below(5)}`,
      cliente_telefono: null,
      cliente_direccion: 'Calle Mayor',
      cliente_provincia: below(3) ? 'Madrid' : 'Baleares',
      cliente_codigo_postal: below(3) ? '28001' : '07001',
      fecha_pedido: new Date(Date.UTC(2026, 0, 1, i)).toISOString(),
      fecha_estimada_fijada: below(4) === 0,
      revendedor_id: sellers[below(3)]?.id ?? null,
      transportista_id: held ? ([carrier, other, gone][below(3)]?.id ?? null) : null,
      contra_reembolso: estado !== 'pendiente_pago' && below(5) === 0,
      incidencia_at: estado === 'asignado' && below(3) === 0 ? '2026-01-01T00:00:00Z' : null,
      cargado_at: estado === 'en_proceso' ? '2026-01-01T00:00:00Z' : null,
      empresa_transporte: 'manual',
      ...(deleted && { deleted_at: '2026-01-02T00:00:00Z' }),
      ...(deleted && !FINALES.includes(estado) && { unidades_retenidas: 0 }),
      ...(deleted && below(5) === 0 && { bloqueado_at: '2026-01-02T00:00:00Z' }),
    });
    if (below(3) === 0 && estado !== 'cancelado' && estado !== 'pendiente_pago') {
      const importe_cents = below(2) ? precio_total_cents : 100;
      await world.db
        .insertInto('pagos')
        .values({ pedido_id: id, proveedor: 'bizum', referencia: '', estado: 'pagado', importe_cents })
        .execute();
    }
    if (estado === 'completado') {
      const earned = { user_id: carrier.id, pedido_id: id, numero_orden: `PRUEBA-${i}`, concepto: 'entrega', cents: 300 };
      await world.db
        .insertInto('ganancias')
        .values([earned, ...(deleted ? [{ ...earned, concepto: 'correccion', cents: -300, nota: 'Pedido eliminado' }] : [])] as never)
        .execute();
    }
    ids.push(id);
  }
  await world.db.updateTable('users').set({ deleted_at: '2026-01-03T00:00:00Z', is_active: false }).where('id', '=', gone.id).execute();
  const offers = await world.db.selectFrom('pedidos').select('id').where('estado', '=', 'pendiente').execute();
  const offer = { role: 'transportista', tipo: 'pedido_disponible', texto: 'Pedido disponible', enlace: '/pedidos-disponibles' } as const;
  await world.db
    .insertInto('notifications')
    .values(offers.map(({ id }) => ({ ...offer, pedido_id: id })))
    .execute();
  await sql`UPDATE products SET stock = ${stock}`.execute(world.db);
  return { admin, carrier, idle, ids };
}

const TABLES = [
  ...['pedidos', 'pedidos_lineas', 'pedidos_historial', 'pedidos_totales', 'audit_logs', 'stock_movements', 'products', 'ganancias'],
  ...['pagos', 'notifications', 'outbox', 'events', 'clientes', 'intentos', 'cambios'],
];
const NAMES = `SELECT id, numero_orden AS name FROM pedidos UNION ALL SELECT id, email FROM users UNION ALL SELECT id, name FROM products
  UNION ALL SELECT id, alias FROM product_packs UNION ALL SELECT id, clave FROM clientes`;

/** Returns every row that a batch can write, with ids replaced by names and without times. */
async function books(): Promise<Record<string, string[]>> {
  const { rows: named } = await sql<{ id: string; name: string }>`${sql.raw(NAMES)}`.execute(world.db);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const found: Record<string, string[]> = {};
  for (const table of TABLES) {
    const { rows } = await sql<{ row: string }>`
      SELECT (to_jsonb(t) - '{xid,n,seq}'::text[])::text AS row FROM ${sql.id(table)} t`.execute(world.db);
    found[table] = rows
      .map(({ row }) =>
        row
          .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => names.get(id) ?? '#')
          .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(\+00:00|\+00|Z)?/g, '@')
          // Low stock is reported once per batch, with the final quantity.
          .replaceAll(/quedan \d+ unidades|"stock": \d+, "min_stock"/g, '…'),
      )
      .sort();
  }
  found.stock = await moved();
  for (const table of ['events', 'outbox']) found[table] = (found[table] ?? []).filter((row) => !row.includes('"stock.movido"'));
  return found;
}

/** Returns the units of stock events by product: a batch sends one event per product for all its orders. */
async function moved(): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    SELECT concat(content #>> '{producto,name}', ' ', content #>> '{producto,motivo}', ' ', sum((content #>> '{producto,unidades}')::int)) AS row
    FROM events WHERE tipo = 'stock.movido' GROUP BY content #>> '{producto,name}', content #>> '{producto,motivo}' ORDER BY 1`.execute(
    world.db,
  );
  return rows.map(({ row }) => row);
}

const ACCIONES: [string, (shop: Shop) => Accion][] = [
  ['asignar', ({ carrier }) => ({ tipo: 'asignar', transportista_id: carrier.id, empresa_transporte: 'mrw' })],
  ['asignar a nadie', () => ({ tipo: 'asignar', transportista_id: null })],
  ['asignar a quien no está activo', ({ idle }) => ({ tipo: 'asignar', transportista_id: idle.id })],
  ['cancelar', () => ({ tipo: 'cancelar', motivo: 'Ya no lo quiere' })],
  ['eliminar', () => ({ tipo: 'eliminar' })],
  ['restaurar', () => ({ tipo: 'restaurar' })],
  ['restaurar con poco stock', () => ({ tipo: 'restaurar' })],
  ['pagar', () => ({ tipo: 'pagar', metodo: 'transferencia', referencia: 'Remesa 12' })],
  ['pagar en efectivo', () => ({ tipo: 'pagar', metodo: 'efectivo' })],
  ['preparar', () => ({ tipo: 'preparar' })],
  ['volver', () => ({ tipo: 'volver' })],
  ['salir', () => ({ tipo: 'salir' })],
  ['completar', () => ({ tipo: 'completar', metodo_entrega: 'mrw' })],
];

describe('a batch and the same orders one by one', () => {
  test.each(ACCIONES)('a batch and the same orders one by one leave the same rows and refusals: %s', async (title, accionOf) => {
    const run = async (together: boolean) => {
      const shop = await openShop(title.endsWith('con poco stock') ? 11 : 60);
      const accion = accionOf(shop);
      const parts = together ? [shop.ids] : shop.ids.toReversed().map((id) => [id]);
      const results = [];
      for (const ids of parts) {
        const { status, body } = await shop.admin.call(lotePedidos, { body: { pedidos: { ids }, accion } });
        expect(status).toBe(200);
        results.push(...body.data.map(({ id: __, ...result }) => result));
      }
      return { results, ...(await books()) };
    };
    const [many, single] = [await run(true), await run(false)];
    expect(many).toEqual(single);
    expect(many.results.length).toBeGreaterThan(3);
  });
});
