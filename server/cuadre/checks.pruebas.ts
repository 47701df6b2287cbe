import { sql } from 'kysely';
import type { Check, Difference } from './check.ts';

const PEDIDO = sql`p.numero_orden || ', ' || x.tipo AS que`;
const ENLACE = sql`'/pedidos/' || p.id AS enlace`;

/** Checks of the proofs of delivery (decision 057). */
export const ofPruebas: readonly Check[] = [
  {
    name: 'pruebas_cadena',
    titulo: 'Cada prueba de entrega lleva el sello de la anterior y el suyo',
    unidad: 'texto',
    differences: () => sql<Difference>`
      SELECT ${PEDIDO}, 'otro sello' AS hay, 'el de sus datos y la anterior' AS esperado, ${ENLACE}
      FROM (SELECT r.*, sello_prueba(lag(r.sello, 1, '') OVER (ORDER BY r.n), r) AS propio, lag(r.sello, 1, '') OVER (ORDER BY r.n) AS previo
        FROM pruebas r) x JOIN pedidos p ON p.id = x.pedido_id
      WHERE x.anterior <> x.previo OR x.sello <> x.propio`,
  },
  {
    name: 'pruebas_ficheros',
    titulo: 'Cada prueba de entrega tiene su fichero, sin cambios',
    unidad: 'texto',
    differences: () => sql<Difference>`
      SELECT ${PEDIDO}, CASE x.problema WHEN 'falta' THEN 'no está' WHEN 'cambiado' THEN 'cambiado' ELSE 'no se puede leer' END AS hay,
        'el que se envió' AS esperado, ${ENLACE}
      FROM pruebas x JOIN pedidos p ON p.id = x.pedido_id WHERE x.problema IS NOT NULL AND x.fichero IS NOT NULL`,
  },
  {
    name: 'pruebas_esperadas',
    // Stops reporting a missing proof after 30 days, when the phone that has the file is presumed lost.
    titulo: 'Las pruebas que anunció una entrega, un intento o un paso no registrado han llegado en un día',
    unidad: 'texto',
    differences: () => sql<Difference>`
      SELECT ${PEDIDO}, 'no ha llegado' AS hay, 'enviada desde el teléfono' AS esperado, ${ENLACE}
      FROM (SELECT pedido_id, anunciadas, entregada_at FROM entregas
        UNION ALL SELECT pedido_id, anunciadas, created_at FROM intentos WHERE anunciadas <> '[]'
        UNION ALL SELECT pedido_id, anunciadas, created_at FROM pedidos_historial WHERE anunciadas IS NOT NULL) e JOIN pedidos p ON p.id = e.pedido_id,
      LATERAL (SELECT a->>'tipo' AS tipo, a->>'sha256' AS sha256 FROM jsonb_array_elements(e.anunciadas) a) x
      WHERE p.anonimizado_at IS NULL AND e.entregada_at BETWEEN now() - interval '30 days' AND now() - interval '1 day'
        AND NOT EXISTS (SELECT FROM pruebas r WHERE r.pedido_id = p.id AND r.sha256 = x.sha256)`,
  },
];
