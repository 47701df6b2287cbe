import { randomUUID } from 'node:crypto';
import { imprimirEtiquetas, MAX_ETIQUETAS } from '../contract/etiquetas.ts';
import type { BodyIn } from '../contract/kit.ts';
import { importPedidos } from '../contract/pedidos.import.ts';
import { lotePedidos, MAX_LOTE } from '../contract/pedidos.lote.ts';
import { listPedidos, setEstado } from '../contract/pedidos.ts';
import { updateSettings } from '../contract/settings.ts';
import { arranger, connectAs } from '../e2e/api.ts';
import { SUPERADMIN, startServer } from '../e2e/server.ts';
import type { Client } from '../test/client.ts';

/** Orders moved one by one beside the batch: one for every twenty of its orders. */
const ONE_BY_ONE = MAX_LOTE / 20;

/** Measures each batch action on as many orders as one batch may hold, on the database that `npm start` starts. */
export async function measureLote() {
  const server = await startServer();
  try {
    const admin = await connectAs(server.url, SUPERADMIN);
    const arrange = arranger(server.url, admin);
    const product = await arrange.product({ stock: 10 * MAX_LOTE });
    const pack = await arrange.pack({ product_id: product.id });
    const carrier = await arrange.user('transportista');
    const importRows = async (name: string, count: number) => {
      const filas = Array.from({ length: count }, (_, i) => ({
        cliente_nombre: `${name} ${i}`,
        cliente_direccion: `Calle Mayor ${i}`,
        cliente_codigo_postal: '28013',
        pack_id: pack.id,
        cantidad: 1,
      }));
      await admin.call(importPedidos, { body: { filas }, headers: { 'idempotency-key': randomUUID() } });
      const ids: string[] = [];
      while (ids.length < count) {
        const { body } = await admin.call(listPedidos, { query: { search: name, per_page: '100', page: String(ids.length / 100 + 1) } });
        ids.push(...body.data.map(({ id }) => id));
      }
      return ids;
    };
    const ids = await importRows('Ana Ruiz', MAX_LOTE);
    const apart = await importRows('Blas Gil', ONE_BY_ONE);
    const act = async (chosen: string[], accion: BodyIn<typeof lotePedidos>['accion']) => {
      const since = performance.now();
      const { body } = await admin.call(lotePedidos, { body: { pedidos: { ids: chosen }, accion } });
      if (body.hechos !== chosen.length) throw new Error(body.message);
      return (performance.now() - since) / 1000;
    };
    await act(apart, { tipo: 'asignar', transportista_id: carrier.id });
    const since = performance.now();
    for (const id of apart) await admin.call(setEstado, { params: { id }, body: { estado: 'en_proceso' } });
    const alone = (((performance.now() - since) / 1000) * MAX_LOTE) / ONE_BY_ONE;
    const figures: object[] = [await drawLabels(admin)];
    for (const accion of [
      { tipo: 'asignar', transportista_id: carrier.id },
      { tipo: 'preparar' },
      { tipo: 'salir' },
      { tipo: 'completar', metodo_entrega: 'mrw' },
      { tipo: 'eliminar' },
      { tipo: 'restaurar' },
    ] as const) {
      const seconds = await act(ids, accion);
      figures.push({
        what: `${accion.tipo}: ${ids.length} orders`,
        seconds: round(seconds),
        'one by one, s': round(alone),
        ratio: round(seconds / alone),
      });
    }
    return figures;
  } finally {
    await server.stop();
  }
}

/** Measures as many labels as one document may hold. */
async function drawLabels(admin: Client) {
  await admin.call(updateSettings, { body: { labelsAndLoading: true } });
  const since = performance.now();
  const { status, text } = await admin.request('GET', `${imprimirEtiquetas.path}?todos=si&search=Ana%20Ruiz`);
  if (status !== 200) throw new Error(text);
  return { what: `labels: ${MAX_ETIQUETAS} orders`, seconds: round((performance.now() - since) / 1000) };
}

const round = (value: number) => Math.round(value * 100) / 100;
