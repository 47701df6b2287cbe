import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE intentos (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    pedido_id uuid NOT NULL REFERENCES pedidos (id) ON DELETE CASCADE,
    transportista_id uuid REFERENCES users (id),
    transportista_nombre text NOT NULL,
    motivo text NOT NULL,
    llamado text,
    created_at timestamptz NOT NULL DEFAULT now()
  )`.execute(db);
  await sql`CREATE INDEX intentos_pedido ON intentos (pedido_id, created_at)`.execute(db);
  // The program itself fails deliveries of deleted carriers: those are no attempts.
  await sql`INSERT INTO intentos (pedido_id, transportista_id, transportista_nombre, motivo, created_at)
    SELECT h.pedido_id, (SELECT u.id FROM users u WHERE u.id = h.actor_user_id), h.actor_nombre, coalesce(h.nota, ''), h.created_at
    FROM pedidos_historial h WHERE h.accion = 'Intento fallido' AND h.actor_user_id IS NOT NULL`.execute(db);
  await sql`ALTER TABLE pedidos ADD COLUMN incidencia_at timestamptz`.execute(db);
  await sql`CREATE INDEX pedidos_incidencia ON pedidos (incidencia_at) WHERE incidencia_at IS NOT NULL`.execute(db);
}
