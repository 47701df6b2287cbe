import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'ALTER TABLE pedidos ADD COLUMN vecino_at timestamptz',
  `CREATE TABLE entregas (
    pedido_id uuid PRIMARY KEY REFERENCES pedidos,
    forma_entrega text CHECK (forma_entrega IN ('en_mano', 'otra_persona', 'lugar_seguro', 'empresa')),
    receptor_nombre text,
    receptor_relacion text CHECK (receptor_relacion IN ('familiar', 'companero', 'portero', 'vecino', 'otro')),
    pin_correcto boolean,
    pin_fallos int NOT NULL DEFAULT 0,
    -- Files that the carrier's phone has yet to send: [{ tipo, sha256 }].
    anunciadas jsonb NOT NULL DEFAULT '[]',
    entregada_at timestamptz
  )`,
  `CREATE TABLE pruebas (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- Place in the chain, given by the trigger with both seals.
    n bigint NOT NULL DEFAULT 0 UNIQUE,
    pedido_id uuid NOT NULL REFERENCES pedidos,
    tipo text NOT NULL CHECK (tipo IN ('firma', 'foto')),
    sha256 text NOT NULL,
    bytes int NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Seal of the previous row, and the seal over it and this row.
    anterior text NOT NULL DEFAULT '',
    sello text NOT NULL DEFAULT '',
    -- Name of the file; null once deleted.
    fichero text,
    -- No longer shown, since its file is to be deleted.
    retirada_at timestamptz,
    comprobada_at timestamptz,
    problema text CHECK (problema IN ('falta', 'cambiado', 'ilegible')),
    UNIQUE (pedido_id, sha256)
  )`,
  'CREATE INDEX pruebas_withdrawn ON pruebas (retirada_at) WHERE retirada_at IS NOT NULL AND fichero IS NOT NULL',
  `CREATE FUNCTION sello_prueba(anterior text, p pruebas) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(concat_ws('|', anterior, p.id, p.pedido_id, p.tipo, p.sha256, p.bytes,
      to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')), 'UTF8')), 'hex')
  $$`,
  // Two inserts at the same time would follow the same row.
  `CREATE FUNCTION sellar_prueba() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A restored row keeps its seal.
      IF NEW.sello = '' THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('pruebas', 0));
        NEW.n := coalesce((SELECT max(n) FROM pruebas), 0) + 1;
        NEW.anterior := coalesce((SELECT sello FROM pruebas WHERE n = NEW.n - 1), '');
        NEW.sello := sello_prueba(NEW.anterior, NEW);
      END IF;
      RETURN NEW;
    END $$`,
  'CREATE TRIGGER sellar_prueba BEFORE INSERT ON pruebas FOR EACH ROW EXECUTE FUNCTION sellar_prueba()',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
