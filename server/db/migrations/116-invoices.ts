import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // What the invoicing program makes one invoice of: a sale, or a correction with a series of its own (RD 1619/2012, art. 6.1.a and 15).
  `CREATE TABLE facturables_documentos (
    documento text PRIMARY KEY,
    serie text NOT NULL,
    numero int NOT NULL CHECK (numero > 0),
    pedido_id uuid NOT NULL,
    motivo text NOT NULL CHECK (motivo IN ('venta', 'devolucion', 'correccion')),
    -- The sale that a correction corrects.
    corrige text REFERENCES facturables_documentos,
    fecha date NOT NULL,
    numero_orden text NOT NULL,
    cliente text NOT NULL,
    nif text,
    direccion text,
    codigo_postal text,
    ciudad text,
    provincia text,
    pais text,
    regimen text,
    -- Until the first export these come from the order; then they stay.
    metodo_pago text,
    cobrado_cents bigint,
    cobrado date,
    exportado_at timestamptz,
    exportado_por text,
    UNIQUE (serie, numero),
    CHECK ((motivo = 'venta') = (corrige IS NULL)),
    CHECK ((exportado_at IS NULL) = (exportado_por IS NULL))
  )`,
  'CREATE INDEX facturables_documentos_pedido ON facturables_documentos (pedido_id)',
  'ALTER TABLE facturables ADD COLUMN documento text REFERENCES facturables_documentos',
  'ALTER TABLE facturables DISABLE TRIGGER facturables_fijos',
  // Rows of before: those written together are one document. The first of an order is its sale.
  `CREATE TEMP TABLE documentos ON COMMIT DROP AS
    SELECT d.*, row_number() OVER (PARTITION BY serie ORDER BY seq) AS numero FROM (
      SELECT pedido_id, created_at, min(seq) AS seq, CASE WHEN row_number() OVER w = 1 THEN 'venta' ELSE (array_agg(motivo ORDER BY seq))[1] END AS motivo,
        CASE WHEN row_number() OVER w = 1 THEN 'V' ELSE 'R' END || to_char(min(fecha), 'YY') AS serie,
        min(fecha) AS fecha, min(numero_orden) AS numero_orden, min(cliente) AS cliente, min(nif) AS nif, min(metodo_pago) AS metodo_pago,
        max(tomada_at) AS tomada_at, max(tomada_por) AS tomada_por
      FROM facturables GROUP BY pedido_id, created_at WINDOW w AS (PARTITION BY pedido_id ORDER BY min(seq))) d`,
  "UPDATE documentos SET motivo = 'correccion' WHERE motivo = 'venta' AND serie LIKE 'R%'",
  // What is marked as invoiced has left the house.
  `INSERT INTO facturables_documentos (documento, serie, numero, pedido_id, motivo, corrige, fecha, numero_orden, cliente, nif, metodo_pago,
      direccion, codigo_postal, ciudad, provincia, pais, regimen, exportado_at, exportado_por)
    SELECT d.serie || '-' || lpad(d.numero::text, 6, '0'), d.serie, d.numero, d.pedido_id, d.motivo,
      CASE WHEN d.motivo <> 'venta' THEN (SELECT s.serie || '-' || lpad(s.numero::text, 6, '0') FROM documentos s
        WHERE s.pedido_id = d.pedido_id AND s.motivo = 'venta') END,
      d.fecha, d.numero_orden, d.cliente, d.nif, d.metodo_pago,
      p.cliente_direccion, p.cliente_codigo_postal, p.cliente_ciudad, p.cliente_provincia, p.cliente_pais, p.iva_regimen,
      d.tomada_at, d.tomada_por
    FROM documentos d LEFT JOIN pedidos p ON p.id = d.pedido_id ORDER BY d.motivo <> 'venta', d.seq`,
  `UPDATE facturables f SET documento = d.serie || '-' || lpad(d.numero::text, 6, '0') FROM documentos d
    WHERE d.pedido_id = f.pedido_id AND d.created_at = f.created_at`,
  'ALTER TABLE facturables ALTER COLUMN documento SET NOT NULL',
  'CREATE INDEX facturables_documento ON facturables (documento)',
  'ALTER TABLE facturables ENABLE TRIGGER facturables_fijos',
  // Marking can be taken back until the document was exported.
  `CREATE OR REPLACE FUNCTION facturables_fijos() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (OLD.tomada_at IS NOT NULL) = (NEW.tomada_at IS NOT NULL)
        OR (to_jsonb(NEW) - 'tomada_at' - 'tomada_por') <> (to_jsonb(OLD) - 'tomada_at' - 'tomada_por') THEN
        RAISE EXCEPTION 'a row that ought to be invoiced only becomes taken';
      END IF;
      IF NEW.tomada_at IS NULL AND EXISTS (SELECT FROM facturables_documentos WHERE documento = NEW.documento AND exportado_at IS NOT NULL) THEN
        RAISE EXCEPTION 'a row that was exported stays taken';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE FUNCTION facturables_documentos_fijos() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE libres text[] := '{nif,metodo_pago,cobrado_cents,cobrado,exportado_at,exportado_por}';
    BEGIN
      IF OLD.exportado_at IS NOT NULL OR (to_jsonb(NEW) - libres) <> (to_jsonb(OLD) - libres) THEN
        RAISE EXCEPTION 'a document that was exported does not change';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER facturables_documentos_fijos BEFORE UPDATE ON facturables_documentos
    FOR EACH ROW EXECUTE FUNCTION facturables_documentos_fijos()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
