import { sql } from 'kysely';
import { SISTEMA } from '../../contract/policy/policy.ts';
import type { Tx } from '../db/open.ts';
import { record } from './history.ts';
import type { PedidoRow } from './row.ts';

/** Records that the customer reported a transfer. The order must be locked. */
export async function recordTransfer(tx: Tx, row: PedidoRow): Promise<void> {
  await tx.updateTable('pedidos').set({ transferencia_avisada_at: sql`now()` }).where('id', '=', row.id).execute();
  await record(tx, SISTEMA, { accion: 'El cliente dice que ha hecho la transferencia', action: 'update' }, row, row);
}
