import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createWorld } from '../../test/world.ts';
import { migrations } from './migrations.ts';

test('009 lets a database made before it find the whole address', async () => {
  const world = await createWorld();
  try {
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
  } finally {
    await world.close();
  }
});
