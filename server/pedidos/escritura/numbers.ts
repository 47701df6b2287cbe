import { type RawBuilder, sql } from 'kysely';
import { isRetryable, type Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';

/** Next free order number as SQL: `ORD-`, year, six digits or more (design, section 4.6). Never blocks; a rollback leaves a gap. */
export const NEXT_NUMBER: RawBuilder<string> = sql<string>`siguiente_numero()`;

/** Turns a taken number into 422 if typed, else into a retry. */
export const refuseTakenNumber =
  (typed: boolean): ((error: { code?: string; constraint?: string }) => never) =>
  (error) => {
    if (error.code !== '23505' || error.constraint !== 'pedidos_numero_orden_key') throw error;
    // Another person may type a number between its generation and the insert.
    throw typed ? invalid('numero_orden', 'Ya existe un pedido con ese número', 'duplicate') : isRetryable(error);
  };

/** Continues each year's numbers after the greatest loaded number. Ignores numbers of more than nine digits, which were typed. */
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
