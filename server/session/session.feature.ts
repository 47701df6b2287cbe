import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayEver } from '../../contract/policy/policy.ts';
import * as api from '../../contract/session/session.ts';
import { avisosDe } from '../../contract/settings/avisos.ts';
import { reglasDe } from '../../contract/settings/entrega.ts';
import { shownEmail } from '../kit/email.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { readSettings } from '../settings/settings.ts';
import { dealsInContraReembolso, hasCash } from './contra-reembolso.ts';
import { acceptInvitation, deleteOldInvitations, lacksSuperadmin, readInvitation, useFirstAccess } from './first-access.ts';
import { countUnknown, type From, login, type SignedIn } from './session.ts';
import { deleteOldSessions, hashToken } from './sessions.ts';
import { deleteOldFailures } from './throttle.ts';

/** Sign-in, sessions, second factor and throttling of guesses. */
export const sessionFeature: Feature = {
  name: 'session',
  tables: {
    users: 'kept',
    recovery_codes: 'kept',
    sessions: 'passing',
    login_attempts: 'passing',
    one_time_tokens: 'passing',
    unknown_logins: 'apart',
  },
  routes,
  clean: async (db) => {
    await deleteOldSessions(db);
    await deleteOldFailures(db);
    await deleteOldInvitations(db);
    await countUnknown(db, 0);
  },
};

function routes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
  route(app, api.getCsrfToken, async ({ request, reply }) => {
    app.guard.setXsrf(reply, request.session);
    return { success: true };
  });

  const fromOf = (request: FastifyRequest): From => ({
    ip: request.ip,
    userAgent: request.headers['user-agent'],
    mark: (userId) => app.guard.readDevice(request, userId),
  });
  function welcome(reply: FastifyReply, { token, remembered, ...device }: SignedIn) {
    app.guard.setSession(reply, token, remembered);
    app.guard.setDevice(reply, device);
    app.guard.setXsrf(reply, { token_hash: hashToken(token), remembered });
    return { success: true as const, message: '¡Bienvenido!' };
  }

  route(app, api.login, async ({ body, request, reply }) =>
    welcome(reply, await login(db, secretKey, body, fromOf(request), request.session)),
  );

  route(app, api.getUser, async ({ request }) => {
    if (!request.session) throw new Error('authorize() lets nobody without a session come here');
    const { id, full_name, email, role, pending, remembered } = request.session;
    const settings = await readSettings(db);
    const entrega = reglasDe(settings);
    const person = { id, full_name, role };
    const avisos = avisosDe(settings, mayEver(person, 'pedido:prices'));
    const reembolso = settings.cashOnDelivery && (await dealsInContraReembolso(db, person)) && { contra_reembolso: true as const };
    const caja = !settings.cashOnDelivery && (await hasCash(db, person)) && { caja: true as const };
    const etiquetas = settings.labelsAndLoading && mayEver(person, 'pedido:label') && { etiquetas: true as const };
    const partes = settings.partialDeliveries && mayEver(person, 'paso:completar') && { partes: true as const };
    const zonas = settings.deliveryZones !== 'no' && { zonas: settings.deliveryZones };
    const mayCache = mayEver(person, 'device:answers') && (remembered || mayEver(person, 'device:outbox'));
    const envios = settings.shipmentFiles && { envios: true as const };
    const iva = settings.iva && mayEver(person, 'pedido:prices') && { iva: true as const };
    const ruta = settings.dayRoute && mayEver(person, 'pedido:route') && { ruta: true as const };
    return {
      user: {
        id,
        full_name,
        email: shownEmail(email),
        role,
        pending,
        ...reembolso,
        ...caja,
        ...etiquetas,
        ...partes,
        ...zonas,
        ...(mayCache && { conserva: true as const }),
        ...envios,
        ...iva,
        ...ruta,
      },
      negocio: { ...settings, ...(entrega && { entrega }), ...(avisos && { avisos }) },
    };
  });

  route(app, api.getInvitation, async ({ params }) => ({ data: await readInvitation(db, params.token) }));
  route(app, api.acceptInvitation, async ({ params, body, request, reply }) =>
    welcome(reply, await acceptInvitation(db, secretKey, { ...params, ...body }, fromOf(request), request.session)),
  );
  route(app, api.getFirstAccess, async () => ({ data: { pendiente: await lacksSuperadmin(db) } }));
  route(app, api.firstAccess, async ({ body, request, reply }) =>
    welcome(reply, await useFirstAccess(db, secretKey, body, fromOf(request), request.session)),
  );
}
