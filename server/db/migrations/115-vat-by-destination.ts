import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // How an order is taxed: kept at its delivery; before, only the owner's word that it is an intra-Community supply (decision 102).
  `ALTER TABLE pedidos
    ADD COLUMN iva_regimen text
      CHECK (iva_regimen IN ('interior', 'exportacion', 'ue', 'intracomunitaria', 'desconocido', 'no_sujeto', 'anterior')),
    -- VAT that a web shop charged, by rate.
    ADD COLUMN iva_cobrado jsonb`,
  `ALTER TABLE facturables
    DROP CONSTRAINT facturables_tipo_check,
    ADD CONSTRAINT facturables_tipo_check
      CHECK (tipo IN ('21', '10', '4', '0', 'exento', 'exportacion', 'intracomunitaria', 'no_sujeto', 'sin_tipo'))`,
  // What was declared stays declared: under the rule of its day. Nobody's copy of an order changes, so that no change is logged.
  'ALTER TABLE pedidos DISABLE TRIGGER USER',
  `UPDATE pedidos p SET iva_regimen = CASE
      WHEN EXISTS (SELECT FROM facturables f WHERE f.pedido_id = p.id AND f.tipo = 'no_sujeto') THEN 'no_sujeto'
      WHEN coalesce(p.cliente_pais, 'España') = 'España' THEN 'interior' ELSE 'anterior' END
    WHERE p.estado = 'completado' AND EXISTS (SELECT FROM facturables f WHERE f.pedido_id = p.id)`,
  // Other delivered orders keep what their postcode says, which erasing a customer takes away.
  `UPDATE pedidos SET iva_regimen =
      CASE WHEN left(codigo_postal(cliente_codigo_postal), 2) IN ('35', '38', '51', '52') THEN 'exportacion' ELSE 'interior' END
    WHERE estado = 'completado' AND iva_regimen IS NULL AND coalesce(cliente_pais, 'España') = 'España'
      AND codigo_postal(cliente_codigo_postal) <> ''`,
  'ALTER TABLE pedidos ENABLE TRIGGER USER',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
