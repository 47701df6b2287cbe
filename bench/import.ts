import { randomUUID } from 'node:crypto';
import { MAX_FILAS } from '../contract/pedidos/fields.ts';
import { checkImport, importPedidos } from '../contract/pedidos/import.ts';
import { createPedido } from '../contract/pedidos/pedidos.ts';
import { arranger, connectAs } from '../e2e/api.ts';
import { SUPERADMIN, startServer } from '../e2e/server.ts';

/** Number of orders created one by one during the import: one for every twenty rows. */
const ONE_BY_ONE = MAX_FILAS / 20;

/**
 * Measures the largest allowed import, with a different customer in each row, on the database that `npm start` starts.
 * Meanwhile, other orders are created one by one.
 */
export async function measureImport() {
  const server = await startServer();
  try {
    const admin = await connectAs(server.url, SUPERADMIN);
    const arrange = arranger(server.url, admin);
    const product = await arrange.product({ stock: 10 * MAX_FILAS });
    const pack = await arrange.pack({ product_id: product.id });
    const rowsOf = (from: number) =>
      Array.from({ length: MAX_FILAS }, (_, i) => ({
        cliente_nombre: `Ana Ruiz ${from + i}`,
        cliente_telefono: `6${String(from + i).padStart(8, '0')}`,
        cliente_direccion: `Calle Mayor ${i}`,
        cliente_codigo_postal: '28013',
        pack_id: pack.id,
        cantidad: 1,
      }));
    const seconds = async (work: () => Promise<{ status: number; body?: unknown }>, status: number) => {
      const since = performance.now();
      const answer = await work();
      if (answer.status !== status) throw new Error(`refused with ${answer.status}: ${JSON.stringify(answer.body).slice(0, 400)}`);
      return (performance.now() - since) / 1000;
    };
    const filas = rowsOf(0);
    const checked = await seconds(() => admin.call(checkImport, { body: { filas } }), 200);
    const created = await seconds(() => admin.call(importPedidos, { body: { filas }, headers: { 'idempotency-key': randomUUID() } }), 201);
    let alone = 0;
    for (const body of rowsOf(MAX_FILAS).slice(0, ONE_BY_ONE)) alone += await seconds(() => admin.call(createPedido, { body }), 201);
    const apart = (alone * MAX_FILAS) / ONE_BY_ONE;
    return [
      { what: `check of ${MAX_FILAS} rows`, seconds: round(checked) },
      { what: `import of ${MAX_FILAS} rows`, seconds: round(created), 'one by one, s': round(apart), ratio: round(created / apart) },
    ];
  } finally {
    await server.stop();
  }
}

const round = (value: number) => Math.round(value * 100) / 100;
