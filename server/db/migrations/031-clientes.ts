import { type Kysely, sql } from 'kysely';

const LATEST = ['nombre', 'telefono', 'codigo_postal', 'ciudad'];
const given = (row: string) => LATEST.map((name) => `${row}.cliente_${name}`).join(', ');
/** Updates the customer `c` unless its latest order is newer; `at` is null for a deleted order. */
const unlessOlder = (at: string, said: Record<string, string>) =>
  Object.entries(said)
    .map(([name, value]) => `${name} = CASE WHEN ${at} >= coalesce(c.ultimo_pedido, '-infinity') THEN ${value} ELSE c.${name} END`)
    .join(', ');
const saidIn = (row: string, prefix: string, columns = LATEST) =>
  Object.fromEntries(columns.map((name) => [name, `${row}.${prefix}${name}`]));

const COUNTED = "p.deleted_at IS NULL AND p.estado <> 'cancelado'";
const keyOf = (row: string) => `clave_cliente(${row}.cliente_nombre, ${row}.cliente_telefono, ${row}.cliente_codigo_postal)`;
const textOf = (row: string) => `texto_cliente(${row}.cliente_nombre, ${row}.cliente_telefono)`;
const WHO = ['cliente_nombre', 'cliente_telefono', 'cliente_codigo_postal', 'revendedor_id'];
const changed = (columns: string[]) =>
  `(${columns.map((name) => `OLD.${name}`).join(', ')}) IS DISTINCT FROM (${columns.map((name) => `NEW.${name}`).join(', ')})`;

const STATEMENTS = [
  `CREATE TABLE clientes (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- Whose customer it is: the same person is another customer of another reseller, or of the house.
    revendedor_id uuid REFERENCES users,
    clave text NOT NULL,
    -- Deferred: a backup may bring the other one later.
    unido_a uuid REFERENCES clientes DEFERRABLE INITIALLY DEFERRED,
    principal uuid NOT NULL GENERATED ALWAYS AS (coalesce(unido_a, id)) STORED,
    nombre text NOT NULL,
    telefono text,
    codigo_postal text,
    ciudad text,
    busqueda text NOT NULL,
    -- Orders neither deleted nor cancelled; of one to whom others are joined, theirs too.
    pedidos int NOT NULL DEFAULT 0,
    total_cents bigint NOT NULL DEFAULT 0,
    -- Null when every order is deleted.
    ultimo_pedido timestamptz,
    nota text CHECK (char_length(nota) BETWEEN 1 AND 1000),
    avisar_antes boolean NOT NULL DEFAULT false,
    bloqueado_motivo text CHECK (char_length(bloqueado_motivo) BETWEEN 1 AND 300),
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT (revendedor_id, clave),
    CHECK (unido_a <> id)
  )`,
  'ALTER TABLE pedidos ADD COLUMN cliente_id uuid REFERENCES clientes',

  // Telephone in any spelling; else name and postcode. Null for anonymised and blocked orders.
  `CREATE FUNCTION clave_cliente(nombre text, telefono text, codigo_postal text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
      WHEN btrim(coalesce(nombre, '')) IN ('', 'Cliente anonimizado', 'Cliente bloqueado') THEN NULL
      WHEN length(t.cifras) >= 9 THEN 't:' || t.cifras
      ELSE 'n:' || normaliza(regexp_replace(btrim(nombre), '\\s+', ' ', 'g')) || '|' || coalesce(btrim(codigo_postal), '') END
    FROM (SELECT regexp_replace(regexp_replace(coalesce(telefono, ''), '[^0-9]', '', 'g'), '^(00)?(34(?=[0-9]{9}$))?', '') AS cifras) t $$`,
  `CREATE FUNCTION texto_cliente(nombre text, telefono text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT normaliza(' ' || nombre || ' ' || coalesce(telefono, '') || ' ' || regexp_replace(coalesce(telefono, ''), '[^0-9]', '', 'g')) $$`,

  // Rebuilds all customers after loading orders without triggers.
  `CREATE FUNCTION rehacer_clientes() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      ALTER TABLE pedidos DISABLE TRIGGER USER;
      INSERT INTO clientes (revendedor_id, clave, ${LATEST.join(', ')}, busqueda, pedidos, total_cents, ultimo_pedido)
        SELECT DISTINCT ON (p.revendedor_id, p.clave) p.revendedor_id, p.clave, ${given('p')}, ${textOf('p')},
          count(*) FILTER (WHERE ${COUNTED}) OVER cliente,
          coalesce(sum(p.precio_total_cents) FILTER (WHERE ${COUNTED}) OVER cliente, 0),
          max(p.fecha_pedido) FILTER (WHERE p.deleted_at IS NULL) OVER cliente
        FROM (SELECT *, ${keyOf('o')} AS clave FROM pedidos o WHERE cliente_id IS NULL) p
        WHERE p.clave IS NOT NULL
        WINDOW cliente AS (PARTITION BY p.revendedor_id, p.clave)
        ORDER BY p.revendedor_id, p.clave, p.deleted_at IS NULL DESC, p.fecha_pedido DESC, p.id DESC;
      -- By the key first: IS NOT DISTINCT FROM cannot be looked up.
      UPDATE pedidos p SET cliente_id = c.id FROM clientes c
        WHERE c.clave = ${keyOf('p')} AND c.revendedor_id IS NOT DISTINCT FROM p.revendedor_id AND p.cliente_id IS NULL;
      ALTER TABLE pedidos ENABLE TRIGGER USER;
    END $$`,
  'SELECT rehacer_clientes()',
  // Deferred constraints would block the indexes.
  'SET CONSTRAINTS ALL IMMEDIATE',

  'CREATE INDEX pedidos_cliente_id ON pedidos (cliente_id, fecha_pedido DESC)',
  'CREATE INDEX clientes_principal ON clientes (principal)',
  'CREATE INDEX clientes_recientes ON clientes (ultimo_pedido DESC, id DESC) WHERE unido_a IS NULL AND ultimo_pedido IS NOT NULL',
  'CREATE INDEX clientes_revendedor ON clientes (revendedor_id, ultimo_pedido DESC, id DESC) WHERE unido_a IS NULL AND ultimo_pedido IS NOT NULL',
  'CREATE INDEX clientes_bloqueados ON clientes (principal) WHERE bloqueado_motivo IS NOT NULL',
  'CREATE INDEX clientes_avisar ON clientes (principal) WHERE avisar_antes',
  'CREATE INDEX clientes_busqueda ON clientes USING gin (busqueda gin_trgm_ops)',

  // Finds or creates the order's customer; counts a new order in the same statement.
  `CREATE FUNCTION pedidos_cliente_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      la_clave text := ${keyOf('NEW')};
      cuenta boolean := TG_OP = 'INSERT' AND NEW.deleted_at IS NULL AND NEW.estado <> 'cancelado';
      cents bigint := CASE WHEN cuenta THEN NEW.precio_total_cents ELSE 0 END;
      momento timestamptz := CASE WHEN TG_OP = 'INSERT' AND NEW.deleted_at IS NULL THEN NEW.fecha_pedido END;
      otro uuid;
    BEGIN
      NEW.cliente_id := NULL;
      IF la_clave IS NULL THEN RETURN NEW; END IF;
      IF TG_OP = 'UPDATE' THEN
        -- In the order of their ids, as they are counted afterwards: two at once do not wait for each other for ever.
        PERFORM 1 FROM clientes c WHERE c.id IN (
          SELECT unnest(ARRAY[k.id, k.principal]) FROM clientes k
          WHERE k.id = OLD.cliente_id OR (k.clave = la_clave AND k.revendedor_id IS NOT DISTINCT FROM NEW.revendedor_id))
          ORDER BY c.id FOR UPDATE;
      END IF;
      -- Who corrects the telephone of their only order stays the same customer.
      IF TG_OP = 'UPDATE' AND OLD.revendedor_id IS NOT DISTINCT FROM NEW.revendedor_id THEN
        BEGIN
          UPDATE clientes c SET clave = la_clave WHERE c.id = OLD.cliente_id
            AND NOT EXISTS (SELECT 1 FROM pedidos p WHERE p.cliente_id = OLD.cliente_id AND p.id <> NEW.id)
            AND NOT EXISTS (SELECT 1 FROM clientes o WHERE o.clave = la_clave AND o.revendedor_id IS NOT DISTINCT FROM NEW.revendedor_id)
            RETURNING c.id INTO NEW.cliente_id;
        EXCEPTION WHEN unique_violation THEN NEW.cliente_id := NULL;
        END;
        IF NEW.cliente_id IS NOT NULL THEN RETURN NEW; END IF;
      END IF;
      INSERT INTO clientes AS c (revendedor_id, clave, ${LATEST.join(', ')}, busqueda, pedidos, total_cents, ultimo_pedido)
        VALUES (NEW.revendedor_id, la_clave, ${given('NEW')}, ${textOf('NEW')}, cuenta::int, cents, momento)
        ON CONFLICT (revendedor_id, clave) DO UPDATE SET
          ${unlessOlder('excluded.ultimo_pedido', saidIn('excluded', '', [...LATEST, 'busqueda']))},
          pedidos = c.pedidos + excluded.pedidos,
          total_cents = c.total_cents + excluded.total_cents,
          ultimo_pedido = greatest(c.ultimo_pedido, excluded.ultimo_pedido)
        RETURNING c.id, c.unido_a INTO NEW.cliente_id, otro;
      IF otro IS NOT NULL AND momento IS NOT NULL THEN
        UPDATE clientes c SET ${unlessOlder('momento', saidIn('NEW', 'cliente_'))},
          pedidos = c.pedidos + cuenta::int, total_cents = c.total_cents + cents, ultimo_pedido = greatest(c.ultimo_pedido, momento)
          WHERE c.id = otro;
      END IF;
      RETURN NEW;
    END $$`,
  'CREATE TRIGGER pedidos_cliente_insert BEFORE INSERT ON pedidos FOR EACH ROW EXECUTE FUNCTION pedidos_cliente_trigger()',
  `CREATE TRIGGER pedidos_cliente_update BEFORE UPDATE OF ${WHO.join(', ')} ON pedidos FOR EACH ROW
    WHEN (${changed(WHO)}) EXECUTE FUNCTION pedidos_cliente_trigger()`,

  `CREATE FUNCTION contar_clientes(cuales uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE todos uuid[] := cuales || ARRAY(SELECT principal FROM clientes WHERE id = ANY (cuales));
    BEGIN
      -- Locked before they are counted: whoever changed an order meanwhile is seen, or counts after us.
      PERFORM 1 FROM clientes WHERE id = ANY (todos) ORDER BY id FOR NO KEY UPDATE;
      UPDATE clientes c SET pedidos = n.pedidos, total_cents = n.total_cents, ultimo_pedido = n.ultimo_pedido,
          ${LATEST.map((name) => `${name} = CASE WHEN u.id IS NULL THEN c.${name} ELSE u.cliente_${name} END`).join(', ')},
          busqueda = coalesce(${textOf('s')}, c.busqueda)
        FROM clientes g
        CROSS JOIN LATERAL (
          SELECT ARRAY(SELECT id FROM clientes WHERE id = g.id OR principal = g.id) AS ids) f
        CROSS JOIN LATERAL (
          SELECT count(*) FILTER (WHERE ${COUNTED}) AS pedidos,
            coalesce(sum(p.precio_total_cents) FILTER (WHERE ${COUNTED}), 0) AS total_cents,
            max(p.fecha_pedido) FILTER (WHERE p.deleted_at IS NULL) AS ultimo_pedido
          FROM pedidos p WHERE p.cliente_id = ANY (f.ids)) n
        LEFT JOIN LATERAL (
          SELECT * FROM pedidos p WHERE p.cliente_id = ANY (f.ids) ORDER BY p.deleted_at IS NULL DESC, p.fecha_pedido DESC, p.id DESC LIMIT 1) u ON true
        LEFT JOIN LATERAL (
          SELECT * FROM pedidos p WHERE p.cliente_id = g.id ORDER BY p.deleted_at IS NULL DESC, p.fecha_pedido DESC, p.id DESC LIMIT 1) s ON true
        WHERE g.id = ANY (todos) AND c.id = g.id;
    END $$`,
  `CREATE FUNCTION pedidos_contar_cliente_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM contar_clientes(array_remove(ARRAY[OLD.cliente_id, CASE WHEN TG_OP = 'UPDATE' THEN NEW.cliente_id END], NULL));
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER pedidos_contar_cliente AFTER UPDATE ON pedidos FOR EACH ROW
    WHEN (${changed([...LATEST.map((name) => `cliente_${name}`), 'cliente_id', 'fecha_pedido', 'precio_total_cents', 'deleted_at'])}
      OR (OLD.estado = 'cancelado') <> (NEW.estado = 'cancelado'))
    EXECUTE FUNCTION pedidos_contar_cliente_trigger()`,
  'CREATE TRIGGER pedidos_contar_cliente_delete AFTER DELETE ON pedidos FOR EACH ROW EXECUTE FUNCTION pedidos_contar_cliente_trigger()',
];

/** A row is one customer of one seller; a joined row keeps its orders and points to another, so that separating loses nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
