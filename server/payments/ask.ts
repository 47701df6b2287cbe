import { sql } from 'kysely';
import { type Db, transact } from '../db/open.ts';
import { rejectPago } from '../pedidos/pagos/pagos.ts';
import type { Gateway } from './provider.ts';
import { receiveNotice } from './settle.ts';

type Open = ReadonlyMap<string, Pick<Gateway, 'ask'>>;

export const askablePayments = (open: Open): string[] => [...open].filter(([, { ask }]) => ask).map(([id]) => id);

/** Asks providers about up to 100 begun payments whose page has expired. Books paid ones and rejects ended ones. Throws all failures at the end. */
export async function askEnded(db: Db, open: Open): Promise<void> {
  const askable = askablePayments(open);
  if (askable.length === 0) return;
  const ended = await db
    .selectFrom('pagos')
    .innerJoin('pedidos', 'pedidos.id', 'pagos.pedido_id')
    .select(['proveedor', 'externo_id'])
    .where('pagos.estado', '=', 'iniciado')
    .where('pagos.proveedor', 'in', askable)
    .where('pagos.vence_at', '<=', sql<string>`now()`)
    .where('pedidos.estado', '=', 'pendiente_pago')
    .orderBy('pagos.vence_at', 'desc')
    .limit(100)
    .execute();
  const failures: unknown[] = [];
  for (const { proveedor, externo_id } of ended) {
    const ask = open.get(proveedor)?.ask;
    if (!ask || externo_id === null) continue;
    try {
      const result = await ask(externo_id);
      if (result === 'ended') await transact(db, (tx) => rejectPago(tx, { proveedor, externo_id }));
      else if (result !== 'open') await receiveNotice(db, proveedor, result);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length) throw new AggregateError(failures, `${failures.length} payments could not be asked about`);
}
