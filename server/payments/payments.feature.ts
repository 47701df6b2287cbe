import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import * as pagar from '../../contract/pagar/pagar.ts';
import { PASOS_INICIO, type PasoInicio } from '../../contract/payments/fields.ts';
import * as api from '../../contract/payments/payments.ts';
import { readChanges } from '../cambios/cambios.ts';
import type { Db } from '../db/open.ts';
import { openFiles } from '../files/open-files.ts';
import { invalid, notFound } from '../kit/errors.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { sendPicture } from '../kit/picture.ts';
import { doneAfter, route } from '../kit/route.ts';
import { pagosAmong } from '../pedidos/pagos/all-pagos.ts';
import { isJointSale } from '../pedidos/pagos/cash-limit.ts';
import { annulPago, listPagos, markRefunded, nameBegun } from '../pedidos/pagos/pagos.ts';
import { tendUnpaid } from '../pedidos/pasos/unpaid.job.ts';
import { readPublicFichero } from '../pruebas/pruebas.ts';
import { readSettings } from '../settings/settings.ts';
import { askablePayments, askEnded } from './ask.ts';
import { receiveBack } from './back.ts';
import { beginPago } from './begin.ts';
import { findByToken } from './find.ts';
import { pagoPage } from './page.ts';
import { letNeighbour, postponeDelivery, readEmpresa, readPago, reportTransfer, simulatePago } from './payments.ts';
import type { Ask, Method } from './provider.ts';
import { formActions, openProviders, providerLabel } from './providers.ts';
import { listPorRevisar, resolveReview } from './review.ts';
import { receiveNotice } from './settle.ts';

/** Payment page, payment providers, refunds and unpaid orders. */
export const paymentsFeature: Feature = {
  name: 'payments',
  tables: { payment_events: 'kept' },
  routes,
  jobs: ({ db, config }) => [
    {
      name: 'impagados',
      cron: '*/10 * * * *',
      // Checks with the payment providers first, so that an order paid in the meantime is not cancelled.
      run: async () => {
        const open = await openProviders(config);
        const asked = await Promise.allSettled([askEnded(db, open)]);
        await tendUnpaid(db, askablePayments(open));
        for (const result of asked) if (result.status === 'rejected') throw result.reason;
      },
    },
  ],
};

async function routes(app: FastifyInstance, { db, config }: Deps): Promise<void> {
  // Providers require PUBLIC_URL (providers.ts): the Host of a request can be forged.
  const { demo, publicUrl: origin = '' } = config;
  const open = await openProviders(config);
  const files = openFiles(config);
  /** Throws 404 unless the provider is configured. */
  function gateway(proveedor: string) {
    const found = open.get(proveedor);
    if (!found) throw notFound();
    return found;
  }

  const start = (token: string, proveedor: string, metodo: string | undefined) => {
    const provider = gateway(proveedor);
    const begin = (externo_id?: string) => beginPago(db, token, { proveedor, externo_id });
    const opened: Ask['opened'] = (pedido, page) => nameBegun(db, pedido, proveedor, page);
    return provider.start({ begin, opened, token, metodo: chosen(provider.methods, metodo), origin });
  };

  pagoPage(app, { db, offered: { demo, open }, origin, formActions: formActions(config), start });
  route(app, pagar.getPago, async ({ params }) => ({ data: await readPago(db, params.token, { demo, open }) }));
  route(app, pagar.getEmpresa, async () => readEmpresa(db));
  route(app, pagar.simularPago, ({ params }) => doneAfter(simulatePago(db, params.token, demo), 'Pago simulado: el pedido ya está pagado'));
  route(app, pagar.avisarTransferencia, ({ params }) =>
    doneAfter(reportTransfer(db, params.token), 'Gracias: comprobaremos que ha llegado'),
  );
  route(app, pagar.aplazarEntrega, ({ params, body }) =>
    doneAfter(postponeDelivery(db, params.token, body), 'Gracias: se lo hemos dicho al transportista'),
  );
  route(app, pagar.permitirVecino, ({ params, body }) =>
    doneAfter(
      letNeighbour(db, params.token, body.permitido),
      body.permitido ? 'Podremos dejarlo a un vecino' : 'No lo dejaremos a ningún vecino',
    ),
  );
  route(app, pagar.getPruebaPublica, async ({ params: { token, id }, reply }) =>
    sendPicture(reply, await readPublicFichero(db, files, await findByToken(db, token), id)),
  );
  route(app, pagar.startPago, async ({ params: { token, proveedor }, body }) => start(token, proveedor, body?.metodo));
  route(app, api.getInicio, async () => ({
    data: { faltan: await readInicio(db, { providers: open.size, reachable: app.isReachable() }) },
  }));
  route(app, api.listPagos, async ({ actor, params }) => ({
    data: (await listPagos(db, actor, params.id)).map((pago) => ({ ...pago, proveedor_nombre: providerLabel(pago.proveedor) })),
    venta_conjunta: await isJointSale(db, params.id),
  }));
  route(app, api.listTodosPagos, async ({ actor, query }) => {
    const { data, ...rest } = await readChanges(db, actor, 'pago', query, (ids) => pagosAmong(db, ids));
    return {
      data: data.flatMap(({ data: pago }) => (pago ? [{ ...pago, proveedor_nombre: providerLabel(pago.proveedor) }] : [])),
      ...rest,
    };
  });
  route(app, api.devolverPago, ({ actor, params, body }) =>
    doneAfter(markRefunded(db, actor, params.id, body.nota), 'Pago marcado como reembolsado'),
  );

  route(app, api.anularPago, ({ actor, params, body }) => doneAfter(annulPago(db, actor, params.id, body.motivo), 'Pago anulado'));
  route(app, api.listPagosPorRevisar, async ({ query }) => listPorRevisar(db, query));
  route(app, api.resolverPago, ({ actor, params, body }) => doneAfter(resolveReview(db, actor, params.id, body), 'Pago revisado'));

  // The signature covers the raw bytes, whatever their content type.
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, raw, done) => done(null, raw));
    route(scope, api.notifyPago, async ({ params: { proveedor }, request: { body, headers } }) => {
      const provider = gateway(proveedor);
      const notice = provider.notified(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers);
      if (notice && 'back' in notice) await receiveBack(db, proveedor, provider, notice);
      else if (notice) await receiveNotice(db, proveedor, notice);
      return { received: true };
    });
    ready();
  });
}

function chosen(methods: Method[], metodo: string | undefined): string {
  const found = metodo || methods.length > 1 ? methods.find(({ id }) => id === metodo) : methods[0];
  if (!found) throw invalid('metodo', 'Elige cómo quieres pagar');
  return found.id;
}

/** Returns the missing setup steps of a new shop, in order. `providers`: number of configured payment providers. */
async function readInicio(db: Db, { providers, reachable }: { providers: number; reachable: boolean }): Promise<PasoInicio[]> {
  const { companyName, companyIban } = await readSettings(db);
  const { rows } = await sql<Record<'producto' | 'transportista' | 'revendedor' | 'pedido', boolean>>`SELECT
    EXISTS (SELECT 1 FROM product_packs k JOIN products p ON p.id = k.product_id WHERE k.is_active AND p.is_active
      AND (p.stock >= k.pack_quantity OR EXISTS (SELECT 1 FROM pedidos))) AS producto,
    EXISTS (SELECT 1 FROM users WHERE role = 'transportista' AND is_active AND deleted_at IS NULL) AS transportista,
    EXISTS (SELECT 1 FROM users WHERE role = 'revendedor' AND is_active AND deleted_at IS NULL) AS revendedor,
    EXISTS (SELECT 1 FROM pedidos) AS pedido`.execute(db);
  const done = { empresa: companyName.trim() !== '', cobro: companyIban.trim() !== '' || providers > 0, telefono: reachable, ...rows[0] };
  return PASOS_INICIO.filter((paso) => !done[paso]);
}
