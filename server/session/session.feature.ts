import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { can, mayEver, type Person } from '../../contract/policy/policy.ts';
import * as api from '../../contract/session/session.ts';
import { avisosDe } from '../../contract/settings/avisos.ts';
import { reglasDe } from '../../contract/settings/entrega.ts';
import type { Db } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { readSettings } from '../settings/settings.ts';
import { shopNames } from '../settings/shop-names.ts';
import { acceptInvitation, deleteOldInvitations, lacksSuperadmin, readInvitation, useFirstAccess } from './first-access.ts';
import { countUnknown, type From, type SignedIn, signIn } from './session.ts';
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
    welcome(reply, await signIn(db, secretKey, body, fromOf(request), request.session)),
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
    const deshacer = mayEver(person, 'paso:own-time') && settings.undoDeliveryMinutes > 0 && { deshacer: settings.undoDeliveryMinutes };
    const zonas = settings.deliveryZones !== 'no' && { zonas: settings.deliveryZones };
    const mayCache = mayEver(person, 'device:answers') && (remembered || mayEver(person, 'device:outbox'));
    const envios = settings.shipmentFiles && { envios: true as const };
    const iva = settings.iva && mayEver(person, 'pedido:prices') && { iva: true as const };
    const ruta = settings.dayRoute && mayEver(person, 'pedido:route') && { ruta: true as const };
    const direccion = app.sharedAddress();
    const tiendas = mayEver(person, 'pedido:label') ? await shopNames(db) : undefined;
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
        ...deshacer,
        ...zonas,
        ...(mayCache && { conserva: true as const }),
        ...(settings.measureSpeed && { mide: true as const }),
        ...envios,
        ...iva,
        ...ruta,
        ...(tiendas && { tiendas }),
      },
      negocio: { ...settings, ...(entrega && { entrega }), ...(avisos && { avisos }), ...(direccion && { direccion }) },
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

/** True if the person delivers or may sell orders paid on delivery; a reseller needs permission (decision 051). */
async function dealsInContraReembolso(db: Db, person: Person): Promise<boolean> {
  if (!can(person, 'pedido:create') || can(person, 'pedido:create-free')) return true;
  const row = await db.selectFrom('users').select('contra_reembolso').where('id', '=', person.id).executeTakeFirst();
  return row?.contra_reembolso ?? false;
}

/** True if cash waits to be handed over or confirmed, or the office has other work in the Caja. Ignores the setting of cash on delivery. */
async function hasCash(db: Db, person: Person): Promise<boolean> {
  if (!mayEver(person, 'caja:read')) return false;
  const { rows } = await sql<{ waits: boolean }>`
    SELECT EXISTS (
      SELECT FROM pagos g WHERE g.caja_dia IS NOT NULL AND g.estado <> 'anulado' AND (${can(person, 'caja:confirm')} OR g.transportista_id = ${person.id})
      AND NOT EXISTS (SELECT FROM cajas c WHERE (c.transportista_id, c.dia, c.ronda) = (g.transportista_id, g.caja_dia, g.caja_ronda) AND c.confirmada_at IS NOT NULL)
    ) OR ${can(person, 'caja:confirm')} AND (
      EXISTS (SELECT FROM pagos WHERE transportista_id IS NOT NULL AND caja_dia IS NULL AND comprobado_at IS NULL AND estado <> 'anulado')
      OR EXISTS (SELECT FROM pagos WHERE empresa IS NOT NULL AND remesa_id IS NULL AND estado <> 'anulado')
      OR EXISTS (SELECT FROM pedidos_historial WHERE cobrado_cents IS NOT NULL AND registrado_at IS NULL)
      OR EXISTS (SELECT FROM devoluciones_lineas l JOIN devoluciones d ON d.id = l.devolucion_id WHERE l.destino = 'camino' AND d.anulada_at IS NULL)
    ) AS waits`.execute(db);
  return rows[0]?.waits ?? false;
}
