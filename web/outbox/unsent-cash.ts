import type { Operation } from './operation.ts';

/** A delivery whose cash is missing in the Caja: number of the order, amount in euros, and time of collection (ISO 8601). */
export type UnsentCash = { pedido: string; numero: string; importe: number; at: string; rechazado: boolean };

/** Returns the cash of pending and refused steps, which the server does not know. Pass no hidden operations. */
export function unsentCash(operations: readonly Pick<Operation, 'state' | 'body' | 'pedido' | 'numero' | 'at'>[]): UnsentCash[] {
  return operations.flatMap(({ state, body, pedido, numero, at }) => {
    const { cobrado, cobrado_metodo } = body as { cobrado?: unknown; cobrado_metodo?: unknown };
    const isCash = state !== 'aceptado' && cobrado_metodo === 'efectivo' && typeof cobrado === 'number' && cobrado > 0;
    return isCash ? [{ pedido, numero, importe: cobrado, at, rechazado: state === 'rechazado' }] : [];
  });
}
