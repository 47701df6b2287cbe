import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../../test/until.ts';
import { createWorld, type World } from '../../test/world.ts';
import { scratchOnServer } from '../backups/scratch.ts';
import { migrations } from './migrations.ts';
import { migrateDatabase, openPostgres, transact } from './open.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

test('migration 009 makes the whole address searchable in older databases', async () => {
  await sql`DROP INDEX pedidos_ciudad, pedidos_cliente, pedidos_revendedor_nombre, pedidos_transportista_nombre`.execute(world.db);
  await sql`DROP COLLATION nombres`.execute(world.db);
  await sql`DROP TABLE pedidos_busqueda`.execute(world.db);
  await sql`DROP TRIGGER pedidos_busqueda_insert ON pedidos`.execute(world.db);
  await sql`ALTER TABLE pedidos ADD COLUMN busqueda text GENERATED ALWAYS AS (normaliza(cliente_nombre)) STORED`.execute(world.db);
  for (const name of ['cliente', 'revendedor_nombre', 'transportista_nombre'])
    await sql`CREATE INDEX ${sql.id(`pedidos_${name}`)} ON pedidos (id)`.execute(world.db);
  await world.pedido({ cliente_direccion2: '8º Izq.' });
  await migrations['009-search-and-names']?.up(world.db);
  const { rows: texts } = await sql<{ busqueda: string }>`SELECT busqueda FROM pedidos`.execute(world.db);
  expect(texts[0]?.busqueda).toContain(' 8o izq. ');
  const { rows } = await sql`SELECT 1 FROM pg_indexes WHERE indexname = 'pedidos_busqueda'`.execute(world.db);
  expect(rows).toHaveLength(1);
});

test('migration 015 deletes unknown user names from the log, which stays append-only afterwards', async () => {
  const { db } = world;
  for (const table of ['job_failures', 'unknown_logins', 'secret_keys']) await sql`DROP TABLE ${sql.id(table)}`.execute(db);
  await sql`ALTER TABLE exports DROP COLUMN attempts, DROP COLUMN error`.execute(db);
  const failed = {
    type: 'configuracion' as const,
    action: 'login_failed',
    entity_type: 'session',
    actor_role: 'sistema',
    actor_nombre: 'Sistema',
  };
  const person = await world.user({ role: 'revendedor' });
  const typed = await db
    .insertInto('audit_logs')
    .values({ ...failed, description: 'Acceso fallido de «MiClave99»' })
    .returning(['id', 'description'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('audit_logs')
    .values([
      { ...failed, entity_id: person.id, description: `Acceso fallido de «${person.email}»` },
      {
        ...failed,
        action: 'delete',
        entity_type: 'audit',
        entity_id: typed.id,
        description: `Registro ocultado: ${typed.description}`,
        antes: JSON.stringify(typed),
      },
    ])
    .execute();
  await migrations['015-failures-and-room']?.up(db);
  const log = JSON.stringify(await db.selectFrom('audit_logs').selectAll().execute());
  expect(log).not.toContain('MiClave99');
  expect(log).toContain(`Acceso fallido de «${person.email}»`);
  await expect(sql`UPDATE audit_logs SET description = 'otra'`.execute(db)).rejects.toThrow('append-only');
});

test('migration 010 keeps pending and sent mails and pushes, under the same Message-ID', async () => {
  const { db } = world;
  await sql`DROP TABLE outbox`.execute(db);
  await sql`CREATE TABLE mails (id uuid DEFAULT gen_random_uuid(), para text, asunto text, texto text, html text,
      digest boolean DEFAULT false, due_at timestamptz, attempts int DEFAULT 0, locked_until timestamptz, sent_at timestamptz,
      failed_at timestamptz, error text, created_at timestamptz DEFAULT now())`.execute(db);
  await migrations['008-push']?.up(db);
  const mail = 'a1111111-1111-4111-8111-111111111111';
  await sql`INSERT INTO mails (id, para, asunto, texto, html, digest, attempts, error, locked_until, due_at)
      VALUES (${mail}, 'ana@b.es', 'Hola', 'texto', '<p>', true, 3, 'ECONNREFUSED', '2030-01-02T00:00:00Z', '2030-01-01T00:00:00Z')`.execute(
    db,
  );
  await sql`INSERT INTO mails (para, asunto, texto, html, due_at, sent_at)
      VALUES ('luis@b.es', 'Hola', 'texto', '<p>', '2029-01-01T00:00:00Z', '2029-01-01T00:00:01Z')`.execute(db);
  await sql`WITH person AS (
        INSERT INTO users (full_name, email, role, is_active, password_hash) VALUES ('Ana', 'ana@b.es', 'superadmin', true, 'x') RETURNING id),
      told AS (INSERT INTO notifications (user_id, tipo, texto, enlace) SELECT id, 'x', 'x', '/' FROM person RETURNING id),
      browser AS (INSERT INTO push_subscriptions SELECT 'https://push.example.com/1', id, 'x', 'x' FROM person RETURNING endpoint)
      INSERT INTO pushes (notification_id, endpoint, due_at, attempts) SELECT id, endpoint, '2031-01-01T00:00:00Z', 2 FROM told, browser`.execute(
    db,
  );
  await migrations['010-outbox']?.up(db);
  const rows = await db.selectFrom('outbox').selectAll().orderBy('due_at').execute();
  const notification = await db.selectFrom('notifications').select('id').executeTakeFirstOrThrow();
  const payload = { asunto: 'Hola', texto: 'texto', html: '<p>' };
  expect(rows).toMatchObject([
    { channel: 'correo', recipient: 'luis@b.es', payload, sent_at: '2029-01-01T00:00:01.000Z' },
    {
      ...{ id: mail, channel: 'correo', recipient: 'ana@b.es', payload, digest: true, attempts: 3, error: 'ECONNREFUSED' },
      ...{ sent_at: null, due_at: '2030-01-02T00:00:00.000Z' },
    },
    {
      channel: 'push',
      recipient: 'https://push.example.com/1',
      payload: { notification_id: notification.id },
      attempts: 2,
      sent_at: null,
    },
  ]);
});

test('migration 016 continues each year’s numbers', async () => {
  const { db } = world;
  await sql`DROP FUNCTION siguiente_numero()`.execute(db);
  await sql`CREATE TABLE order_numbers AS SELECT 2031 AS year, 41 AS last`.execute(db);
  await migrations['016-number-sequences']?.up(db);
  expect((await sql`SELECT nextval('numeros_2031')::int AS n`.execute(db)).rows).toEqual([{ n: 42 }]);
});

test('migration 031 creates customers of existing orders, in one transaction', async () => {
  const { db } = world;
  const ana = { cliente_nombre: 'Ana Muñoz', revendedor_id: null };
  for (const cliente_telefono of ['600 11 22 44', '+34 600112244']) await world.pedido({ ...ana, cliente_telefono });
  const functions = ['clave_cliente', 'texto_cliente', 'rehacer_clientes', 'contar_clientes', 'pedidos_cliente_trigger'];
  for (const name of [...functions, 'pedidos_contar_cliente_trigger']) await sql`DROP FUNCTION ${sql.id(name)} CASCADE`.execute(db);
  await sql`ALTER TABLE pedidos DROP COLUMN cliente_id CASCADE`.execute(db);
  await sql`DROP TABLE clientes`.execute(db);
  await db.transaction().execute((tx) => migrations['031-clientes']?.up(tx) ?? Promise.reject());
  const known = db.selectFrom('clientes').select(['nombre', 'pedidos']).where('clave', '=', 't:600112244');
  expect(await known.execute()).toEqual([{ nombre: 'Ana Muñoz', pedidos: 2 }]);
  await world.pedido({ ...ana, cliente_telefono: '600112244' });
  expect(await known.execute()).toMatchObject([{ pedidos: 3 }]);
});

test('migration 079 clears refunds wrongly owed after exchanges', async () => {
  const { db } = world;
  const pack = await world.pack({ pack_price_cents: 1000 });
  const { id } = await world.pedido({ pack, cantidad: 3, estado: 'completado', pagado_cents: 3000, entrega_parcial: true });
  const back = async (motivo: 'otro' | 'entrega_parcial', reembolso_cents: number) => {
    const head = db.insertInto('devoluciones').values({ pedido_id: id, motivo, reembolso_cents, actor_nombre: 'Sara' });
    const { id: devolucion_id } = await head.returning('id').executeTakeFirstOrThrow();
    const parte = motivo === 'otro' ? '' : 'falta';
    await db
      .insertInto('devoluciones_lineas')
      .values({ devolucion_id, numero: 1, destino: 'baja', producto: 'Aceite', cantidad: 1, motivo: parte })
      .execute();
  };
  await back('entrega_parcial', 600);
  await back('otro', 0);
  const amounts = { cantidad_devuelta: 2, devuelto_cents: 2000, reembolsado_cents: 600 };
  await db.updateTable('pedidos').set(amounts).where('id', '=', id).execute();
  await sql`ALTER TABLE pedidos DROP COLUMN por_reembolsar_cents`.execute(db);
  await sql`ALTER TABLE pedidos ADD COLUMN por_reembolsar_cents bigint`.execute(db);
  await sql`ALTER TABLE pagos DROP COLUMN devolucion_id`.execute(db);
  await sql`DROP FUNCTION valor_devolucion`.execute(db);
  await migrations['079-refunds-of-parts']?.up(db);
  const { rows } = await sql`SELECT sin_entregar_cents, por_reembolsar_cents FROM pedidos WHERE id = ${id}`.execute(db);
  expect(rows).toEqual([{ sin_entregar_cents: 400, por_reembolsar_cents: 400 }]);
});

test('a database of a newer version is refused with a Spanish sentence', async () => {
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('999-of-tomorrow', '2099-01-01T00:00:00.000Z')`.execute(world.db);
  await expect(migrateDatabase(world.db)).rejects.toThrow('Esta base de datos es de una versión más nueva de Enruta');
  await sql`DELETE FROM kysely_migration WHERE name = '999-of-tomorrow'`.execute(world.db);
  await migrateDatabase(world.db);
});

test('a migration beside a writer that locks tables in another order neither deadlocks nor makes the writer fail', async () => {
  const scratch = await scratchOnServer(world.process.url);
  if (!scratch) throw new Error('no scratch database');
  const { db } = scratch;
  try {
    await migrateDatabase(db, '093-bounds');
    let begun = false;
    let upgrading: Promise<void> | undefined;
    // The migration 094 alters `products`, then `pedidos_lineas`.
    const writing = db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE pedidos_lineas IN ROW EXCLUSIVE MODE`.execute(tx);
      begun = true;
      await until(
        () => upgrading !== undefined,
        () => 'no upgrade',
      );
      await sql`SELECT pg_sleep(1.5)`.execute(tx);
      await sql`LOCK TABLE products IN ROW EXCLUSIVE MODE`.execute(tx);
    });
    await until(
      () => begun,
      () => 'no writer',
    );
    upgrading = migrateDatabase(db, undefined, { lock: 300, pause: 200, tries: 20 });
    await Promise.all([writing, upgrading]);
    expect(await sql`SELECT products.iva FROM products, pedidos_lineas WHERE false`.execute(db).then(({ rows }) => rows)).toEqual([]);
    await expect(
      db.transaction().execute(async (tx) => {
        await sql`LOCK TABLE products IN ROW EXCLUSIVE MODE`.execute(tx);
        await migrateDatabase(db, undefined, { lock: 100, pause: 1, tries: 2 });
      }),
      'nothing to do',
    ).resolves.toBeUndefined();
  } finally {
    await scratch.close();
  }
});

test('a migration gets its locks beside writers that never rest', async () => {
  const scratch = await scratchOnServer(world.process.url);
  if (!scratch) throw new Error('no scratch database');
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(scratch.db);
  const { db, close } = openPostgres(Object.assign(new URL(world.process.url), { pathname: `/${rows[0]?.name}` }).href, () => {}, 6);
  let going = true;
  let writes = 0;
  // Holds rows of a line and a product, whose triggers then write the log of changes.
  const write = async () => {
    while (going) {
      await transact(db, async (tx) => {
        await sql`SELECT FROM pedidos_lineas ORDER BY random() LIMIT 1 FOR UPDATE`.execute(tx);
        await sql`UPDATE products SET stock = stock`.execute(tx);
      });
      writes += 1;
    }
  };
  try {
    await migrateDatabase(db, '093-bounds');
    await sql`INSERT INTO products (name, stock) VALUES ('Aceite', 10)`.execute(db);
    await sql`INSERT INTO pedidos (estado, numero_orden, cliente_nombre, cliente_direccion, producto, cantidad, precio_unitario_cents,
        precio_total_cents, unidades_retenidas, fecha_pedido, pago_token)
      SELECT 'pendiente', 'ORD-2026' || n, 'Ana', 'Calle 1', 'Aceite', 1, 1250, 1250, 0, now(), n FROM generate_series(1, 20) n`.execute(
      db,
    );
    await sql`INSERT INTO pedidos_lineas (pedido_id, numero, producto, cantidad, precio_unitario_cents, precio_total_cents, unidades)
      SELECT id, 1, 'Aceite', 1, 1250, 1250, 0 FROM pedidos`.execute(db);
    const writing = [write(), write(), write(), write()];
    await until(
      () => writes > 20,
      () => `only ${writes} writes`,
    );
    await expect(migrateDatabase(db, undefined, { lock: 900, pause: 100, tries: 3 })).resolves.toBeUndefined();
    going = false;
    await Promise.all(writing);
  } finally {
    going = false;
    await close();
    await scratch.close();
  }
});
