import type { TipoPrueba } from '../../../contract/pruebas/fields.ts';
import { sendPrueba } from '../../../contract/pruebas/pruebas.ts';
import { ApiError, call } from '../../api.ts';
import { toast } from '../../ui/page/toast.tsx';

/** Photo or signature of a step; `key` is the idempotency key of the file. */
export type ProofFile = { tipo: TipoPrueba; sha256: string; blob: Blob; key: string };

/** Sends the files of a step that the office made, and offers a retry on failure. A carrier's files go through the outbox instead. */
export async function sendFiles(pedido: string, files: readonly ProofFile[]): Promise<void> {
  for (const [i, { blob, key }] of files.entries()) {
    try {
      await call(sendPrueba, { params: { id: pedido }, file: blob, headers: { 'idempotency-key': key } });
    } catch (error) {
      const reason = error instanceof ApiError ? error.message : 'Error del programa';
      toast.error(reason, {
        title: 'No se pudo enviar la prueba de entrega',
        action: { label: 'Enviar otra vez', onClick: () => void sendFiles(pedido, files.slice(i)) },
      });
      return;
    }
  }
}
