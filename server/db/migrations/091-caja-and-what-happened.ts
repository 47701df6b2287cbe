import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Declared a separate sale by the office: not counted with the customer's other orders of that day (decision 092).
  'ALTER TABLE pedidos ADD COLUMN venta_aparte boolean NOT NULL DEFAULT false',
  // Time at which the office found a door payment by card or Bizum at the terminal or the bank.
  `ALTER TABLE pagos
    ADD COLUMN comprobado_at timestamptz,
    ADD COLUMN comprobado_por uuid REFERENCES users,
    ADD CONSTRAINT pagos_comprobado CHECK (comprobado_at IS NULL OR transportista_id IS NOT NULL AND caja_dia IS NULL)`,
  `CREATE INDEX pagos_por_comprobar ON pagos (fecha, id)
    WHERE transportista_id IS NOT NULL AND caja_dia IS NULL AND comprobado_at IS NULL AND estado <> 'anulado'`,
  // Money of a refused delivery; the office books it once, from this entry of the history.
  `ALTER TABLE pedidos_historial
    ADD COLUMN cobrado_cents bigint CHECK (cobrado_cents > 0),
    ADD COLUMN cobrado_metodo text,
    ADD COLUMN registrado_at timestamptz,
    ADD CONSTRAINT pedidos_historial_cobrado CHECK ((cobrado_cents IS NULL) = (cobrado_metodo IS NULL) AND (registrado_at IS NULL OR cobrado_cents IS NOT NULL))`,
  `CREATE INDEX pedidos_historial_sin_registrar ON pedidos_historial (created_at) WHERE cobrado_cents IS NOT NULL AND registrado_at IS NULL`,
  // Goods on their way back: in no stock until the office has them.
  `ALTER TABLE devoluciones_lineas
    DROP CONSTRAINT devoluciones_lineas_destino_check,
    ADD CONSTRAINT devoluciones_lineas_destino_check CHECK (destino IN ('stock', 'baja', 'camino') AND (destino <> 'camino' OR unidades = 0))`,
  `CREATE INDEX devoluciones_en_camino ON devoluciones_lineas (devolucion_id) WHERE destino = 'camino'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
