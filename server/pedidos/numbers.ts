import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';

/**
 * Takes the next free order number: `ORD-`, the business's year, six digits (design, section 4.6). The counter row
 * stays locked until the transaction ends, so numbers have neither gaps nor duplicates.
 */
export async function nextNumber(tx: Tx): Promise<string> {
  for (;;) {
    const { rows } = await sql<{ numero: string; last: number }>`
      INSERT INTO order_numbers AS n (year, last) VALUES (extract(year FROM dia_negocio(now()))::int, 1)
      ON CONFLICT (year) DO UPDATE SET last = n.last + 1
      RETURNING 'ORD-' || year || lpad(last::text, 6, '0') AS numero, last`.execute(tx);
    const numero = rows[0]?.numero;
    if (!numero) throw new DomainError(409, 'No se pudo numerar el pedido');
    // A superadmin may have typed this one in.
    if (await isFree(tx, numero)) return numero;
  }
}

/** Whether `numero` is free; if so it stays free for this transaction until it ends. */
export async function claimNumber(tx: Tx, numero: string): Promise<boolean> {
  // Locks the counter row, which serialises numbering.
  await sql`
    INSERT INTO order_numbers AS n (year, last) VALUES (extract(year FROM dia_negocio(now()))::int, 0)
    ON CONFLICT (year) DO UPDATE SET last = n.last`.execute(tx);
  return isFree(tx, numero);
}

async function isFree(tx: Tx, numero: string): Promise<boolean> {
  return !(await tx.selectFrom('pedidos').select('id').where('numero_orden', '=', numero).executeTakeFirst());
}
