import { sql } from 'kysely';
import type { PagoDePedido } from '../../../contract/payments/payments.ts';
import type { Db } from '../../db/open.ts';
import { toEuros } from '../../kit/money.ts';

/** Returns the payments among `ids` with their order numbers, amounts in euros. Leaves out payments begun without an outcome. */
export async function pagosAmong(db: Db, ids: readonly string[]): Promise<Omit<PagoDePedido, 'proveedor_nombre'>[]> {
  const rows = await db
    .selectFrom('pagos as g')
    .innerJoin('pedidos as p', 'p.id', 'g.pedido_id')
    .select([
      'g.id',
      'proveedor',
      'referencia',
      'g.estado',
      'importe_cents',
      'g.devuelto_cents',
      'fecha',
      'g.created_at',
      'g.updated_at',
      'nota',
    ])
    .select(['pedido_id', 'numero_orden', 'referencia_externa'])
    .where('g.id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .where('g.estado', '!=', 'iniciado')
    .execute();
  return rows.map(({ importe_cents, devuelto_cents, ...row }) => ({
    ...row,
    importe: toEuros(importe_cents),
    devuelto: toEuros(devuelto_cents),
  }));
}
