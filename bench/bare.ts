import { createServer } from 'node:http';
import pg from 'pg';

/*
 * The baseline: node:http and pg alone, without sessions, permissions or counts.
 * `node bench/bare.ts` with DATABASE_URL and PORT. /list returns the 20 newest orders, /one?id= one by its key.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 5 });
const COLUMNS = `id, numero_orden, cliente_nombre, cliente_telefono, cliente_direccion, cliente_direccion2, cliente_ciudad, cliente_provincia,
  cliente_codigo_postal, cliente_pais, instrucciones, producto, cantidad, precio_unitario_cents, precio_total_cents, estado, fecha_pedido,
  fecha_estimada, fecha_completado, metodo_entrega, numero_seguimiento, empresa_transporte, motivo, transportista_id, transportista_nombre,
  revendedor_id, revendedor_nombre, pack_id, pago_token, version, created_at, updated_at, deleted_at`;

createServer(async (request, response) => {
  try {
    const url = new URL(request.url ?? '/', 'http://bare');
    const { rows } =
      url.pathname === '/one'
        ? await pool.query(`SELECT ${COLUMNS} FROM pedidos WHERE id = $1`, [url.searchParams.get('id')])
        : await pool.query(`SELECT ${COLUMNS} FROM pedidos WHERE deleted_at IS NULL ORDER BY fecha_pedido DESC, id DESC LIMIT 20`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: rows }));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
