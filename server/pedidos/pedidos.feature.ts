import type { FastifyInstance } from 'fastify';
import { cambiosPedidos } from '../../contract/cambios/cambios.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { anotarPago, reembolsarSobra } from '../../contract/payments/payments.ts';
import * as importApi from '../../contract/pedidos/import.ts';
import * as loteApi from '../../contract/pedidos/lote.ts';
import * as api from '../../contract/pedidos/pedidos.ts';
import { plural } from '../../contract/text/plural.ts';
import { readChanges } from '../cambios/cambios.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { toEuros } from '../kit/money.ts';
import { route } from '../kit/route.ts';
import { publishProgress } from '../live/emit.ts';
import { readSettings } from '../settings/settings.ts';
import { notePago } from './escritura/cobrar.ts';
import { chooseSeller, createPedido, duplicatePedido, editLineas, moneyAfter } from './escritura/create.ts';
import { doubtsAbout, doubtsOfEdit, doubtsOfOrders } from './escritura/doubts.ts';
import { checkImport, importPedidos } from './escritura/import.ts';
import { deleteOldImports, listImports, refundAfterLote, runLote, undoImport } from './escritura/lote.ts';
import { deletePedido, restorePedido, shippingMeans, updatePedido } from './escritura/pedidos.ts';
import { refuseUnwritable } from './escritura/unwritable.ts';
import { listAttempts } from './historia/attempts.ts';
import { readHistory } from './historia/history.ts';
import { listPedidos, ordersAmong } from './lectura/list.ts';
import { presentFull, presentLines, presentOrder } from './lectura/present.ts';
import { readPromised } from './lectura/promised.ts';
import { withdrawalFrom } from './lectura/reassigned.ts';
import { findWhole, type PedidoRow } from './lectura/row.ts';
import { countUnfolded, foldTotals, rebuildTotals } from './lectura/totals.ts';
import { priceOrder, readPrices, unsaidShipping } from './lineas/price.ts';
import { separateSale } from './pagos/cash-limit.ts';
import { refundOverpaid } from './pagos/overpaid.ts';
import { answerIncident, postponePedido } from './pasos/incident.ts';
import { assignTransportista, setEstado } from './pasos/transition.ts';

/** Orders: lines, prices, states, payments, history, search and totals. */
export const pedidosFeature: Feature = {
  name: 'pedidos',
  tables: {
    pedidos: 'kept',
    pedidos_lineas: 'kept',
    pedidos_historial: 'kept',
    pedidos_totales_dia: 'kept',
    pedidos_totales_cambios: 'kept',
    intentos: 'kept',
    pagos: 'kept',
    reembolsos: 'kept',
    entregas: 'kept',
    devoluciones: 'kept',
    devoluciones_lineas: 'kept',
    importaciones: 'kept',
    // Derived from orders and rebuilt by a restore.
    pedidos_busqueda: 'passing',
  },
  routes,
  // A trigger of migration 017 also wakes the job every few hundred orders.
  jobs: ({ db, log }) => [{ name: 'totales', cron: '* * * * *', run: () => foldTotals(db, log) }],
  clean: deleteOldImports,
  // A new time zone moves orders to other days.
  settingsChanged: async (tx, { changed }) => {
    if (changed.includes('timezone')) await rebuildTotals(tx);
  },
};

/** Payment links start with `publicUrl` or are mere paths, never with the request's Host, which can be forged. */
function routes(app: FastifyInstance, { db, signal, config: { publicUrl } }: Deps): void {
  app.metrics?.addGauge('enruta_totals_waiting', 'Changes of the totals not yet folded', () => countUnfolded(db));
  const origin = publicUrl ?? '';

  route(app, api.listPedidos, async ({ actor, query }) => {
    const page = await listPedidos(db, actor, query);
    return { ...page, data: page.data.map((row) => presentOrder(actor, row, origin)) };
  });
  route(app, api.getPedido, async ({ actor, params }) => {
    const row = await findWhole(db, actor, params.id);
    const retirado = await withdrawalFrom(db, actor, row);
    return { data: presentOrder(actor, row, origin), ...(retirado !== undefined && { retirado }) };
  });
  /** Adds a sentence if shipping abroad costs 0 € for lack of a tariff. */
  const withUnsaid = async (message: string, row: PedidoRow) =>
    [message, unsaidShipping(await readSettings(db), row)].filter(Boolean).join('. ');
  route(app, api.createPedido, async ({ actor, body }) => {
    const row = await createPedido(db, actor, body);
    const data = presentFull(actor, row, origin);
    const message = await withUnsaid('Pedido creado correctamente', row);
    return { ...asDone(message, data), avisos: await doubtsAbout(db, row), payment_link: data.payment_link };
  });
  for (const edit of [api.updatePedido, api.patchPedido] as const)
    route(app, edit, async ({ actor, params, body }) => {
      const { before, row, means } = await updatePedido(db, actor, params.id, body);
      const message = `El pedido se actualizó correctamente${means ? `: ${means}` : ''}`;
      return { ...asDone(message, presentFull(actor, row, origin)), avisos: await doubtsOfEdit(db, before, row) };
    });
  route(app, api.setLineas, async ({ actor, params, body }) => {
    const { row, lines } = await editLineas(db, actor, params.id, body);
    return asDone(moneyAfter(row), presentFull(actor, row, origin, lines));
  });
  route(app, api.setEstado, async ({ actor, params, body }) =>
    asDone(
      body.estado === 'completado' ? 'Pedido marcado como completado exitosamente' : 'Estado del pedido actualizado',
      presentOrder(actor, await setEstado(db, actor, params.id, body), origin),
    ),
  );
  route(app, api.assignTransportista, async ({ actor, params, body }) =>
    asDone(
      body.transportista_id ? 'Pedido asignado exitosamente' : 'El pedido vuelve a estar disponible',
      presentFull(actor, await assignTransportista(db, actor, params.id, body), origin),
    ),
  );
  route(app, api.aplazarPedido, async ({ actor, params, body }) =>
    asDone('Entrega aplazada', presentFull(actor, await postponePedido(db, actor, params.id, body), origin)),
  );
  route(app, api.listIntentos, async ({ actor, params }) => ({ data: await listAttempts(db, actor, params.id) }));
  route(app, api.responderIncidencia, async ({ actor, params, body }) => {
    const { row, means } = await answerIncident(db, actor, params.id, body);
    return asDone(means ? `Respuesta anotada: ${means}` : 'Respuesta anotada', presentFull(actor, row, origin));
  });
  route(app, api.calcularEnvio, async ({ actor, params, body }) => ({
    data: { mensaje: await shippingMeans(db, actor, params.id, body) },
  }));
  route(app, api.separarVenta, async ({ actor, params, body }) =>
    asDone('Cuenta como otra venta', presentFull(actor, await separateSale(db, actor, params.id, body), origin)),
  );
  route(app, api.deletePedido, async ({ actor, params }) =>
    asDone('Pedido eliminado correctamente', presentFull(actor, await deletePedido(db, actor, params.id), origin)),
  );
  route(app, api.restorePedido, async ({ actor, params }) =>
    asDone('Pedido restaurado', presentFull(actor, await restorePedido(db, actor, params.id), origin)),
  );
  route(app, api.duplicatePedido, async ({ actor, params }) => {
    const row = await duplicatePedido(db, actor, params.id);
    const data = presentFull(actor, row, origin);
    const avisos = await doubtsAbout(db, row, {}, { copied: true });
    const message = await withUnsaid(`Pedido duplicado como ${data.numero_orden}: la copia está sin pagar`, row);
    return {
      ...asDone([`${message}.`, ...avisos.map(({ frase }) => frase)].join(' ').replace(/\.$/, ''), data),
      avisos,
      payment_link: data.payment_link,
    };
  });
  route(app, api.calcularTotal, async ({ actor, body }) => {
    refuseUnwritable(actor, body);
    const input = { ...body, envio: body.envio ?? null };
    const { lines, summary } = priceOrder(await readPrices(db, [body], chooseSeller(actor, body.revendedor_id)), actor, input);
    return {
      data: {
        precio_unitario: toEuros(summary.precio_unitario_cents),
        envio: toEuros(summary.envio_cents),
        descuento: toEuros(summary.descuento_cents),
        total: toEuros(summary.precio_total_cents),
        lineas: presentLines(lines),
        fecha_estimada: await readPromised(db),
      },
    };
  });
  route(app, api.getHistorial, async ({ actor, params }) => ({ data: await readHistory(db, actor, params.id) }));

  route(app, cambiosPedidos, async ({ actor, query }) =>
    readChanges(db, actor, 'pedido', query, async (ids) =>
      (await ordersAmong(db, actor, ids)).map((row) => presentOrder(actor, row, origin)),
    ),
  );
  moneyRoutes(app, db, origin);
  manyRoutes(app, db, signal);
}

/** Routes for payments and refunds of one order. */
function moneyRoutes(app: FastifyInstance, db: Deps['db'], origin: string): void {
  route(app, anotarPago, async ({ actor, params, body }) =>
    asDone('Pago anotado', presentFull(actor, await notePago(db, actor, params.id, body), origin)),
  );
  route(app, reembolsarSobra, async ({ actor, params, body }) =>
    asDone('Reembolso anotado', presentFull(actor, await refundOverpaid(db, actor, params.id, body), origin)),
  );
}

/** Routes for many orders at once. */
function manyRoutes(app: FastifyInstance, db: Deps['db'], signal: Deps['signal']): void {
  route(app, importApi.checkImport, async ({ actor, body }) => ({ data: await checkImport(db, actor, body) }));
  route(app, importApi.importPedidos, async ({ actor, body, request }) => {
    const clave = request.headers['idempotency-key'];
    const report = (hechos: number, de: number) =>
      typeof clave === 'string' && publishProgress(signal, { user: actor.id, clave, hechos, de });
    const rows = await importPedidos(db, actor, body, report);
    const creados = rows.length;
    const avisos = (await doubtsOfOrders(db, rows)).flatMap((doubts, fila) => doubts.map((doubt) => ({ fila, ...doubt })));
    const message = plural(creados, 'pedido creado', 'pedidos creados');
    return { success: true, message, creados, avisos };
  });
  route(app, importApi.listImports, async () => ({ success: true as const, data: await listImports(db) }));
  route(app, importApi.deshacerImport, async ({ actor, params }) => {
    const n = await undoImport(db, actor, params.id);
    const message = `Importación deshecha: ${plural(n, 'pedido eliminado', 'pedidos eliminados')}`;
    return { success: true as const, message };
  });
  route(app, loteApi.lotePedidos, async ({ actor, body, request }) => runLote(db, actor, body, (error) => request.log.error(error)));
  route(app, loteApi.calcularDevolucion, async ({ actor, body }) => refundAfterLote(db, actor, body));
}
