import type { FastifyInstance } from 'fastify';
import {
  anularDevolucion,
  createDevolucion,
  listDevoluciones,
  listPorRecibir,
  moverDevolucion,
  pedirResto,
  recibirDevolucion,
  recibirMercancia,
  reembolsarDevolucion,
  retenerDevolucion,
} from '../../contract/devoluciones/devoluciones.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { presentFull } from '../pedidos/lectura/present.ts';
import { annulReturn, readReturns, registerReturn } from './devoluciones.ts';
import { listToReceive, receiveGoods, receiveOfOrder } from './goods.ts';
import { moveRefund, orderRest, refundReturn, storeRefund } from './refunds.ts';

/** Returns: goods that customers give back after the delivery or did not accept at the door (rows in server/pedidos/lineas/devuelto.ts). */
export const devolucionesFeature: Feature = {
  name: 'devoluciones',
  routes,
};

function routes(app: FastifyInstance, { db, config }: Deps): void {
  const origin = config.publicUrl ?? '';
  route(app, listDevoluciones, async ({ actor, params }) => ({ success: true as const, data: await readReturns(db, actor, params.id) }));
  route(app, createDevolucion, async ({ actor, params, body }) =>
    asDone('Devolución registrada', await registerReturn(db, actor, params.id, body)),
  );
  route(app, reembolsarDevolucion, async ({ actor, params, body }) =>
    asDone('Reembolso anotado', await refundReturn(db, actor, params.id, { ...body, referencia: body.referencia ?? null })),
  );
  route(app, retenerDevolucion, async ({ actor, params, body }) =>
    asDone('Anotado: esa parte no se reembolsa', await storeRefund(db, actor, params.id, body)),
  );
  route(app, moverDevolucion, async ({ actor, params, body }) =>
    asDone('El dinero pasa al otro pedido', await moveRefund(db, actor, params.id, body.numero_orden)),
  );
  route(app, pedirResto, async ({ actor, params }) => {
    const rest = await orderRest(db, actor, params.id);
    return asDone(`Pedido ${rest.numero_orden} creado para el resto`, presentFull(actor, rest, origin));
  });
  route(app, listPorRecibir, async () => ({ data: await listToReceive(db) }));
  const receipt = (destino: string) => (destino === 'stock' ? 'Mercancía recibida: vuelve al stock' : 'Mercancía dada de baja');
  route(app, recibirDevolucion, async ({ actor, params, body }) =>
    asDone(receipt(body.destino), await receiveGoods(db, actor, params.id, body)),
  );
  route(app, recibirMercancia, async ({ actor, params, body }) =>
    asDone(receipt(body.destino), presentFull(actor, await receiveOfOrder(db, actor, params.id, body), origin)),
  );
  route(app, anularDevolucion, async ({ actor, params, body }) =>
    asDone('Devolución anulada', await annulReturn(db, actor, params.id, body.motivo)),
  );
}
