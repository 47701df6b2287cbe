import { sql } from 'kysely';
import { SISTEMA } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { record } from './history.ts';
import type { PedidoRow } from './row.ts';

/** Notes that the customer of a locked order says that the transfer is made. */
export async function noteTransferencia(tx: Tx, row: PedidoRow): Promise<void> {
  await tx.updateTable('pedidos').set({ transferencia_avisada_at: sql`now()` }).where('id', '=', row.id).execute();
  await record(tx, SISTEMA, { accion: 'El cliente dice que ha hecho la transferencia', action: 'update' }, row, row);
}
