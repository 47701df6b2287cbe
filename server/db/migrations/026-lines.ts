import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE pedidos_lineas (
    pedido_id uuid NOT NULL REFERENCES pedidos ON DELETE CASCADE,
    numero int NOT NULL CHECK (numero BETWEEN 1 AND 50),
    product_id uuid REFERENCES products,
    pack_id uuid REFERENCES product_packs,
    producto text NOT NULL,
    cantidad int NOT NULL CHECK (cantidad BETWEEN 1 AND 9999),
    -- Frozen: what the pack costs today changes no order.
    precio_unitario_cents bigint NOT NULL CHECK (precio_unitario_cents BETWEEN 0 AND 100000000),
    precio_total_cents bigint NOT NULL CHECK (precio_total_cents BETWEEN 0 AND 1000000000000),
    -- What the line takes of its product's stock while the order holds it.
    unidades int NOT NULL DEFAULT 0 CHECK (unidades BETWEEN 0 AND 1000000000),
    PRIMARY KEY (pedido_id, numero)
  )`,
  // Existing orders become one line; without units held, its units come from the first movement.
  `INSERT INTO pedidos_lineas (pedido_id, numero, product_id, pack_id, producto, cantidad, precio_unitario_cents, precio_total_cents, unidades)
    SELECT id, 1, product_id, pack_id, producto, cantidad, precio_unitario_cents, precio_total_cents,
      CASE WHEN unidades_retenidas > 0 OR product_id IS NULL THEN unidades_retenidas
        ELSE coalesce((SELECT -m.unidades FROM stock_movements m WHERE m.pedido_id = p.id AND m.motivo = 'pedido' LIMIT 1), 0) END
    FROM pedidos p`,
  `ALTER TABLE pedidos
    DROP COLUMN product_id,
    ADD COLUMN num_lineas int NOT NULL DEFAULT 1 CHECK (num_lineas BETWEEN 1 AND 50),
    ADD COLUMN envio_cents bigint NOT NULL DEFAULT 0 CHECK (envio_cents BETWEEN 0 AND 100000000),
    ADD COLUMN descuento_cents bigint NOT NULL DEFAULT 0 CHECK (descuento_cents BETWEEN 0 AND 100000000),
    -- Fewer lines may leave more paid than they cost.
    DROP CONSTRAINT pedidos_pagado,
    ADD CONSTRAINT pedidos_pagado CHECK (pagado_cents >= 0),
    DROP CONSTRAINT pedidos_cantidad_check,
    ADD CONSTRAINT pedidos_cantidad_check CHECK (cantidad BETWEEN 1 AND 499950)`,

  // Products of further lines; the first is part of the order's own text.
  `CREATE FUNCTION texto_lineas(pedido uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT normaliza(string_agg(' ' || producto, '' ORDER BY numero)) FROM pedidos_lineas
      WHERE pedido_id = pedido AND numero > 1), '') $$`,
  `CREATE OR REPLACE FUNCTION pedidos_busqueda_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO pedidos_busqueda VALUES (NEW.id, texto_busqueda(NEW) || texto_lineas(NEW.id))
      ON CONFLICT (pedido_id) DO UPDATE SET texto = excluded.texto;
      RETURN NULL;
    END $$`,
  // For changes of lines that leave the order's own text unchanged.
  `CREATE FUNCTION busca_lineas(pedido uuid) RETURNS void LANGUAGE sql AS $$
    UPDATE pedidos_busqueda b SET texto = texto_busqueda(p) || texto_lineas(p.id) FROM pedidos p WHERE p.id = pedido AND b.pedido_id = p.id $$`,
  `CREATE OR REPLACE FUNCTION rehacer_busqueda() RETURNS void LANGUAGE plpgsql AS $$
    DECLARE indice text := pg_get_indexdef('pedidos_busqueda_texto'::regclass);
    BEGIN
      DROP INDEX pedidos_busqueda_texto;
      DELETE FROM pedidos_busqueda;
      INSERT INTO pedidos_busqueda
        SELECT p.id, texto_busqueda(p) || coalesce(l.texto, '') FROM pedidos p
        LEFT JOIN (SELECT pedido_id, normaliza(string_agg(' ' || producto, '' ORDER BY numero)) AS texto
          FROM pedidos_lineas WHERE numero > 1 GROUP BY pedido_id) l ON l.pedido_id = p.id;
      EXECUTE indice;
    END $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
