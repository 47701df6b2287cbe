import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/payments.ts';
import { invalid, notFound } from '../kit/errors.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { listPagos, markRefunded } from '../pedidos/pagos.ts';
import { readPago, reportTransfer, simulatePago } from './payments.ts';
import type { Method } from './provider.ts';
import { openProviders, providerLabel } from './providers.ts';
import { receive } from './settle.ts';

/** The public payment page, the providers’ webhooks, and refunds. */
export async function paymentsRoutes(app: FastifyInstance, { db, config }: Deps): Promise<void> {
  const { demo, publicUrl } = config;
  const open = await openProviders(config);
  /** Throws 404 unless the provider is known and configured. */
  function gateway(proveedor: string) {
    const found = open.get(proveedor);
    if (!found) throw notFound();
    return found;
  }

  route(app, api.getPago, async ({ params }) => ({ data: await readPago(db, params.token, { demo, open }) }));
  route(app, api.simularPago, async ({ params }) => {
    await simulatePago(db, params.token, demo);
    return { success: true, message: 'Pago simulado: el pedido ya está pagado' };
  });
  route(app, api.avisarTransferencia, async ({ params }) => {
    await reportTransfer(db, params.token);
    return { success: true, message: 'Gracias: comprobaremos que ha llegado' };
  });
  route(app, api.startPago, async ({ params: { token, proveedor }, body, request }) => {
    const { start, methods } = gateway(proveedor);
    const origin = publicUrl ?? `${request.protocol}://${request.host}`;
    return start(db, { token, metodo: chosen(methods, body?.metodo), origin });
  });
  route(app, api.listPagos, async ({ actor, params }) => ({
    data: (await listPagos(db, actor, params.id)).map((pago) => ({ ...pago, proveedor_nombre: providerLabel(pago.proveedor) })),
  }));
  route(app, api.devolverPago, async ({ actor, params, body }) => {
    await markRefunded(db, actor, params.id, body.nota);
    return { success: true, message: 'Pago marcado como devuelto' };
  });

  // The signature covers the raw bytes, whatever their content type.
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, raw, done) => done(null, raw));
    route(scope, api.notifyPago, async ({ params: { proveedor }, request: { body, headers } }) => {
      const notice = gateway(proveedor).notified(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers);
      if (notice) await receive(db, proveedor, notice);
      return { received: true };
    });
    ready();
  });
}

/** The requested method, optional where there is only one. */
function chosen(methods: Method[], metodo: string | undefined): string {
  const found = metodo || methods.length > 1 ? methods.find(({ id }) => id === metodo) : methods[0];
  if (!found) throw invalid('metodo', 'Elige cómo quieres pagar');
  return found.id;
}
