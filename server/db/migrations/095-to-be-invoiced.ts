import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Rows add up to the order's present state. Rows outlive their order, and change only by being taken.
  `CREATE TABLE facturables (
    -- Given under a lock, in the order of the commits: a program that reads by it misses none.
    seq bigint PRIMARY KEY,
    pedido_id uuid NOT NULL,
    numero_orden text NOT NULL,
    tipo text NOT NULL CHECK (tipo IN ('21', '10', '4', '0', 'exento', 'no_sujeto', 'sin_tipo')),
    motivo text NOT NULL CHECK (motivo IN ('venta', 'devolucion', 'correccion')),
    fecha date NOT NULL,
    cliente text NOT NULL,
    nif text,
    metodo_pago text,
    base_cents bigint NOT NULL,
    cuota_cents bigint NOT NULL,
    total_cents bigint NOT NULL,
    -- Quantity that had come back, to tell a return from another change.
    devueltos int NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tomada_at timestamptz,
    tomada_por text,
    CHECK (base_cents + cuota_cents = total_cents),
    CHECK ((tomada_at IS NULL) = (tomada_por IS NULL))
  )`,
  'CREATE INDEX facturables_pedido ON facturables (pedido_id, seq)',
  'CREATE INDEX facturables_fecha ON facturables (fecha, seq)',
  'CREATE INDEX facturables_por_tomar ON facturables (seq) WHERE tomada_at IS NULL',
  `CREATE FUNCTION facturables_fijos() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.tomada_at IS NOT NULL OR NEW.tomada_at IS NULL
        OR (to_jsonb(NEW) - 'tomada_at' - 'tomada_por') <> (to_jsonb(OLD) - 'tomada_at' - 'tomada_por') THEN
        RAISE EXCEPTION 'a row that ought to be invoiced only becomes taken';
      END IF;
      RETURN NEW;
    END $$`,
  'CREATE TRIGGER facturables_fijos BEFORE UPDATE ON facturables FOR EACH ROW EXECUTE FUNCTION facturables_fijos()',
  // Position in the log of changes, with its database and the first day.
  `CREATE TABLE facturables_seguimiento (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    marca text NOT NULL,
    desde date NOT NULL,
    xid text NOT NULL,
    pedido_id uuid NOT NULL
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
