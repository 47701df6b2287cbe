import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'ALTER TABLE pedidos ADD COLUMN en_empresa text, ADD COLUMN en_empresa_at timestamptz',
  'ALTER TABLE pedidos ADD CONSTRAINT pedidos_en_empresa CHECK ((en_empresa IS NULL) = (en_empresa_at IS NULL))',
  // Taken out of the batch: by hand, or by a batch of another company.
  'ALTER TABLE envios_pedidos ADD COLUMN sacado_at timestamptz',
  // An order that older versions put into several batches stays in the last one.
  `UPDATE envios_pedidos l SET sacado_at = now() FROM envios e WHERE e.id = l.envio_id AND l.resultado IS DISTINCT FROM 'completar'
    AND EXISTS (SELECT FROM envios_pedidos m JOIN envios f ON f.id = m.envio_id
      WHERE m.pedido_id = l.pedido_id AND (f.created_at, f.id) > (e.created_at, e.id))`,
  `UPDATE pedidos p SET en_empresa = e.empresa, en_empresa_at = e.created_at FROM envios_pedidos l JOIN envios e ON e.id = l.envio_id
    WHERE l.pedido_id = p.id AND l.sacado_at IS NULL AND l.resultado IS DISTINCT FROM 'completar'
      AND p.estado IN ('pendiente', 'asignado', 'en_proceso', 'en_ruta')`,
  'CREATE INDEX pedidos_en_empresa ON pedidos (en_empresa_at) WHERE en_empresa_at IS NOT NULL',
];

// Since when a company has an order, and which (decision 085).
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
