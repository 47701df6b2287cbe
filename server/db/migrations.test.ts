import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { migrations } from './migrations.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

test('009 lets a database made before it find the whole address', async () => {
  await sql`DROP INDEX pedidos_cliente, pedidos_revendedor_nombre, pedidos_transportista_nombre`.execute(world.db);
  await sql`DROP COLLATION nombres`.execute(world.db);
  await sql`ALTER TABLE pedidos DROP COLUMN busqueda, ADD COLUMN busqueda text GENERATED ALWAYS AS (normaliza(cliente_nombre)) STORED`.execute(
    world.db,
  );
  for (const name of ['cliente', 'revendedor_nombre', 'transportista_nombre'])
    await sql`CREATE INDEX ${sql.id(`pedidos_${name}`)} ON pedidos (id)`.execute(world.db);
  await world.pedido({ cliente_direccion2: '8º Izq.' });
  await migrations['009-search-and-names']?.up(world.db);
  const { busqueda } = await world.db.selectFrom('pedidos').select('busqueda').executeTakeFirstOrThrow();
  expect(busqueda).toContain(' 8º izq. ');
  const { rows } = await sql`SELECT 1 FROM pg_indexes WHERE indexname = 'pedidos_busqueda'`.execute(world.db);
  expect(rows).toHaveLength(1);
});

test('010 takes along what waits of mails and pushes, under the same Message-ID, and what was sent', async () => {
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
