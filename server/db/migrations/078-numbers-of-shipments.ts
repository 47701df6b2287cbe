import { type Kysely, sql } from 'kysely';

// Tracking numbers that batches still hold of orders blocked or anonymised before, and those that reasons hold.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`UPDATE envios_pedidos l SET seguimiento = NULL FROM pedidos p
    WHERE p.id = l.pedido_id AND l.seguimiento IS NOT NULL AND (p.bloqueado_at IS NOT NULL OR p.anonimizado_at IS NOT NULL)`.execute(db);
  await sql`UPDATE envios SET sin_pareja = (
    SELECT coalesce(jsonb_agg(r || jsonb_build_object('motivo',
      regexp_replace(r->>'motivo', '^Ya está completado con el número .*', 'Ya está completado con otro número')) ORDER BY n), '[]')
    FROM jsonb_array_elements(sin_pareja) WITH ORDINALITY AS kept (r, n)
    WHERE NOT EXISTS (SELECT FROM pedidos p WHERE (p.bloqueado_at IS NOT NULL OR p.anonimizado_at IS NOT NULL)
      AND regexp_replace(normaliza(p.numero_orden), '[^a-z0-9]+', '', 'g') = regexp_replace(normaliza(r->>'referencia'), '[^a-z0-9]+', '', 'g')))
    WHERE sin_pareja <> '[]'`.execute(db);
};
