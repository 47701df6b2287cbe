import { createServer } from 'node:http';
import pg from 'pg';

/*
 * The baseline: node:http and pg alone, without sessions, permissions or counts; reads the same columns as the program.
 * `node bench/bare.ts` with DATABASE_URL and PORT. /list returns the 20 newest orders, /one?id= one order with its lines;
 * /create?pack=, /take?id=&by= and /complete?id= write in one statement the rows that the program writes.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

// Writes history, audit entry and notices; `notices` are rows of role, person and order.
const TRACES = (accion: string, notices: string) => `
  h AS (INSERT INTO pedidos_historial (pedido_id, actor_role, actor_nombre, accion, estado_nuevo, cambios)
    SELECT id, 'superadmin', 'Bare', '${accion}', estado, '{}' FROM p),
  l AS (INSERT INTO audit_logs (type, action, entity_type, entity_id, description, actor_role, actor_nombre, antes, despues)
    SELECT 'pedido', 'update', 'pedido', id, '${accion}: ' || numero_orden, 'superadmin', 'Bare', '{}', '{}' FROM p),
  n AS (INSERT INTO notifications (role, user_id, pedido_id, tipo, texto, enlace)
    SELECT v.role, v.user_id, v.pedido_id, 'pedido_nuevo', '${accion}: ' || numero_orden, '/pedidos/' || p.id
    FROM p, LATERAL (${notices}) AS v (role, user_id, pedido_id))
  SELECT id, numero_orden, estado FROM p`;
const TO_RESELLER = 'SELECT NULL, p.revendedor_id, p.id WHERE p.revendedor_id IS NOT NULL';
const WRITES: Record<string, string> = {
  '/create': `WITH k AS (SELECT k.*, p.name AS product FROM product_packs k JOIN products p ON p.id = product_id WHERE k.id = $1),
    s AS (UPDATE products SET stock = stock - k.pack_quantity FROM k WHERE products.id = k.product_id),
    p AS (INSERT INTO pedidos (numero_orden, cliente_nombre, cliente_direccion, producto, pack_id, cantidad, precio_unitario_cents,
        precio_total_cents, unidades_retenidas, estado, fecha_estimada)
      SELECT siguiente_numero(), 'Ana ' || gen_random_uuid(), 'Calle Mayor 1', product || ' – ' || name, id, 1, pack_price_cents,
        pack_price_cents, pack_quantity, 'pendiente', now() FROM k RETURNING *),
    i AS (INSERT INTO pedidos_lineas (pedido_id, numero, product_id, pack_id, producto, cantidad, precio_unitario_cents, precio_total_cents, unidades)
      SELECT p.id, 1, k.product_id, k.id, p.producto, 1, k.pack_price_cents, k.pack_price_cents, k.pack_quantity FROM p, k),
    m AS (INSERT INTO stock_movements (product_id, unidades, motivo, pedido_id, actor_nombre)
      SELECT k.product_id, -p.unidades_retenidas, 'pedido', p.id, 'Bare' FROM p, k),
    ${TRACES('Pedido creado', "VALUES ('superadmin', NULL::uuid, NULL::uuid), ('transportista', NULL, p.id)")}`,
  '/take': `WITH p AS (UPDATE pedidos SET estado = 'asignado', transportista_id = $2, transportista_nombre = 'Bare', version = version + 1,
      updated_at = now() WHERE id = $1 AND estado = 'pendiente' RETURNING *),
    d AS (DELETE FROM notifications USING p WHERE notifications.pedido_id = p.id AND notifications.role = 'transportista'),
    ${TRACES('Tomar', TO_RESELLER)}`,
  '/complete': `WITH p AS (UPDATE pedidos SET estado = 'completado', fecha_completado = now(), metodo_entrega = 'mrw', version = version + 1,
      updated_at = now() WHERE id = $1 AND estado = 'asignado' RETURNING *),
    g AS (INSERT INTO ganancias (user_id, pedido_id, numero_orden, concepto, cents)
      SELECT user_id, p.id, p.numero_orden, 'margen', valor FROM p JOIN margenes ON user_id = p.revendedor_id
      UNION ALL SELECT user_id, p.id, p.numero_orden, 'entrega', entrega_cents FROM p JOIN tarifas ON user_id = p.transportista_id AND zona = 'peninsula'),
    ${TRACES('Completar', TO_RESELLER)}`,
};

// Includes the order's lines, like the program's response.
const ONE = `SELECT *, (
    SELECT json_agg(l ORDER BY numero) FROM pedidos_lineas l WHERE pedido_id = pedidos.id) AS lineas FROM pedidos WHERE id = $1`;

createServer(async (request, response) => {
  try {
    const url = new URL(request.url ?? '/', 'http://bare');
    const query = url.searchParams;
    const write = WRITES[url.pathname];
    const { rows } = write
      ? await pool.query({ name: url.pathname, text: write, values: [...query.values()] })
      : url.pathname === '/one'
        ? await pool.query(ONE, [query.get('id')])
        : await pool.query('SELECT * FROM pedidos WHERE deleted_at IS NULL ORDER BY fecha_pedido DESC, id DESC LIMIT 20');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: rows }));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
