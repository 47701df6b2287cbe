import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The amount to collect stands alone in a column, since it is the only money of an order that its carrier reads (decision 051).
  `ALTER TABLE pedidos
    ADD COLUMN contra_reembolso boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT pedidos_reembolso_limite CHECK (NOT contra_reembolso OR precio_total_cents < 100000),
    ADD CONSTRAINT pedidos_reembolso_estado CHECK (NOT contra_reembolso OR estado <> 'pendiente_pago')`,
  `ALTER TABLE pedidos
    ADD COLUMN por_cobrar_cents bigint NOT NULL GENERATED ALWAYS AS (
      CASE WHEN contra_reembolso AND estado NOT IN ('completado', 'cancelado') THEN greatest(0, precio_total_cents - pagado_cents) ELSE 0 END) STORED`,
  'ALTER TABLE users ADD COLUMN contra_reembolso boolean NOT NULL DEFAULT false',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
