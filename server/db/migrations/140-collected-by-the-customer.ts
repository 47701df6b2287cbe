import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Time since which the customer is to collect the order in the shop.
  'ALTER TABLE pedidos ADD COLUMN recoge_at timestamptz',
  `UPDATE pedidos SET recoge_at = updated_at WHERE estado IN ('pendiente_pago', 'pendiente', 'asignado', 'en_proceso', 'en_ruta')
    AND (aviso_cliente LIKE 'Lo recogerá en la tienda%' OR instrucciones LIKE 'LO RECOGE EL CLIENTE: %')`,
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
