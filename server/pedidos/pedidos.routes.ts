import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lotePedidos as lotePedidosEndpoint } from '../../contract/pedidos.lote.ts';
import * as api from '../../contract/pedidos.ts';
import { invalid } from '../kit/errors.ts';
import type { Deps } from '../kit/feature.ts';
import { toEuros } from '../kit/money.ts';
import { route } from '../kit/route.ts';
import { assignTransportista } from './assign.ts';
import { createPedido, duplicatePedido } from './create.ts';
import { readHistory } from './history.ts';
import { listPedidos } from './list.ts';
import { runLote } from './lote.ts';
import { deletePedido, restorePedido, updatePedido } from './pedidos.ts';
import { present, presentFull } from './present.ts';
import { priceOf } from './price.ts';
import { findPedido } from './row.ts';
import { setEstado } from './transition.ts';

/** Orders. Payment links start with `publicUrl`, or with the address the caller used when it is unset. */
export function pedidosRoutes(app: FastifyInstance, { db, config: { publicUrl } }: Deps): void {
  const origin = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;

  route(app, api.listPedidos, async ({ actor, query, request }) => {
    const page = await listPedidos(db, actor, query);
    return { ...page, data: page.data.map((row) => present(actor, row, origin(request))) };
  });
  route(app, api.getPedido, async ({ actor, params, request }) => ({
    data: present(actor, await findPedido(db, actor, params.id), origin(request)),
  }));
  route(app, api.createPedido, async ({ actor, body, request }) => {
    const data = presentFull(await createPedido(db, actor, body, idempotencyKey(request)), origin(request));
    return { success: true, message: 'Pedido creado correctamente', data, payment_link: data.payment_link };
  });
  route(app, api.updatePedido, async ({ actor, params, body, request }) => ({
    success: true,
    message: 'El pedido se actualizó correctamente',
    data: presentFull(await updatePedido(db, actor, params.id, body), origin(request)),
  }));
  route(app, api.setEstado, async ({ actor, params, body, request }) => ({
    success: true,
    message: body.estado === 'completado' ? 'Pedido marcado como completado exitosamente' : 'Estado del pedido actualizado',
    data: present(actor, await setEstado(db, actor, params.id, body), origin(request)),
  }));
  route(app, api.assignTransportista, async ({ actor, params, body, request }) => ({
    success: true,
    message: body.transportista_id ? 'Pedido asignado exitosamente' : 'El pedido vuelve a estar disponible',
    data: presentFull(await assignTransportista(db, actor, params.id, body), origin(request)),
  }));
  route(app, api.deletePedido, async ({ actor, params, request }) => ({
    success: true,
    message: 'Pedido eliminado correctamente',
    data: presentFull(await deletePedido(db, actor, params.id), origin(request)),
  }));
  route(app, api.restorePedido, async ({ actor, params, request }) => ({
    success: true,
    message: 'Pedido restaurado',
    data: presentFull(await restorePedido(db, actor, params.id), origin(request)),
  }));
  route(app, api.duplicatePedido, async ({ actor, params, request }) => {
    const data = presentFull(await duplicatePedido(db, actor, params.id), origin(request));
    return { success: true, message: `Pedido duplicado como ${data.numero_orden}`, data, payment_link: data.payment_link };
  });
  route(app, api.calcularTotal, async ({ body }) => {
    const price = await priceOf(db, body.pack_id, body.cantidad);
    return { data: { precio_unitario: toEuros(price.precio_unitario_cents), total: toEuros(price.precio_total_cents) } };
  });
  route(app, api.getHistorial, async ({ actor, params }) => ({ data: await readHistory(db, actor, params.id) }));

  route(app, lotePedidosEndpoint, async ({ actor, body, request }) => runLote(db, actor, body, (error) => request.log.error(error)));
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,200}$/.test(key))
    throw invalid('Idempotency-Key', 'Idempotency-Key debe tener entre 8 y 200 caracteres visibles');
  return key;
}
