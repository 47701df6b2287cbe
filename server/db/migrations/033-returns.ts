import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE devoluciones (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    pedido_id uuid NOT NULL REFERENCES pedidos,
    motivo text NOT NULL,
    nota text,
    -- What the customer has got back, and by which operation; the giving back itself is done at the bank.
    reembolso_cents bigint NOT NULL DEFAULT 0 CHECK (reembolso_cents BETWEEN 0 AND 1000000000000),
    referencia text,
    actor_user_id uuid REFERENCES users,
    actor_nombre text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    anulada_at timestamptz,
    anulada_motivo text,
    CONSTRAINT devoluciones_anulada CHECK ((anulada_at IS NULL) = (anulada_motivo IS NULL))
  )`,
  'CREATE INDEX devoluciones_pedido ON devoluciones (pedido_id, created_at)',
  `CREATE TABLE devoluciones_lineas (
    devolucion_id uuid NOT NULL REFERENCES devoluciones,
    numero int NOT NULL CHECK (numero BETWEEN 1 AND 50),
    destino text NOT NULL CHECK (destino IN ('stock', 'baja')),
    producto text NOT NULL,
    product_id uuid REFERENCES products,
    cantidad int NOT NULL CHECK (cantidad BETWEEN 1 AND 9999),
    -- What has gone back to the stock of its product.
    unidades int NOT NULL DEFAULT 0 CHECK (unidades BETWEEN 0 AND 1000000000),
    PRIMARY KEY (devolucion_id, numero, destino)
  )`,
  `ALTER TABLE pedidos
    ADD COLUMN cantidad_devuelta int NOT NULL DEFAULT 0,
    ADD COLUMN reembolsado_cents bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT pedidos_devuelto CHECK (cantidad_devuelta BETWEEN 0 AND cantidad AND reembolsado_cents BETWEEN 0 AND precio_total_cents)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
