import { type Kysely, sql } from 'kysely';

/* What happened to an order stands in its row: last attempt, departure, another day, goods on their way back. */

const STATEMENTS = [
  `ALTER TABLE pedidos
    ADD COLUMN intento_at timestamptz,
    ADD COLUMN intentos integer NOT NULL DEFAULT 0,
    ADD COLUMN salio_at timestamptz,
    ADD COLUMN aplazado_at timestamptz,
    ADD COLUMN mercancia_at timestamptz`,
  `UPDATE pedidos p SET intento_at = i.at, intentos = i.n
    FROM (SELECT pedido_id, max(created_at) AS at, count(*) AS n FROM intentos GROUP BY pedido_id) i WHERE i.pedido_id = p.id`,
  `UPDATE pedidos p SET salio_at = h.at
    FROM (SELECT pedido_id, max(created_at) AS at FROM pedidos_historial WHERE estado_nuevo = 'en_ruta' GROUP BY pedido_id) h
    WHERE h.pedido_id = p.id AND p.estado = 'en_ruta'`,
  `UPDATE pedidos p SET aplazado_at = h.at
    FROM (SELECT pedido_id, max(created_at) AS at FROM pedidos_historial WHERE accion = 'El cliente pide otro día' GROUP BY pedido_id) h
    WHERE h.pedido_id = p.id AND p.aviso_cliente LIKE 'Entregar el %' AND h.at > coalesce(p.intento_at, '-infinity')`,
  `UPDATE pedidos p SET mercancia_at = d.at
    FROM (SELECT d.pedido_id, min(d.created_at) AS at FROM devoluciones d JOIN devoluciones_lineas l ON l.devolucion_id = d.id
      WHERE l.destino = 'camino' AND d.anulada_at IS NULL GROUP BY d.pedido_id) d
    WHERE d.pedido_id = p.id`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
