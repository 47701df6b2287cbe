import { randomUUID } from 'node:crypto';
import { imprimirEtiquetas } from '../contract/etiquetas/etiquetas.ts';
import { MAX_ETIQUETAS } from '../contract/etiquetas/fields.ts';
import type { BodyIn } from '../contract/kit/endpoint.ts';
import { MAX_LOTE } from '../contract/pedidos/fields.ts';
import { importPedidos } from '../contract/pedidos/import.ts';
import { lotePedidos } from '../contract/pedidos/lote.ts';
import { listPedidos } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { arranger, connectAs } from '../e2e/api.ts';
import { SUPERADMIN, startServer } from '../e2e/server.ts';
import type { Client } from '../test/client.ts';

/** Number of orders moved one by one during the batch: one for every twenty orders. */
const ONE_BY_ONE = MAX_LOTE / 20;
/** Time limit of a batch. On a busy machine, a slower batch passes if four times as fast as its orders one by one. */
const MOST_SECONDS = 2;

/** Measures each batch action on a batch of the maximum size, on the database that `npm start` starts. Throws if an action is slow. */
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
    const figures: object[] = [await drawLabels(admin)];
    const slow: string[] = [];
    for (const accion of [
      { tipo: 'asignar', transportista_id: carrier.id },
      { tipo: 'preparar' },
      { tipo: 'salir' },
      { tipo: 'completar', metodo_entrega: 'mrw' },
      { tipo: 'eliminar' },
      { tipo: 'restaurar' },
    ] as const) {
      let alone = 0;
      for (const id of apart) alone += await act([id], accion);
      alone *= MAX_LOTE / ONE_BY_ONE;
      const seconds = await act(ids, accion);
      if (seconds > MOST_SECONDS && seconds > alone / 4) slow.push(`${accion.tipo}: ${round(seconds)} s, ${round(alone)} s one by one`);
      figures.push({
        what: `${accion.tipo}: ${ids.length} orders`,
        seconds: round(seconds),
        'one by one, s': round(alone),
        'times as fast': round(alone / seconds),
      });
    }
    console.table(figures);
    if (slow.length) throw new Error(`More than ${MOST_SECONDS} s for ${MAX_LOTE} orders: ${slow.join('; ')}`);
    return figures;
  } finally {
    await server.stop();
  }
}

/** Measures a document with the maximum number of labels. */
async function drawLabels(admin: Client) {
  await admin.call(updateSettings, { body: { labelsAndLoading: true } });
  const since = performance.now();
  const { status, text } = await admin.request('GET', `${imprimirEtiquetas.path}?todos=si&search=Ana%20Ruiz`);
  if (status !== 200) throw new Error(text);
  return { what: `labels: ${MAX_ETIQUETAS} orders`, seconds: round((performance.now() - since) / 1000) };
}

const round = (value: number) => Math.round(value * 100) / 100;

if (import.meta.main) await measureLote();
