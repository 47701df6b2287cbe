import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE tiendas (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    conector text NOT NULL,
    -- Address that its messages name; null until the first message names one.
    origen text,
    nombre text NOT NULL,
    estado text NOT NULL DEFAULT 'activa' CHECK (estado IN ('activa', 'por_confirmar', 'ignorada')),
    -- Encrypted; null uses the secret of the settings.
    secreto text,
    url text,
    clave text,
    clave_secreta text,
    -- Last message with a valid signature.
    oido_at timestamptz,
    -- Last answer of its REST API, time up to which its changes are known, and why it did not answer.
    sondeo_at timestamptz,
    sondeo_hasta timestamptz,
    sondeo_error text,
    -- Orders that no message brought and the REST API did.
    rescatados integer NOT NULL DEFAULT 0,
    webhook_apagado boolean NOT NULL DEFAULT false,
    -- True once it has charged VAT: only then does an order without VAT say something.
    con_iva boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (conector, origen)
  )`,
  `INSERT INTO tiendas (conector, nombre)
    SELECT 'woo', 'Tu tienda' WHERE EXISTS (SELECT FROM tienda_pedidos) OR EXISTS (SELECT FROM tienda_productos)`,
  // WooCommerce numbers its orders; anything else came in the plain form.
  `INSERT INTO tiendas (conector, nombre) SELECT 'plano', 'Otra tienda' WHERE EXISTS (SELECT FROM tienda_pedidos WHERE externo_id !~ '^[0-9]+$')`,
  `ALTER TABLE tienda_pedidos
    ADD COLUMN tienda_id uuid REFERENCES tiendas,
    -- Meaning of the shop's state in the last message.
    ADD COLUMN situacion text,
    -- The same as of the last message that was processed.
    ADD COLUMN leida text,
    -- Money that the shop took and gave back, as booked here, in cents.
    ADD COLUMN pagado_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN devuelto_cents bigint NOT NULL DEFAULT 0,
    -- Parts that differ from what was last agreed to.
    ADD COLUMN cambios text[] NOT NULL DEFAULT '{}',
    -- Encrypted: what a person corrected of a waiting order.
    ADD COLUMN correcciones text`,
  `UPDATE tienda_pedidos t SET tienda_id = (SELECT s.id FROM tiendas s
    WHERE s.conector = CASE WHEN t.externo_id ~ '^[0-9]+$' THEN 'woo' ELSE 'plano' END)`,
  // The first payment of a web order is the shop's; its mark tells it from what the office noted.
  `UPDATE pagos g SET externo_id = 'tienda:' || t.id || ':0' FROM tienda_pedidos t JOIN pedidos p ON p.id = t.pedido_id
    WHERE g.pedido_id = p.id AND g.externo_id IS NULL AND g.importe_cents = p.precio_total_cents AND g.devolucion_id IS NULL
      AND g.created_at < p.created_at + interval '1 minute'`,
  // Whatever was paid so far is not booked again, and the next message is what later ones are compared with.
  `UPDATE tienda_pedidos t SET marcas = NULL, pagado_cents = coalesce((SELECT sum(importe_cents) FROM pagos
      WHERE pedido_id = t.pedido_id AND estado <> 'iniciado'), 0) WHERE pedido_id IS NOT NULL`,
  `ALTER TABLE tienda_pedidos ALTER COLUMN tienda_id SET NOT NULL, DROP CONSTRAINT tienda_pedidos_externo_id_key,
    ADD CONSTRAINT tienda_pedidos_fuente UNIQUE (tienda_id, externo_id)`,
  `ALTER TABLE tienda_productos DROP CONSTRAINT tienda_productos_pkey,
    ADD COLUMN id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- Null for an answer that holds for every shop.
    ADD COLUMN tienda_id uuid REFERENCES tiendas ON DELETE CASCADE,
    ADD COLUMN nombre text,
    -- Gift cards, donations and the like: a line of text with its price, without goods.
    ADD COLUMN sin_mercancia boolean NOT NULL DEFAULT false,
    ALTER COLUMN pack_id DROP NOT NULL,
    ADD CONSTRAINT tienda_productos_clave UNIQUE NULLS NOT DISTINCT (tienda_id, clave)`,
  `UPDATE tienda_productos SET tienda_id = (SELECT id FROM tiendas WHERE conector = 'woo')`,
  `CREATE TABLE tienda_formas (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tienda_id uuid NOT NULL REFERENCES tiendas ON DELETE CASCADE,
    clave text NOT NULL,
    titulo text NOT NULL,
    trato text NOT NULL CHECK (trato IN ('pagado', 'reembolso', 'espera')),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tienda_id, clave)
  )`,
  `CREATE TABLE tienda_mensajes (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tienda_id uuid REFERENCES tiendas ON DELETE CASCADE,
    tema text,
    externo_id text,
    resultado text NOT NULL CHECK (resultado IN ('recibido', 'anterior', 'ilegible')),
    motivo text,
    -- Encrypted, of unreadable messages only.
    contenido text,
    visto_at timestamptz,
    recibido_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX tienda_mensajes_recibidos ON tienda_mensajes (recibido_at)',
  "CREATE INDEX tienda_mensajes_ilegibles ON tienda_mensajes (recibido_at, id) WHERE resultado = 'ilegible' AND visto_at IS NULL",
  // Notices no longer name a wrong NIF.
  `UPDATE tienda_pedidos SET aviso = regexp_replace(aviso, 'no es válido: [^.]+', 'no es válido') WHERE aviso LIKE '%no es válido: %'`,
  `UPDATE notifications SET texto = regexp_replace(texto, 'no es válido: [^.]+', 'no es válido')
    WHERE tipo = 'tienda_por_revisar' AND texto LIKE '%no es válido: %'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
