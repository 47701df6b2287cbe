const COUNTED = "p.deleted_at IS NULL AND p.estado <> 'cancelado'";

/** Finds customers whose figures or name differ from their orders, recounted in plain SQL. Must return no rows. */
export const CLIENTES_THAT_DIFFER = `
  SELECT c.clave, c.pedidos, c.total_cents, c.ultimo_pedido, c.nombre, n.*
  FROM clientes c
  LEFT JOIN (
    SELECT g.id, count(p.id) FILTER (WHERE ${COUNTED}) AS n, coalesce(sum(p.precio_total_cents) FILTER (WHERE ${COUNTED}), 0) AS cents,
      max(p.fecha_pedido) FILTER (WHERE p.deleted_at IS NULL) AS latest,
      -- Two orders of the same instant are both the latest.
      array_agg(p.cliente_nombre) FILTER (WHERE p.deleted_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM pedidos l JOIN clientes m ON m.id = l.cliente_id
        WHERE (m.id = g.id OR m.unido_a = g.id) AND l.deleted_at IS NULL AND l.fecha_pedido > p.fecha_pedido)) AS names
    FROM clientes g
    JOIN clientes m ON m.id = g.id OR m.unido_a = g.id
    LEFT JOIN pedidos p ON p.cliente_id = m.id
    GROUP BY g.id) n ON n.id = c.id
  WHERE (c.pedidos, c.total_cents, c.ultimo_pedido) IS DISTINCT FROM (n.n, n.cents, n.latest)
    OR (n.names IS NOT NULL AND c.nombre <> ALL (n.names))`;

/** Finds orders linked to another customer than seller, telephone, name and postcode determine. Must return no rows. */
export const PEDIDOS_OF_ANOTHER_CLIENTE = `
  SELECT p.numero_orden FROM pedidos p LEFT JOIN clientes c ON c.id = p.cliente_id
  WHERE clave_cliente(p.cliente_nombre, p.cliente_telefono, p.cliente_codigo_postal, p.cliente_pais) IS DISTINCT FROM c.clave
    OR (c.id IS NOT NULL AND c.revendedor_id IS DISTINCT FROM p.revendedor_id)`;
