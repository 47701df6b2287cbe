import type { MovimientoLeido } from '../../contract/banco/banco.ts';

/** What a bank's file is: its credits, `hoja` for a sheet whose columns are asked, or a Spanish sentence. */
export type ReadStatement = { formato: 'n43' | 'camt'; movimientos: MovimientoLeido[] } | { formato: 'hoja' } | { error: string };

/** Reads a bank's file in a worker. */
export function readStatement(file: File): Promise<ReadStatement> {
  const worker = new Worker(new URL('./read-statement.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ReadStatement>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<ReadStatement>) => resolve(data);
    worker.onerror = () => resolve({ error: 'El fichero no se puede leer: descárgalo otra vez del banco.' });
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
