import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE tienda_pedidos (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    externo_id text NOT NULL UNIQUE,
    numero text NOT NULL,
    modificado_at timestamptz NOT NULL,
    -- Encrypted, as it holds a customer; null once the order is made or let go.
    contenido text,
    estado text NOT NULL DEFAULT 'recibido' CHECK (estado IN ('recibido', 'por_revisar', 'creado', 'ignorado')),
    motivo text,
    aviso text,
    pedido_id uuid UNIQUE REFERENCES pedidos,
    -- Fingerprints of what was read last, to tell what changes in the shop.
    marcas jsonb,
    -- Last state and tracking number that the shop was told.
    dicho text,
    recibido_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  "CREATE INDEX tienda_pedidos_esperan ON tienda_pedidos (recibido_at, id) WHERE estado IN ('recibido', 'por_revisar') OR aviso IS NOT NULL",
  `CREATE TABLE tienda_productos (
    clave text PRIMARY KEY,
    pack_id uuid NOT NULL REFERENCES product_packs,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
