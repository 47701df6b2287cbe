import { type Kysely, sql } from 'kysely';

/* A web shop has a door of its own, and its money is rows (decisions 112 and 113). */

const REFUNDED = "CASE WHEN g.estado = 'devuelto' THEN g.importe_cents ELSE g.devuelto_cents END";

const STATEMENTS = [
  `ALTER TABLE tiendas
    -- True while the shop may use the address of before, \`/api/tienda/pedidos\`; null once it has moved to its own.
    ADD COLUMN comun boolean DEFAULT false,
    -- True once the office knows that the shop spreads VAT otherwise.
    ADD COLUMN iva_avisado boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT tiendas_conector_origen_key`,
  // The common address answers for one shop of each kind: the oldest without a secret of its own.
  `UPDATE tiendas s SET comun = true WHERE s.secreto IS NULL AND s.estado = 'activa' AND s.id = (SELECT o.id FROM tiendas o
    WHERE o.conector = s.conector AND o.secreto IS NULL AND o.estado = 'activa' ORDER BY o.created_at, o.id LIMIT 1)`,
  // Of one kind one shop waits for a person: with the orders of the others, but for numbers that it has itself.
  `UPDATE tienda_pedidos t SET tienda_id = o.id FROM tiendas s, tiendas o WHERE s.id = t.tienda_id AND s.estado = 'por_confirmar'
    AND o.id = (SELECT x.id FROM tiendas x WHERE x.conector = s.conector AND x.estado = 'por_confirmar' ORDER BY x.created_at, x.id LIMIT 1)
    AND NOT EXISTS (SELECT FROM tienda_pedidos d WHERE d.tienda_id = o.id AND d.externo_id = t.externo_id)`,
  `UPDATE tiendas SET estado = 'ignorada' WHERE estado = 'por_confirmar' AND id NOT IN
    (SELECT DISTINCT ON (conector) id FROM tiendas WHERE estado = 'por_confirmar' ORDER BY conector, created_at, id)`,
  "CREATE UNIQUE INDEX tiendas_por_confirmar ON tiendas (conector) WHERE estado = 'por_confirmar'",
  'CREATE UNIQUE INDEX tiendas_comun ON tiendas (conector) WHERE comun',
  // The settings' keys were those of the shop at their address, else of the oldest one.
  `INSERT INTO tiendas (conector, nombre, comun) SELECT 'woo', 'Tu tienda', true FROM settings
    WHERE data->>'storeUrl' <> '' AND data->>'storeKey' <> '' AND NOT EXISTS (SELECT FROM tiendas WHERE conector = 'woo')`,
  `UPDATE tiendas s SET url = data->>'storeUrl', clave = data->>'storeKey', clave_secreta = data->'secrets'->>'storeKeySecret' FROM settings
    WHERE data->>'storeUrl' <> '' AND data->>'storeKey' <> '' AND s.url IS NULL AND s.id = (SELECT o.id FROM tiendas o
      WHERE o.conector = 'woo' AND o.estado = 'activa' ORDER BY
        regexp_replace(lower(data->>'storeUrl'), '^https?://(www\\.)?|/+$', '', 'g') = regexp_replace(o.origen, '^www\\.', '') DESC NULLS LAST,
        o.created_at, o.id LIMIT 1)`,
  `UPDATE settings SET data = (data - 'storeUrl' - 'storeKey') #- '{secrets,storeKeySecret}'`,
  // Products named before there were shops hold for all of them.
  `UPDATE tienda_productos t SET tienda_id = NULL FROM tiendas s WHERE s.id = t.tienda_id AND t.created_at < s.created_at AND t.clave NOT LIKE '#%'
    AND NOT EXISTS (SELECT FROM tienda_productos o WHERE o.tienda_id IS NULL AND o.clave = t.clave)`,
  `ALTER TABLE tienda_pedidos
    -- What is still encrypted is a text; the job opens it.
    ALTER COLUMN contenido TYPE jsonb USING to_jsonb(contenido),
    ALTER COLUMN correcciones TYPE jsonb USING to_jsonb(correcciones),
    -- Parts of the order as last agreed to, with which messages are compared.
    ADD COLUMN acordado jsonb,
    DROP COLUMN marcas,
    -- Digests of the last messages, so that a repeated one changes nothing.
    ADD COLUMN vistos text[] NOT NULL DEFAULT '{}',
    -- What the shop is asked before the message is read, because no signature covers it.
    ADD COLUMN pregunta text CHECK (pregunta IN ('borrado', 'recuperado', 'reembolsos')),
    -- Time at which the data of a waiting order were erased: later messages bring none back.
    ADD COLUMN olvidado_at timestamptz`,
  "UPDATE tienda_mensajes SET tema = 'cifrado:' || coalesce(tema, '') WHERE contenido IS NOT NULL",
  `ALTER TABLE pagos ADD COLUMN tienda_pedido_id uuid REFERENCES tienda_pedidos`,
  `UPDATE pagos SET tienda_pedido_id = split_part(externo_id, ':', 2)::uuid WHERE externo_id LIKE 'tienda:%'`,
  'CREATE INDEX pagos_tienda ON pagos (tienda_pedido_id) WHERE tienda_pedido_id IS NOT NULL',
  `CREATE TABLE reembolsos (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- Order and payment that the money belongs to; no payment if a person had noted the refund, or the money was never noted.
    pedido_id uuid NOT NULL REFERENCES pedidos,
    pago_id uuid REFERENCES pagos,
    -- Return at which the refund is noted instead of at the payment.
    devolucion_id uuid REFERENCES devoluciones,
    importe_cents bigint NOT NULL CHECK (importe_cents > 0),
    -- Order of the web shop and the shop's id of the refund; null for a provider's.
    tienda_pedido_id uuid REFERENCES tienda_pedidos,
    externo_id text,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX reembolsos_tienda ON reembolsos (tienda_pedido_id) WHERE tienda_pedido_id IS NOT NULL',
  'CREATE INDEX reembolsos_devolucion ON reembolsos (devolucion_id) WHERE devolucion_id IS NOT NULL',
  'CREATE INDEX reembolsos_pedido ON reembolsos (pedido_id)',
  // What the shop gave back so far: at its payments, and the rest noted elsewhere.
  `INSERT INTO reembolsos (pedido_id, pago_id, importe_cents, tienda_pedido_id)
    SELECT g.pedido_id, g.id, ${REFUNDED}, t.id FROM pagos g JOIN tienda_pedidos t ON t.id = g.tienda_pedido_id AND t.devuelto_cents > 0
    WHERE g.estado <> 'anulado' AND ${REFUNDED} > 0`,
  `INSERT INTO reembolsos (pedido_id, importe_cents, tienda_pedido_id)
    SELECT * FROM (SELECT t.pedido_id, t.devuelto_cents - coalesce((SELECT sum(r.importe_cents) FROM reembolsos r WHERE r.tienda_pedido_id = t.id), 0) AS cents, t.id
      FROM tienda_pedidos t WHERE t.pedido_id IS NOT NULL AND t.devuelto_cents > 0) rest WHERE cents > 0`,
  'ALTER TABLE tienda_pedidos DROP COLUMN pagado_cents, DROP COLUMN devuelto_cents',
  'ALTER TABLE pedidos ADD COLUMN tienda text',
  `UPDATE pedidos p SET tienda = s.nombre FROM tienda_pedidos t JOIN tiendas s ON s.id = t.tienda_id WHERE t.pedido_id = p.id`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
