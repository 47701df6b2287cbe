import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';

/** Keeps the day on which VAT was first switched on, unless a day was given. Earlier deliveries are not for the invoicing program. */
export async function beginIva(tx: Tx): Promise<void> {
  await sql`UPDATE settings SET data = data || jsonb_build_object('ivaDesde', dia_negocio(now())::text)
    WHERE (data ->> 'iva')::boolean AND coalesce(data ->> 'ivaDesde', '') = ''`.execute(tx);
}
