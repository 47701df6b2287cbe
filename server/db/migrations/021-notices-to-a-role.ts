import { type Kysely, sql } from 'kysely';

/** A notice to a role is one row; reading marks are per person. */
const STATEMENTS = [
  'ALTER TABLE notifications ALTER COLUMN user_id DROP NOT NULL',
  'ALTER TABLE notifications ADD COLUMN role text',
  // Author of the event, excluded from the notice.
  'ALTER TABLE notifications ADD COLUMN except_id uuid REFERENCES users',
  'ALTER TABLE notifications ADD COLUMN pedido_id uuid REFERENCES pedidos',
  'ALTER TABLE notifications ADD CHECK ((user_id IS NULL) <> (role IS NULL))',
  'CREATE INDEX notifications_role ON notifications (role, created_at DESC, id DESC) WHERE role IS NOT NULL',
  'CREATE INDEX notifications_pedido ON notifications (pedido_id) WHERE pedido_id IS NOT NULL',
  "CREATE INDEX notifications_disponibles ON notifications (created_at) WHERE tipo = 'pedido_disponible'",

  `CREATE TABLE notification_reads (
    user_id uuid NOT NULL REFERENCES users,
    notification_id uuid NOT NULL REFERENCES notifications ON DELETE CASCADE,
    read_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, notification_id)
  )`,
  'CREATE INDEX notification_reads_notification ON notification_reads (notification_id)',
  // Everything older is read, so that no marks for years are needed.
  `CREATE TABLE notification_readers (
    user_id uuid PRIMARY KEY REFERENCES users,
    read_until timestamptz NOT NULL
  )`,

  "DELETE FROM notifications WHERE tipo = 'pedido_disponible'",
  `INSERT INTO notifications (role, tipo, texto, enlace, pedido_id)
    SELECT 'transportista', 'pedido_disponible', 'Pedido disponible: ' || numero_orden || ' (' || cliente_nombre || ')', '/pedidos-disponibles', id
    FROM pedidos WHERE estado = 'pendiente' AND transportista_id IS NULL AND deleted_at IS NULL`,
  'INSERT INTO notification_reads SELECT user_id, id, read_at FROM notifications WHERE read_at IS NOT NULL',
  'DROP INDEX notifications_unread',
  'ALTER TABLE notifications DROP COLUMN read_at',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
