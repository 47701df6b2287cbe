import { type RawBuilder, sql } from 'kysely';
import { again, type Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';

/**
 * The next free order number as an SQL expression: `ORD-`, the business's year, six digits or more (design, section
 * 4.6). Comes from the year's sequence, so nobody waits for it and a transaction rolled back leaves a gap.
 */
export const NEXT_NUMBER: RawBuilder<string> = sql<string>`siguiente_numero()`;

/** Turns the violation of a taken number into 422 if it was typed, else into another attempt of the transaction. */
export function refuseTaken(typed: boolean): (error: { code?: string; constraint?: string }) => never {
  return (error) => {
    if (error.code !== '23505' || error.constraint !== 'pedidos_numero_orden_key') throw error;
    // Typed in between our taking the number and our inserting it.
    throw typed ? invalid('numero_orden', 'Ya existe un pedido con ese número') : again(error);
  };
}

/**
 * Lets each year's numbers go on after the greatest of its orders, once orders have been loaded with their numbers.
 * Numbers of more than nine digits were typed and do not count.
 */
export async function continueNumbers(tx: Tx): Promise<void> {
  await sql`
    DO $$ DECLARE n record; BEGIN
      FOR n IN SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace AND relname ~ '^numeros_[0-9]{4}$' LOOP
        EXECUTE format('DROP SEQUENCE %I', n.relname);
      END LOOP;
      FOR n IN SELECT substr(numero_orden, 5, 4) AS anio, max(substr(numero_orden, 9)::int) AS last FROM pedidos
        WHERE numero_orden ~ '^ORD-[0-9]{10,13}$' GROUP BY 1 LOOP
        EXECUTE format('CREATE SEQUENCE %I START %s', 'numeros_' || n.anio, n.last + 1);
      END LOOP;
    END $$`.execute(tx);
}
