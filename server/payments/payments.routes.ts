import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as api from '../../contract/payments.ts';
import type { Db } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { DomainError, notFound } from '../kit/errors.ts';
import { route } from '../kit/route.ts';
import { devolverPago, listPagos } from './pagos.ts';
import { avisarTransferencia, readPago, simulatePago } from './payments.ts';
import { redsysNotified, startRedsys } from './redsys.ts';

/** The public payment page, the providers’ notices, and refunds. */
export async function paymentsRoutes(app: FastifyInstance, db: Db, { demo, publicUrl, stripe, redsys }: Config): Promise<void> {
  const offered = { demo, stripe: !!stripe, redsys: !!redsys };
  const origin = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;
  // The library is heavy: only whoever uses Stripe loads it.
  const gateway = stripe && (await import('./stripe.ts'));
  const client = stripe && gateway?.openStripe(stripe);

  route(app, api.getPago, async ({ params }) => ({ data: await readPago(db, params.token, offered) }));
  route(app, api.simularPago, async ({ params }) => {
    await simulatePago(db, params.token, demo);
    return { success: true, message: 'Pago simulado: el pedido ya está pagado' };
  });
  route(app, api.avisarTransferencia, async ({ params }) => {
    await avisarTransferencia(db, params.token);
    return { success: true, message: 'Gracias: comprobaremos que ha llegado' };
  });
  route(app, api.pagarConStripe, async ({ params, request }) => {
    if (!gateway || !client) throw notFound();
    return { url: await answered(request, gateway.startStripe(db, client, params.token, origin(request))) };
  });
  route(app, api.pagarConRedsys, async ({ params, body, request }) => {
    if (!redsys) throw notFound();
    return startRedsys(db, redsys, params.token, body, origin(request));
  });
  route(app, api.listPagos, async ({ actor, params }) => ({ data: await listPagos(db, actor, params.id) }));
  route(app, api.devolverPago, async ({ actor, params, body }) => {
    await devolverPago(db, actor, params.id, body.nota);
    return { success: true, message: 'Pago marcado como devuelto' };
  });

  // The providers do not send JSON, so what they send is read apart from everything else.
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, raw, done) => done(null, raw));
    route(scope, api.stripeWebhook, async ({ request }) => {
      if (!stripe || !gateway || !client) throw notFound();
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await gateway.stripeNotified(db, client, stripe.webhookSecret, raw, String(request.headers['stripe-signature'] ?? ''));
      return { received: true };
    });
    ready();
  });
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    route(scope, api.redsysWebhook, async ({ body }) => {
      if (!redsys) throw notFound();
      await redsysNotified(db, redsys, body);
      return { received: true };
    });
    ready();
  });
}

/** What Stripe says goes to the log; the customer, who can do nothing about it, reads what to do instead. */
async function answered<T>(request: FastifyRequest, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DomainError || !(error instanceof Error) || !('rawType' in error || 'requestId' in error)) throw error;
    request.log.error(error);
    throw new DomainError(503, 'La pasarela de pago no responde. Inténtalo de nuevo o paga por transferencia.', {
      headers: { 'retry-after': '30' },
    });
  }
}
