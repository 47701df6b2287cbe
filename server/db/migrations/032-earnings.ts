import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Hundredths of a per cent of the products, or cents per pack.
  `CREATE TABLE margenes (
    user_id uuid PRIMARY KEY REFERENCES users,
    tipo text NOT NULL CHECK (tipo IN ('porcentaje', 'pack')),
    valor int NOT NULL CHECK (valor >= 0 AND (tipo = 'pack' OR valor <= 10000))
  )`,
  // Per zone (contract/zonas/zonas.ts); null: as on the peninsula.
  `CREATE TABLE tarifas (
    user_id uuid NOT NULL REFERENCES users,
    zona text NOT NULL,
    entrega_cents int CHECK (entrega_cents >= 0),
    intento_cents int CHECK (intento_cents >= 0),
    PRIMARY KEY (user_id, zona)
  )`,
  `CREATE TABLE liquidaciones (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    numero text NOT NULL UNIQUE,
    user_id uuid NOT NULL REFERENCES users,
    persona_nombre text NOT NULL,
    role text NOT NULL,
    mes date NOT NULL CHECK (extract(day FROM mes) = 1),
    total_cents bigint NOT NULL,
    num_lineas int NOT NULL CHECK (num_lineas > 0),
    cerrada_por uuid REFERENCES users,
    cerrada_por_nombre text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    pagada_el date,
    pago_referencia text,
    version int NOT NULL DEFAULT 1,
    UNIQUE (user_id, mes),
    CHECK ((pagada_el IS NULL) = (pago_referencia IS NULL))
  )`,
  'CREATE INDEX liquidaciones_mes ON liquidaciones (mes DESC, numero DESC)',
  'CREATE TABLE liquidaciones_numeros (anio int PRIMARY KEY, ultimo int NOT NULL)',
  // Ledger; copies the data of the order that a statement shows.
  `CREATE TABLE ganancias (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users,
    pedido_id uuid REFERENCES pedidos,
    numero_orden text,
    ciudad text,
    zona text,
    concepto text NOT NULL CHECK (concepto IN ('margen', 'entrega', 'intento', 'devolucion', 'correccion', 'ajuste')),
    cents bigint NOT NULL,
    -- How a margin was reckoned.
    detalle text,
    nota text,
    dia date NOT NULL DEFAULT dia_negocio(now()),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    liquidacion_id uuid REFERENCES liquidaciones,
    CHECK ((pedido_id IS NULL) = (concepto = 'ajuste')),
    CHECK (concepto <> 'ajuste' OR nota IS NOT NULL)
  )`,
  'CREATE INDEX ganancias_abiertas ON ganancias (user_id, dia) INCLUDE (cents) WHERE liquidacion_id IS NULL',
  'CREATE INDEX ganancias_liquidacion ON ganancias (liquidacion_id, dia, id) WHERE liquidacion_id IS NOT NULL',
  'CREATE INDEX ganancias_pedido ON ganancias (pedido_id) WHERE pedido_id IS NOT NULL',

  `CREATE FUNCTION ganancias_solo_crecen() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND OLD.liquidacion_id IS NULL AND NEW.liquidacion_id IS NOT NULL
        AND to_jsonb(NEW) - 'liquidacion_id' = to_jsonb(OLD) - 'liquidacion_id' THEN RETURN NEW; END IF;
      -- Where somebody lives is blocked and forgotten with the order's other personal data; what was earned there is not.
      IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'ciudad' = to_jsonb(OLD) - 'ciudad' THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'ganancias is append-only';
    END $$`,
  'CREATE TRIGGER ganancias_solo_crecen BEFORE UPDATE OR DELETE ON ganancias FOR EACH ROW EXECUTE FUNCTION ganancias_solo_crecen()',
  'CREATE TRIGGER ganancias_no_se_vacian BEFORE TRUNCATE ON ganancias FOR EACH STATEMENT EXECUTE FUNCTION ganancias_solo_crecen()',
  // Only the payment of a statement may change.
  `CREATE FUNCTION liquidaciones_cerradas() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - '{pagada_el,pago_referencia,version}'::text[]
        = to_jsonb(OLD) - '{pagada_el,pago_referencia,version}'::text[] THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'a statement does not change';
    END $$`,
  'CREATE TRIGGER liquidaciones_cerradas BEFORE UPDATE OR DELETE ON liquidaciones FOR EACH ROW EXECUTE FUNCTION liquidaciones_cerradas()',
  'CREATE TRIGGER liquidaciones_no_se_vacian BEFORE TRUNCATE ON liquidaciones FOR EACH STATEMENT EXECUTE FUNCTION liquidaciones_cerradas()',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
