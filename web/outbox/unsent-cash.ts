import type { Operation } from './operation.ts';

/** A delivery whose cash the Caja does not know: its number, its amount in euros, and when it was collected (ISO 8601). */
export type UnsentCash = { pedido: string; numero: string; importe: number; at: string; rechazado: boolean };

/** Cash that a carrier has collected in steps which the server has not taken: waiting for a network, or refused and not hidden. */
export function unsentCash(operations: readonly Pick<Operation, 'state' | 'body' | 'pedido' | 'numero' | 'at'>[]): UnsentCash[] {
  return operations.flatMap(({ state, body, pedido, numero, at }) => {
    const { cobrado, cobrado_metodo } = body as { cobrado?: unknown; cobrado_metodo?: unknown };
    const isCash = state !== 'aceptado' && cobrado_metodo === 'efectivo' && typeof cobrado === 'number' && cobrado > 0;
    return isCash ? [{ pedido, numero, importe: cobrado, at, rechazado: state === 'rechazado' }] : [];
  });
}
