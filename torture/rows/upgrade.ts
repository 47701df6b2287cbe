import { sql } from 'kysely';
import { createPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { ajustarStock } from '../../contract/products/products.ts';
import { connectAs } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import { migrations } from '../../server/db/migrations.ts';
import { type Db, migrateDatabase, transact } from '../../server/db/open.ts';
import { hashPassword } from '../../server/session/passwords.ts';
import { auditBooks } from '../books.ts';
import { range } from '../each.ts';
import { PACE, type Row, verdict } from '../row.ts';
import { startInstance } from '../server.ts';

const ORDERS = 60;
/** Upgrades of the last released schema while four writers go on. */
const ROLLING = 10;
const RELEASED = '083-files-of-refused-steps';

/** A start migrates every earlier schema, with data, to today's. */
export const row: Row = {
  name: 'upgrade',
  what: `a database of each migration so far, filled, started upon; ${ROLLING} upgrades under writers`,
  seconds: 600,
  run: async (world) => {
    const hash = await hashPassword(SUPERADMIN.password);
    const { expect, outcome } = verdict();
    const names = Object.keys(migrations).filter((_, n) => n % (PACE.minutes ? 12 : 1) === 0);
    for (const n of range(ROLLING)) {
      const database = await world.database({ empty: true });
      await world.lookInto(database, async (db) => {
        await migrateDatabase(db, RELEASED);
        await fill(db, hash, true);
      });
      let writes = 0;
      let going = true;
      let failed: Error | undefined;
      // As an older instance writes, in another order than the migrations alter tables.
      const write = async (db: Db) => {
        while (going) {
          await transact(
            db,
            async (tx) => {
              const { rows } = await sql<{ id: string }>`SELECT pedido_id AS id FROM pedidos_lineas ORDER BY random() LIMIT 1`.execute(tx);
              await sql`SELECT FROM pedidos_lineas WHERE pedido_id = ${rows[0]?.id ?? ''} FOR UPDATE`.execute(tx);
              await sql`UPDATE products SET stock = stock WHERE id = ${PRODUCT}`.execute(tx);
            },
            50,
          );
          writes += 1;
        }
      };
      const writing = world
        .lookInto(database, async (db) => void (await Promise.all(range(4).map(() => write(db)))))
        .catch((error: Error) => void (failed = error));
      const instance = await startInstance(database);
      world.atEnd(() => instance.stop('SIGKILL'));
      await instance.ready().catch((error: Error) => expect(false, () => `rolling upgrade ${n}: ${error.message}`));
      going = false;
      await writing;
      expect(!failed, () => `rolling upgrade ${n}, a writer: ${failed?.message}`);
      expect(writes > 0, () => `rolling upgrade ${n}: nothing was written`);
      await instance.stop();
    }
    for (const name of names) {
      const database = await world.database({ empty: true });
      await world.lookInto(database, async (db) => {
        await migrateDatabase(db, name);
        await fill(db, hash, name >= '026');
      });
      const instance = await startInstance(database);
      world.atEnd(() => instance.stop('SIGKILL'));
      await instance.ready();
      const admin = await connectAs(instance.url, SUPERADMIN);
      const { data, total } = (await admin.call(listPedidos, { query: { search: 'muñoz', per_page: 100 } })).body;
      expect(total === ORDERS && data?.length === ORDERS, () => `${name}: ${total} orders are found`);
      const more = await admin.call(createPedido, {
        body: { cliente_nombre: 'Luis', cliente_direccion: 'Calle 2', pack_id: PACK, cantidad: 2 },
      });
      expect(more.status === 201, () => `${name}: a new order is ${more.status} ${more.text}`);
      const moved = await admin.call(ajustarStock, { params: { id: PRODUCT }, body: { unidades: 5, nota: 'Recuento' } });
      expect(moved.status === 200, () => `${name}: an adjustment is ${moved.status}`);
      const inspect = async <T>(work: (db: Db) => Promise<T>) => {
        await instance.stop();
        return world.lookInto(database, work);
      };
      for (const line of await auditBooks({ inspect }, admin)) expect(false, () => `${name}: ${line}`);
    }
    return outcome(`${names.length} schemas with ${ORDERS} orders each, from ${names[0]} on; ${ROLLING} upgrades under writers`);
  },
  control: [
    {
      guard: 'the locks before a migration',
      edits: [{ file: 'server/db/open.ts', find: '      if (!isLocked) await lockTables(tx, lockMs);\n', replace: '' }],
    },
    {
      guard: 'a column that a migration adds',
      edits: [{ file: 'server/db/migrations/011-franja-horaria.ts', find: 'ADD COLUMN franja_horaria', replace: 'ADD COLUMN franja' }],
    },
  ],
};

const PRODUCT = 'a1111111-1111-4111-8111-111111111111';
const PACK = 'b1111111-1111-4111-8111-111111111111';

/** Inserts a superadmin, a product and orders in several estados, in columns common to all schemas. */
async function fill(db: Db, hash: string, lines: boolean): Promise<void> {
  await sql`INSERT INTO users (full_name, email, password_hash, role) VALUES ('Dueña', ${SUPERADMIN.email}, ${hash}, 'superadmin')`.execute(
    db,
  );
  await sql`INSERT INTO products (id, name, stock, is_active) VALUES (${PRODUCT}, 'Aceite', ${1000 - ORDERS * 2}, true)`.execute(db);
  await sql`INSERT INTO product_packs (id, product_id, name, alias, pack_quantity, pack_price_cents) VALUES (${PACK}, ${PRODUCT}, 'Caja', 'C', 2, 1250)`.execute(
    db,
  );
  await sql`INSERT INTO stock_movements (product_id, unidades, motivo, actor_nombre) VALUES (${PRODUCT}, 1000, 'inicial', 'Sistema')`.execute(
    db,
  );
  await sql`
    INSERT INTO pedidos (estado, numero_orden, cliente_nombre, cliente_direccion, ${sql.raw(lines ? '' : 'product_id,')} pack_id, producto, cantidad,
      precio_unitario_cents, precio_total_cents, unidades_retenidas, fecha_pedido, fecha_completado, metodo_entrega, pago_token)
    SELECT CASE n % 3 WHEN 0 THEN 'pendiente' WHEN 1 THEN 'completado' ELSE 'pendiente_pago' END,
      'ORD-' || extract(year FROM now()) || lpad(n::text, 6, '0'), 'Ana Muñoz ' || n, 'Calle Mayor ' || n, ${lines ? sql`` : sql`${PRODUCT},`} ${PACK}, 'Aceite – Caja', 1,
      1250, 1250, 2, now() - n * interval '1 day', CASE n % 3 WHEN 1 THEN now() END, CASE n % 3 WHEN 1 THEN 'mrw' END, 'token-' || n
    FROM generate_series(1, ${ORDERS}::int) n`.execute(db);
  await sql`
    INSERT INTO stock_movements (product_id, unidades, motivo, pedido_id, actor_nombre)
    SELECT ${PRODUCT}, -2, 'pedido', id, 'Sistema' FROM pedidos`.execute(db);
  if (lines)
    await sql`
      INSERT INTO pedidos_lineas (pedido_id, numero, product_id, pack_id, producto, cantidad, precio_unitario_cents, precio_total_cents, unidades)
      SELECT id, 1, ${PRODUCT}, pack_id, producto, cantidad, precio_unitario_cents, precio_total_cents, 2 FROM pedidos`.execute(db);
}
