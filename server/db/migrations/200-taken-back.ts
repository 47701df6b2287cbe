import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // A step that can be taken back keeps the columns that it overwrote; a step that takes another back names it.
  `ALTER TABLE pedidos_historial
    ADD COLUMN antes jsonb,
    ADD COLUMN deshace_id uuid UNIQUE REFERENCES pedidos_historial`,
  // When the delivery was made that has been taken back; also makes the next PIN another one.
  'ALTER TABLE pedidos ADD COLUMN entrega_anulada_at timestamptz',
  // An order may be delivered again after its delivery was taken back; the proof of the first one stays.
  `ALTER TABLE entregas
    DROP CONSTRAINT entregas_pkey,
    ADD COLUMN id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    ADD COLUMN anulada_at timestamptz`,
  'CREATE UNIQUE INDEX entregas_valida ON entregas (pedido_id) WHERE anulada_at IS NULL',
  'ALTER TABLE ganancias ADD COLUMN anula_id uuid UNIQUE REFERENCES ganancias',
  // Collected at the delivery itself. Of such payments only the delivery that counts has one that is paid.
  'ALTER TABLE pagos ADD COLUMN al_entregar boolean NOT NULL DEFAULT false',
  `UPDATE pagos g SET al_entregar = true FROM pedidos p WHERE p.id = g.pedido_id AND g.transportista_id IS NOT NULL
    AND p.estado = 'completado' AND g.fecha = dia_negocio(p.fecha_completado)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
