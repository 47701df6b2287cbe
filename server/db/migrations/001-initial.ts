import { type Kysely, sql } from 'kysely';

/** Amounts in cents, instants in UTC; every numeric CHECK has both bounds. Derived columns and totals cannot drift. */
const STATEMENTS = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',

  `CREATE TABLE settings (
    id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    data jsonb NOT NULL DEFAULT '{}',
    version int NOT NULL DEFAULT 1
  )`,
  'INSERT INTO settings DEFAULT VALUES',

  `CREATE TABLE users (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    full_name text NOT NULL CHECK (length(full_name) BETWEEN 2 AND 120),
    email text NOT NULL CHECK (email = lower(email)),
    username text CHECK (username = lower(username)),
    password_hash text NOT NULL,
    role text NOT NULL CHECK (role IN ('superadmin', 'revendedor', 'transportista')),
    is_active boolean NOT NULL DEFAULT true,
    password_changed_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz
  )`,
  // The address of a deleted person may be reused.
  'CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted_at IS NULL',
  'CREATE UNIQUE INDEX users_username ON users (username) WHERE deleted_at IS NULL',
  'CREATE INDEX users_role ON users (role, full_name) WHERE deleted_at IS NULL',

  `CREATE TABLE sessions (
    token_hash text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    ip text,
    user_agent text,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX sessions_user ON sessions (user_id)',

  `CREATE TABLE login_attempts (
    key text PRIMARY KEY,
    failures int NOT NULL,
    blocked_until timestamptz,
    last_at timestamptz NOT NULL DEFAULT now()
  )`,

  `CREATE TABLE one_time_tokens (
    purpose text PRIMARY KEY,
    token_hash text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,

  `CREATE TABLE audit_logs (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    type text NOT NULL,
    action text NOT NULL,
    entity_type text NOT NULL,
    entity_id text,
    description text NOT NULL,
    actor_user_id uuid,
    actor_role text NOT NULL,
    actor_nombre text NOT NULL,
    ip text,
    antes jsonb,
    despues jsonb,
    hidden_at timestamptz
  )`,
  'CREATE INDEX audit_logs_recent ON audit_logs (created_at DESC, id DESC) WHERE hidden_at IS NULL',

  `CREATE TABLE products (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    description text,
    stock int NOT NULL DEFAULT 0 CHECK (stock BETWEEN 0 AND 2000000000),
    min_stock int NOT NULL DEFAULT 0 CHECK (min_stock BETWEEN 0 AND 1000000),
    is_active boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,

  `CREATE TABLE product_packs (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    product_id uuid NOT NULL REFERENCES products,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    alias text NOT NULL CHECK (length(alias) BETWEEN 1 AND 60),
    pack_quantity int NOT NULL CHECK (pack_quantity BETWEEN 1 AND 100000),
    pack_price_cents bigint NOT NULL CHECK (pack_price_cents BETWEEN 0 AND 100000000),
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX product_packs_product ON product_packs (product_id)',

  // Business day of an instant, in the time zone of the settings.
  `CREATE FUNCTION dia_negocio(t timestamptz) RETURNS date LANGUAGE sql STABLE AS
    $$ SELECT (t AT TIME ZONE coalesce((SELECT data ->> 'timezone' FROM settings), 'Europe/Madrid'))::date $$`,
  // Lower case without accents, for both sides of every text search.
  `CREATE FUNCTION normaliza(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    $$ SELECT translate(lower(t), 'áàäâãéèëêíìïîóòöôõúùüûñçÁÀÄÂÃÉÈËÊÍÌÏÎÓÒÖÔÕÚÙÜÛÑÇ', 'aaaaaeeeeiiiiooooouuuuncaaaaaeeeeiiiiooooouuuunc') $$`,

  // PostgreSQL reads columns from the left, so those that lists need come first.
  `CREATE TABLE pedidos (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    fecha_pedido timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    estado text NOT NULL CHECK (estado IN ('pendiente_pago', 'pendiente', 'asignado', 'en_proceso', 'en_ruta', 'completado', 'cancelado')),
    revendedor_id uuid REFERENCES users,
    transportista_id uuid REFERENCES users,
    empresa_transporte text NOT NULL DEFAULT 'manual',
    busqueda text GENERATED ALWAYS AS (normaliza(
      ' ' || numero_orden || ' ' || cliente_nombre || ' ' || cliente_direccion || ' ' || coalesce(cliente_direccion2, '') || ' ' ||
      coalesce(cliente_ciudad, '') || ' ' || coalesce(cliente_provincia, '') || ' ' || coalesce(cliente_codigo_postal, '') || ' ' ||
      coalesce(cliente_telefono, '') || ' ' || regexp_replace(coalesce(cliente_telefono, ''), '[^0-9]', '', 'g') || ' ' ||
      coalesce(revendedor_nombre, '') || ' ' || producto || ' ' || coalesce(numero_seguimiento, ''))) STORED,
    numero_orden text NOT NULL UNIQUE,
    revendedor_nombre text,
    transportista_nombre text,
    cliente_nombre text NOT NULL,
    cliente_direccion text NOT NULL,
    cliente_direccion2 text,
    cliente_ciudad text,
    cliente_provincia text,
    cliente_codigo_postal text,
    cliente_pais text,
    cliente_telefono text,
    instrucciones text,
    product_id uuid REFERENCES products,
    pack_id uuid REFERENCES product_packs,
    producto text NOT NULL,
    cantidad int NOT NULL CHECK (cantidad BETWEEN 1 AND 9999),
    precio_unitario_cents bigint NOT NULL CHECK (precio_unitario_cents BETWEEN 0 AND 100000000),
    precio_total_cents bigint NOT NULL CHECK (precio_total_cents BETWEEN 0 AND 1000000000000),
    -- What the order holds of its product's stock; 0 once it went back, or when it never took any.
    unidades_retenidas int NOT NULL DEFAULT 0 CHECK (unidades_retenidas BETWEEN 0 AND 1000000000),
    fecha_estimada timestamptz,
    fecha_completado timestamptz,
    fecha_pago timestamptz,
    metodo_entrega text CHECK (metodo_entrega IN ('correos', 'mrw', 'fedex', 'manual', 'otro')),
    numero_seguimiento text,
    motivo text,
    pago_token text UNIQUE,
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT en_manos_tiene_transportista CHECK (estado NOT IN ('asignado', 'en_proceso', 'en_ruta') OR transportista_id IS NOT NULL),
    CONSTRAINT abierto_sin_transportista CHECK (estado NOT IN ('pendiente', 'pendiente_pago') OR transportista_id IS NULL),
    CONSTRAINT completado_con_fecha CHECK ((estado = 'completado') = (fecha_completado IS NOT NULL)),
    CONSTRAINT completado_con_metodo CHECK (estado <> 'completado' OR metodo_entrega IS NOT NULL),
    CONSTRAINT cancelado_sin_unidades CHECK (estado <> 'cancelado' OR unidades_retenidas = 0)
  )`,
  'CREATE INDEX pedidos_fecha ON pedidos (fecha_pedido DESC, id DESC) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_estado ON pedidos (estado, fecha_pedido DESC, id DESC) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_revendedor ON pedidos (revendedor_id, fecha_pedido DESC, id DESC) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_transportista ON pedidos (transportista_id, fecha_pedido DESC, id DESC) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_completado ON pedidos (fecha_completado DESC, transportista_id) WHERE deleted_at IS NULL AND fecha_completado IS NOT NULL',
  'CREATE INDEX pedidos_busqueda ON pedidos USING gin (busqueda gin_trgm_ops)',

  'CREATE TABLE order_numbers (year int PRIMARY KEY, last int NOT NULL CHECK (last BETWEEN 0 AND 999999))',

  `CREATE TABLE pedidos_historial (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    pedido_id uuid NOT NULL REFERENCES pedidos,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor_user_id uuid,
    actor_role text NOT NULL,
    actor_nombre text NOT NULL,
    accion text NOT NULL,
    estado_anterior text,
    estado_nuevo text,
    nota text,
    cambios jsonb NOT NULL DEFAULT '{}'
  )`,
  'CREATE INDEX pedidos_historial_pedido ON pedidos_historial (pedido_id, created_at DESC, id DESC)',

  // A product's stock is always the sum of its movements.
  `CREATE TABLE stock_movements (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    product_id uuid NOT NULL REFERENCES products,
    unidades int NOT NULL CHECK (unidades <> 0 AND unidades BETWEEN -1000000000 AND 1000000000),
    motivo text NOT NULL,
    pedido_id uuid REFERENCES pedidos DEFERRABLE INITIALLY DEFERRED, -- the units leave before the order's row is written
    nota text,
    actor_user_id uuid,
    actor_nombre text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'CREATE INDEX stock_movements_product ON stock_movements (product_id, created_at DESC, id DESC)',
  'CREATE INDEX stock_movements_pedido ON stock_movements (pedido_id)',

  `CREATE TABLE pagos (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    pedido_id uuid NOT NULL REFERENCES pedidos,
    proveedor text NOT NULL,
    referencia text NOT NULL,
    importe_cents bigint NOT NULL CHECK (importe_cents BETWEEN 0 AND 1000000000000),
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX pagos_pedido ON pagos (pedido_id)',

  `CREATE TABLE idempotency_keys (
    actor_id uuid NOT NULL,
    key text NOT NULL,
    body_hash text NOT NULL,
    pedido_id uuid NOT NULL REFERENCES pedidos,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (actor_id, key)
  )`,
  'CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)',

  // Counts and amounts by day (0001-01-01: all time): overall, per reseller and per carrier.
  `CREATE TABLE pedidos_totales (
    ambito text NOT NULL CHECK (ambito IN ('todo', 'revendedor', 'transportista')),
    ambito_id uuid NOT NULL,
    dia date NOT NULL,
    estado text NOT NULL,
    pedidos bigint NOT NULL,
    total_cents bigint NOT NULL,
    PRIMARY KEY (ambito, ambito_id, dia, estado)
  )`,
  // Adds (+1) or removes (-1) an order's share of the totals; id zero: no reseller or carrier.
  `CREATE FUNCTION pedidos_totales_filas(p pedidos, signo int)
    RETURNS TABLE (ambito text, ambito_id uuid, dia date, estado text, pedidos bigint, total_cents bigint) LANGUAGE sql STABLE AS $$
    SELECT a.ambito, a.id, d.dia, p.estado, signo::bigint, signo * p.precio_total_cents
    FROM (VALUES ('todo', '00000000-0000-0000-0000-000000000000'::uuid),
                 ('revendedor', coalesce(p.revendedor_id, '00000000-0000-0000-0000-000000000000')),
                 ('transportista', coalesce(p.transportista_id, '00000000-0000-0000-0000-000000000000'))) AS a (ambito, id),
         (VALUES (dia_negocio(p.fecha_pedido)), ('0001-01-01'::date)) AS d (dia)
    WHERE p.deleted_at IS NULL $$`,
  // Updates rows in key order, so that concurrent changes cannot deadlock.
  `CREATE FUNCTION pedidos_totales_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE f record;
    BEGIN
      FOR f IN
        SELECT x.ambito, x.ambito_id, x.dia, x.estado, sum(x.pedidos)::bigint AS pedidos, sum(x.total_cents)::bigint AS total_cents
        FROM (SELECT * FROM pedidos_totales_filas(OLD, -1) WHERE TG_OP <> 'INSERT'
              UNION ALL SELECT * FROM pedidos_totales_filas(NEW, 1) WHERE TG_OP <> 'DELETE') x
        GROUP BY 1, 2, 3, 4 HAVING sum(x.pedidos) <> 0 OR sum(x.total_cents) <> 0 ORDER BY 1, 2, 3, 4
      LOOP
        INSERT INTO pedidos_totales AS t VALUES (f.ambito, f.ambito_id, f.dia, f.estado, f.pedidos, f.total_cents)
        ON CONFLICT (ambito, ambito_id, dia, estado)
        DO UPDATE SET pedidos = t.pedidos + excluded.pedidos, total_cents = t.total_cents + excluded.total_cents;
      END LOOP;
      RETURN NULL;
    END $$`,
  'CREATE TRIGGER pedidos_totales_insert AFTER INSERT OR DELETE ON pedidos FOR EACH ROW EXECUTE FUNCTION pedidos_totales_trigger()',
  `CREATE TRIGGER pedidos_totales_update AFTER UPDATE ON pedidos FOR EACH ROW
    WHEN ((OLD.estado, OLD.revendedor_id, OLD.transportista_id, OLD.fecha_pedido, OLD.precio_total_cents, OLD.deleted_at)
      IS DISTINCT FROM (NEW.estado, NEW.revendedor_id, NEW.transportista_id, NEW.fecha_pedido, NEW.precio_total_cents, NEW.deleted_at))
    EXECUTE FUNCTION pedidos_totales_trigger()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
